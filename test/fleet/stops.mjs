// npm run fleet:stops -- --seconds 3,60,600: stops jobs between commit and send for so long, and prints what each sent then.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const usage = `npm run fleet:stops -- [--seconds N,N,...]

Three seconds, a minute and ten minutes, unless said otherwise: together in about 25 minutes.`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3,60,600' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(`${usage}\n`);
else play(values.seconds);

function play(seconds) {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/long.config.ts',
      'test/fleet/stops.long.test.ts',
    ],
    { stdio: 'inherit', env: { ...process.env, LONGSHORE_STOP_SECONDS: seconds } },
  );
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
