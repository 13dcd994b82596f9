import type { Pool, PoolClient } from 'pg';
import type { FleetKey } from '../crypt/key.ts';
import { seal, unseal } from '../crypt/seal.ts';
import { sealedPartRowSchema, selectRows } from '../database/rows.ts';

/** The maximum number of bytes of a list that one row stores. */
const partBytes = 1024 * 1024;

const sealedPlace = (...[workspace, name, part]: readonly [string, string, number]) =>
  ['the list', workspace, name, part] as const;

/** Stores a filled-in list, encrypted; `removeUnusedAnswerLists` removes it once no job or request refers to it. */
export async function storeAnswerList(
  client: PoolClient,
  key: FleetKey,
  { workspace, name, bytes }: { readonly workspace: string; readonly name: string; readonly bytes: Buffer },
): Promise<void> {
  for (let part = 0; part * partBytes < bytes.length; part += 1) {
    const plain = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await client.query('INSERT INTO longshore.list (workspace, name, part, bytes) VALUES ($1, $2, $3, $4)', [
      ...[workspace, name, part],
      await seal(key, sealedPlace(workspace, name, part), plain),
    ]);
  }
}

/** Returns a stored list, decrypted; undefined if it is no longer stored. */
export async function readStoredAnswerList(
  pool: Pool,
  key: FleetKey,
  workspace: string,
  name: string,
): Promise<Buffer | undefined> {
  const rows = await selectRows(
    pool,
    sealedPartRowSchema,
    'SELECT part, bytes FROM longshore.list WHERE workspace = $1 AND name = $2 ORDER BY part',
    [workspace, name],
  );
  if (rows.length === 0) return undefined;
  const parts = rows.map(({ part, bytes }) => unseal(key, sealedPlace(workspace, name, part), bytes));
  return Buffer.concat(await Promise.all(parts));
}
