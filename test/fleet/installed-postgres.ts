import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Postgres } from './postgres.ts';

/** Where Debian keeps the programs of each version, and where PostgreSQL says that it has them. */
function folders(): readonly string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const said = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return [...versions.map((version) => join(debian, version, 'bin')), said.stdout?.trim() ?? ''];
}

/** The folder with the programs of a PostgreSQL that is installed here; undefined where none is whole. */
export const installed = folders().find((folder) =>
  ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'psql'].every(
    (name) => folder !== '' && existsSync(join(folder, name)),
  ),
);

/** Starts the PostgreSQL that is installed here, which has pg_dump, on a free port, in a temporary folder. */
export async function startInstalled(): Promise<Postgres> {
  const programs = installed ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'longshore-postgres-'));
  chmodSync(folder, 0o755);
  // Root may not run PostgreSQL.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(programs, program), args, { ...owner, cwd: folder, stdio: 'ignore' });
  run('initdb', '--pgdata', data, '--username', 'owner', '--auth', 'trust');
  const port = await freePort();
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  const start = () => run('pg_ctl', '--pgdata', data, '--options', options, '--wait', 'start');
  const stop = () => run('pg_ctl', '--pgdata', data, '--mode', 'fast', '--wait', 'stop');
  start();
  run('createdb', '--host', '127.0.0.1', '--port', String(port), '--username', 'owner', 'fleet');
  return {
    url: `postgres://owner:owner@127.0.0.1:${port}/fleet`,
    restart() {
      stop();
      start();
      return Promise.resolve();
    },
    remove() {
      stop();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}
