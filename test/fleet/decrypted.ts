import type { Pool } from 'pg';
import type { FleetKey } from '../../src/fleet/crypt/key.ts';
import { unseal } from '../../src/fleet/crypt/seal.ts';
import { listSyncStates, readStoredSyncState } from '../../src/fleet/places/delivery-record.ts';
import { createJournalBaseAssociatedData, unsealWalFrames } from '../../src/fleet/ship/shipped.ts';

/**
 * Every place of the fleet's database where one of the words is, also in what can be decrypted: `table: word`, with
 * `journal` for its base and its frames: which of the two a row is in depends on how the machine grouped its commits.
 */
export async function storedPlacesOf(
  pool: Pool,
  workspace: string,
  key: FleetKey,
  words: readonly string[],
): Promise<readonly string[]> {
  const texts: (readonly [table: string, bytes: Buffer])[] = [];
  const { rows: base } = await pool.query<{ generation: string; part: number; bytes: Buffer }>(
    'SELECT generation::text, part, bytes FROM longshore.base WHERE workspace = $1',
    [workspace],
  );
  for (const { generation, part, bytes } of base)
    texts.push([
      'journal',
      await unseal(key, createJournalBaseAssociatedData(workspace, generation, part), bytes),
    ]);
  const { rows: frames } = await pool.query<{
    generation: string;
    seq: string;
    parts: number;
    mark: Buffer;
    bytes: Buffer;
  }>('SELECT generation::text, seq::text, parts, mark, bytes FROM longshore.frames WHERE workspace = $1', [
    workspace,
  ]);
  for (const { generation, seq, parts, mark, bytes } of frames) {
    const at = { generation, parts, seq: Number(seq) };
    texts.push(['journal', await unsealWalFrames(key, workspace, at, { bytes, mark })]);
  }
  for (const { pipeline, run } of await listSyncStates(pool, workspace)) {
    const bytes = await readStoredSyncState(pool, { workspace, pipeline, key }, run);
    if (bytes !== undefined) texts.push(['sync_state', bytes]);
  }
  for (const table of await clearTables(pool)) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
    texts.push([table, Buffer.from(rows.map(({ row }) => row).join('\n'))]);
  }
  const found = texts.flatMap(([table, bytes]) =>
    words.flatMap((word) => (bytes.includes(word) ? [`${table}: ${word}`] : [])),
  );
  return [...new Set(found)].sort();
}

/** The tables whose rows are in the clear, those of the queue included. */
async function clearTables(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname IN ('longshore', 'longshore_queue') AND tablename NOT IN ('base', 'frames', 'sync_state')`,
  );
  return rows.map(({ name }) => name);
}
