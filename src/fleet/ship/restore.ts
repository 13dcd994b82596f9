import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { toJournalPath } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { createEmptyDatabaseFile, openSqlite, removeDatabase } from '../../storage/sqlite.ts';
import type { FleetKey } from '../crypt/key.ts';
import { sealedHeaderLength, unseal } from '../crypt/seal.ts';
import { inTransaction } from '../database/migrate.ts';
import { bytesColumnSchema, selectRows } from '../database/rows.ts';
import { unpackDatabasePages, unpackWalPosition } from './log.ts';
import {
  createJournalBaseAssociatedData,
  createTruncatedJournalError,
  isJournalComplete,
  journalBasePartBytes,
  journalEndSql,
  lastChunkRowSchema,
  type ShippedJournal,
  unsealJournalEndPosition,
  unsealWalFrames,
} from './shipped.ts';

/** The number of chunks of frames in one query. */
const chunksAtOnce = 64;

/**
 * Replaces the journal of a work dir with the shipped one. Returns false and leaves the local journal unchanged if
 * nothing was shipped, or if `keep` returns true for the path of the restored file. The journal must not be open.
 * Throws a FatalError, and changes nothing, if a shipped part is damaged, missing or encrypted with another key.
 */
export async function restoreJournal(
  pool: Pool,
  workspace: string,
  workDir: string,
  key: FleetKey,
  keep: (shipped: string) => boolean = () => false,
): Promise<boolean> {
  // A partly restored journal in the spool folder does no harm.
  const made = join(workDir, 'spool', 'restored-journal.db');
  try {
    const found: Written = await inTransaction(pool, async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return await write(client, { workspace, key, made });
    });
    if (found === 'nothing') return false;
    assertIntact(made, workspace);
    if (keep(made)) return false;
    if (found === 'setBack') throw createTruncatedJournalError(workspace);
    const path = toJournalPath(workDir);
    removeDatabase(path);
    renameSync(made, path);
    return true;
  } finally {
    removeDatabase(made);
  }
}

interface Restoring {
  readonly workspace: string;
  readonly key: FleetKey;
  readonly made: string;
}

/** What was restored: `all`, `setBack` if it is less than was shipped, or `nothing` if nothing was shipped. */
type Written = 'all' | 'setBack' | 'nothing';

async function write(client: PoolClient, restoring: Restoring): Promise<Written> {
  const [last] = await selectRows(
    client,
    lastChunkRowSchema,
    `SELECT generation::text, parts, seq::text, mark, substring(bytes FOR ${sealedHeaderLength}) AS head, ${journalEndSql} AS reached FROM longshore.frames WHERE workspace = $1
     ORDER BY longshore.frames.generation DESC, longshore.frames.seq DESC LIMIT 1`,
    [restoring.workspace],
  );
  if (last === undefined) return 'nothing';
  createEmptyDatabaseFile(restoring.made);
  const fd = openSync(restoring.made, 'r+');
  try {
    await writeBase(client, restoring, last, fd);
    await writeFrames(client, restoring, { ...last, seq: Number(last.seq) }, fd);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  const { workspace, key } = restoring;
  const end = { ...last, seq: Number(last.seq), mark: unpackWalPosition(last.mark) };
  return isJournalComplete(end, await unsealJournalEndPosition(key, workspace, last.reached), last.head)
    ? 'all'
    : 'setBack';
}

async function writeBase(
  client: PoolClient,
  { workspace, key }: Restoring,
  { generation, parts }: { readonly generation: string; readonly parts: number },
  fd: number,
): Promise<void> {
  for (let part = 0; part < parts; part += 1) {
    const [found] = await selectRows(
      client,
      z.object({ bytes: bytesColumnSchema }),
      'SELECT bytes FROM longshore.base WHERE workspace = $1 AND generation = $2 AND part = $3',
      [workspace, generation, part],
    );
    const sealed = found?.bytes ?? fail(workspace, `part ${part} of its base is missing`);
    const plain = await unseal(key, createJournalBaseAssociatedData(workspace, generation, part), sealed);
    writeSync(fd, plain, 0, plain.length, part * journalBasePartBytes);
  }
}

async function writeFrames(
  client: PoolClient,
  { workspace, key }: Restoring,
  { generation, parts, seq: last }: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
  fd: number,
): Promise<void> {
  for (let next = 0; next <= last; ) {
    const rows = await selectRows(
      client,
      z.object({ seq: z.string(), mark: bytesColumnSchema, bytes: bytesColumnSchema }),
      `SELECT seq::text, mark, bytes FROM longshore.frames WHERE workspace = $1 AND generation = $2 AND frames.seq >= $3
       ORDER BY frames.seq LIMIT ${chunksAtOnce}`,
      [workspace, generation, next],
    );
    for (const { seq, ...chunk } of rows) {
      if (Number(seq) !== next) fail(workspace, `chunk ${next} of its frames is missing`);
      const at = { generation, parts, seq: next };
      const plain = await unsealWalFrames(key, workspace, at, chunk);
      const { pageSize, size, pages } = unpackDatabasePages(plain);
      for (const [number, page] of pages) writeSync(fd, page, 0, pageSize, (number - 1) * pageSize);
      ftruncateSync(fd, size * pageSize);
      next += 1;
    }
  }
}

/** Throws a FatalError (unexpected) if SQLite's integrity check of the restored file fails. */
function assertIntact(path: string, workspace: string): void {
  const file = openSqlite(path);
  try {
    const found = file.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') fail(workspace, String(found));
  } finally {
    file.close();
  }
}

function fail(workspace: string, what: string): never {
  throw new FatalError(
    'unexpected',
    `the journal of workspace ${workspace} cannot be restored from the database: ${what}.`,
    { next: 'Restore the database from a backup, or start the workspace over with a new journal.' },
  );
}
