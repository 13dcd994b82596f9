import { readFileSync } from 'node:fs';
import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import type { FleetKey } from '../crypt/key.ts';
import { seal, unseal } from '../crypt/seal.ts';
import { inTransaction } from '../database/migrate.ts';
import { sealedPart, selectRows } from '../database/rows.ts';
import { leaseLost } from '../lease/lease-end.ts';
import type { Delivery } from './place.ts';

/** Whose exports, and under which lease. */
export interface DeliveryHolder {
  readonly workspace: string;
  readonly pipeline: string;
  readonly token: string;
  readonly key: FleetKey;
}

const deliveryRow = z.object({
  run: z.string(),
  token: z.string(),
  folder: z.string(),
  name: z.string(),
  /** What the journal notes of the run once it is complete. */
  counts: z.record(z.string(), z.number()),
  exitCode: z.int(),
  complete: z.boolean(),
});

/** An export that was delivered, or is on its way. */
export type DeliveryRecord = Readonly<z.output<typeof deliveryRow>>;

/** A part of a sync state that one row holds. */
const partBytes = 1024 * 1024;

/**
 * Works in a transaction that blocks every other holder from taking the lease. Throws where the lease is not this holder's any
 * more. A process that hangs in it is cut off after the time of a lease.
 */
export async function inFencedTransaction<T>(
  pool: Pool,
  { workspace, token }: Pick<DeliveryHolder, 'workspace' | 'token'>,
  leaseMs: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return await inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(leaseMs)}`);
    const { rowCount } = await client.query(
      'SELECT 1 FROM longshore.holder WHERE workspace = $1 AND token = $2 AND NOT released FOR SHARE',
      [workspace, token],
    );
    if (rowCount !== 1) throw leaseLost();
    return await work(client);
  });
}

/** Returns the deliveries of a pipeline's exports, complete and incomplete ones. */
export async function deliveriesOf(
  pool: Pool,
  { workspace, pipeline }: DeliveryHolder,
): Promise<readonly DeliveryRecord[]> {
  return await selectRows(
    pool,
    deliveryRow,
    `SELECT run, token::text, folder, name, counts, exit_code AS "exitCode", complete FROM longshore.delivery
     WHERE workspace = $1 AND pipeline = $2 ORDER BY run`,
    [workspace, pipeline],
  );
}

/** Notes a delivery before anything of it is in its place, with the sync state that is true once it is there. */
export async function noteDelivery(
  client: PoolClient,
  { workspace, pipeline, token, key }: DeliveryHolder,
  { run, folder, name, counts, exitCode }: Omit<DeliveryRecord, 'complete' | 'token'>,
  syncState: string | undefined,
): Promise<void> {
  await client.query(
    `INSERT INTO longshore.delivery (workspace, pipeline, run, token, folder, name, counts, exit_code, complete)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false)`,
    [workspace, pipeline, run, token, folder, name, JSON.stringify(counts), exitCode],
  );
  if (syncState !== undefined)
    await writeSyncState(client, { workspace, pipeline, run, token, key }, syncState);
}

const syncStateName = z.object({ pipeline: z.string(), run: z.string() });

/** A sync state by its names. */
export type SyncStateName = Readonly<z.output<typeof syncStateName>>;

/** Returns the names of the stored sync states of a workspace. */
export async function syncStatesOf(pool: Pool, workspace: string): Promise<readonly SyncStateName[]> {
  return await selectRows(
    pool,
    syncStateName,
    'SELECT DISTINCT pipeline, run FROM longshore.sync_state WHERE workspace = $1 ORDER BY pipeline, run',
    [workspace],
  );
}

/** Replaces a stored sync state by the file at `path`. */
export async function replaceSyncState(
  client: PoolClient,
  state: DeliveryHolder & SyncStateName,
  path: string,
): Promise<void> {
  await client.query('DELETE FROM longshore.sync_state WHERE workspace = $1 AND pipeline = $2 AND run = $3', [
    state.workspace,
    state.pipeline,
    state.run,
  ]);
  await writeSyncState(client, state, path);
}

async function writeSyncState(
  client: PoolClient,
  { workspace, pipeline, run, token, key }: DeliveryHolder & SyncStateName,
  path: string,
): Promise<void> {
  const bytes = readFileSync(path);
  for (let part = 0; part * partBytes < bytes.length; part += 1) {
    const plain = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await client.query(
      'INSERT INTO longshore.sync_state (workspace, pipeline, run, part, token, bytes) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        workspace,
        pipeline,
        run,
        part,
        token,
        await seal(key, sealedPlace(workspace, pipeline, run, part), plain),
      ],
    );
  }
}

/** Marks a delivery as complete, and removes the records of earlier ones. */
export async function completeDelivery(
  client: PoolClient,
  { workspace, pipeline }: DeliveryHolder,
  { run }: Pick<Delivery, 'run'>,
): Promise<void> {
  await client.query(
    'UPDATE longshore.delivery SET complete = true WHERE workspace = $1 AND pipeline = $2 AND run = $3',
    [workspace, pipeline, run],
  );
  for (const table of ['delivery', 'sync_state'])
    await client.query(
      `DELETE FROM longshore.${table} WHERE workspace = $1 AND pipeline = $2 AND run <> $3`,
      [...[workspace, pipeline, run]],
    );
}

/** Removes the record of a delivery that was given up. */
export async function dropDelivery(
  client: PoolClient,
  { workspace, pipeline }: DeliveryHolder,
  { run }: Pick<Delivery, 'run'>,
): Promise<void> {
  for (const table of ['delivery', 'sync_state'])
    await client.query(`DELETE FROM longshore.${table} WHERE workspace = $1 AND pipeline = $2 AND run = $3`, [
      ...[workspace, pipeline, run],
    ]);
}

/** Returns the sync state of a run; undefined where it has none. */
export async function storedSyncState(
  pool: Pool,
  { workspace, pipeline, key }: Omit<DeliveryHolder, 'token'>,
  run: string,
): Promise<Buffer | undefined> {
  const rows = await selectRows(
    pool,
    sealedPart,
    'SELECT part, bytes FROM longshore.sync_state WHERE workspace = $1 AND pipeline = $2 AND run = $3 ORDER BY part',
    [workspace, pipeline, run],
  );
  if (rows.length === 0) return undefined;
  const parts = rows.map(({ part, bytes }) =>
    unseal(key, sealedPlace(workspace, pipeline, run, part), bytes),
  );
  return Buffer.concat(await Promise.all(parts));
}

function sealedPlace(...[workspace, ...where]: readonly [string, string, string, number]) {
  return ['the sync state', workspace, ...where] as const;
}
