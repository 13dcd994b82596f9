import { copyFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { FleetKey } from '../../src/fleet/crypt/key.ts';
import { localJournalHasPosition } from '../../src/fleet/ship/local-journal.ts';
import { unpackWalPosition } from '../../src/fleet/ship/log.ts';
import { restoreJournal } from '../../src/fleet/ship/restore.ts';
import { toJournalPath } from '../../src/journal/index.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A folder that is gone with the test. */
export function folder(): string {
  const made = temporaryFolder();
  onTestFinished(made.remove);
  return made.path;
}

/** The numbers that a journal has in the table of the tests. */
export function numbersIn(workDir: string): readonly number[] {
  const file = openSqlite(toJournalPath(workDir));
  try {
    return file.prepare<[], number>('SELECT n FROM number ORDER BY n').pluck().all();
  } finally {
    file.close();
  }
}

/** The journal that was shipped, restored into a folder of its own: its bytes and its numbers. */
export async function restored(pool: Pool, workspace: string, key: FleetKey) {
  const workDir = folder();
  await restoreJournal(pool, workspace, workDir, key);
  const bytes = readFileSync(toJournalPath(workDir));
  return { bytes, numbers: numbersIn(workDir), workDir };
}

/**
 * The bytes that a journal had at the end of what was shipped: of a copy, put together by SQLite itself. Where its log was
 * restarted since, they are those of the whole database, which may have commits that were not shipped yet.
 */
export async function bytesShipped(pool: Pool, workspace: string, workDir: string) {
  const { rows } = await pool.query<{ mark: Buffer }>(
    'SELECT mark FROM longshore.frames WHERE workspace = $1 ORDER BY generation DESC, seq DESC LIMIT 1',
    [workspace],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('nothing was shipped');
  const mark = unpackWalPosition(row.mark);
  const copy = folder();
  for (const suffix of ['', '-wal']) {
    const from = `${toJournalPath(workDir)}${suffix}`;
    if (existsSync(from)) copyFileSync(from, join(copy, `journal.db${suffix}`));
  }
  const logGoesOn = localJournalHasPosition(copy, mark);
  const end = logGoesOn ? 32 + mark.frames * (24 + 4096) : 0;
  if (existsSync(join(copy, 'journal.db-wal'))) truncateSync(join(copy, 'journal.db-wal'), end);
  const file = openSqlite(join(copy, 'journal.db'));
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  return { bytes: readFileSync(join(copy, 'journal.db')), logGoesOn, workDir: copy };
}
