import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { message } from '../run/message.mjs';

const script = fileURLToPath(new URL('stub-server.mjs', import.meta.url));

/**
 * Starts a stub server, hands it to `use`, and stops it. Its options: `latency` (ms, ± 50 %), `kind` and `at` (load.mjs), `people`,
 * `contacts` and `messagePages` (answers.mjs), `faults` (a share of the POSTs), `listAtOnce` (the contact list has no latency), `seed` (of what is random).
 * `counts()` asks what it has counted since it was last asked.
 */
export async function withServer(options, use) {
  // Millions of contacts are more than the memory that V8 takes by itself.
  const execArgv = options.people === 'remembered' ? ['--max-old-space-size=16000'] : [];
  const server = fork(script, [JSON.stringify(options)], { execArgv });
  try {
    const { port } = await message(server);
    const counts = () => {
      server.send('counts');
      return message(server);
    };
    return await use({ origin: `http://127.0.0.1:${port}`, counts });
  } finally {
    server.kill();
  }
}
