import { readFileSync } from 'node:fs';
import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import type { FleetKey } from '../crypt/key.ts';
import { seal, unseal } from '../crypt/seal.ts';
import { inTransaction } from '../database/migrate.ts';
import { sealedPartRowSchema, selectRows } from '../database/rows.ts';
import { createLeaseLostError } from '../lease/lease-end.ts';
import type { Delivery } from './place.ts';

/**
 * The workspace and pipeline of deliveries, and the lease token and encryption key with which their records
 * are stored.
 */
export interface DeliveryScope {
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
  /** The counts that the journal saves once the delivery is complete. */
  counts: z.record(z.string(), z.number()),
  exitCode: z.int(),
  complete: z.boolean(),
});

/** The record of a delivery, complete or in progress. */
export type DeliveryRecord = Readonly<z.output<typeof deliveryRow>>;

/** The maximum number of bytes of a sync state that one row stores. */
const partBytes = 1024 * 1024;

/**
 * Runs `work` in a transaction during which no other holder can take the lease; throws a FatalError (locked) if the
 * lease is lost. The database ends the transaction if it is idle for `leaseMs`.
 */
export async function inFencedTransaction<T>(
  pool: Pool,
  { workspace, token }: Pick<DeliveryScope, 'workspace' | 'token'>,
  leaseMs: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return await inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(leaseMs)}`);
    const { rowCount } = await client.query(
      'SELECT 1 FROM longshore.holder WHERE workspace = $1 AND token = $2 AND NOT released FOR SHARE',
      [workspace, token],
    );
    if (rowCount !== 1) throw createLeaseLostError();
    return await work(client);
  });
}

/** Returns the deliveries of a pipeline's exports, complete and incomplete ones. */
export async function listDeliveries(
  pool: Pool,
  { workspace, pipeline }: DeliveryScope,
): Promise<readonly DeliveryRecord[]> {
  return await selectRows(
    pool,
    deliveryRow,
    `SELECT run, token::text, folder, name, counts, exit_code AS "exitCode", complete FROM longshore.delivery
     WHERE workspace = $1 AND pipeline = $2 ORDER BY run`,
    [workspace, pipeline],
  );
}

/**
 * Saves the record of a delivery; must be called before the first file is copied. `syncState` is the path of the sync
 * state that is valid once the export is published; undefined for an export without one.
 */
export async function recordDelivery(
  client: PoolClient,
  { workspace, pipeline, token, key }: DeliveryScope,
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

/** The pipeline and run of a stored sync state. */
export type SyncStateId = Readonly<z.output<typeof syncStateName>>;

/** Returns the pipelines and runs of the stored sync states of a workspace. */
export async function listSyncStates(pool: Pool, workspace: string): Promise<readonly SyncStateId[]> {
  return await selectRows(
    pool,
    syncStateName,
    'SELECT DISTINCT pipeline, run FROM longshore.sync_state WHERE workspace = $1 ORDER BY pipeline, run',
    [workspace],
  );
}

/** Replaces a stored sync state with the file at `path`. */
export async function replaceSyncState(
  client: PoolClient,
  state: DeliveryScope & SyncStateId,
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
  { workspace, pipeline, run, token, key }: DeliveryScope & SyncStateId,
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

/** Marks a delivery as complete, and removes the records and sync states of the pipeline's other deliveries. */
export async function markDeliveryComplete(
  client: PoolClient,
  { workspace, pipeline }: DeliveryScope,
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

/** Removes the record and the sync state of an abandoned delivery. */
export async function removeDeliveryRecord(
  client: PoolClient,
  { workspace, pipeline }: DeliveryScope,
  { run }: Pick<Delivery, 'run'>,
): Promise<void> {
  for (const table of ['delivery', 'sync_state'])
    await client.query(`DELETE FROM longshore.${table} WHERE workspace = $1 AND pipeline = $2 AND run = $3`, [
      ...[workspace, pipeline, run],
    ]);
}

/** Returns the stored sync state of a run, decrypted; undefined for none. */
export async function readStoredSyncState(
  pool: Pool,
  { workspace, pipeline, key }: Omit<DeliveryScope, 'token'>,
  run: string,
): Promise<Buffer | undefined> {
  const rows = await selectRows(
    pool,
    sealedPartRowSchema,
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
