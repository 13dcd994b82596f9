import { isAbsolute, resolve } from 'node:path';
import type { Pool } from 'pg';
import * as z from 'zod';
import type { ForgetResult, PersonSearchResult } from '../../app/forget/forget.ts';
import { formatErrorNextStep, type Invocation } from '../../app/run/command-line.ts';
import { getErrorExitCode } from '../../app/run/exit-code.ts';
import { readEnvVariable } from '../../app/run/variables.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import { inTransaction } from '../database/migrate.ts';
import { nameRowSchema, selectRows } from '../database/rows.ts';
import { storageLocationSchema } from '../fleet-file/places-schema.ts';
import { type LeaseDurations, startRenewingLease, tryTakeLease } from '../lease/lease.ts';
import { assertStorageUsable, openResultStorage } from '../places/open-place.ts';
import type { ResultStorage } from '../places/place.ts';
import {
  type FleetForgetContext,
  findPersonInWorkspace,
  forgetPersonInWorkspace,
  forgetPersonWithoutJournal,
} from './in-workspace.ts';

/** The result of finding or forgetting a person in a workspace of the fleet. */
export type WorkspaceForgetResult = { readonly workspace: string } & (
  | ({ readonly state: 'found' } & PersonSearchResult)
  | ({ readonly state: 'forgotten' } & ForgetResult)
  /** The database has no journal of the workspace. */
  | { readonly state: 'nothing' }
  /** A job holds the lease on the workspace. */
  | { readonly state: 'busy' }
  | {
      readonly state: 'failed';
      readonly exitCode: number;
      readonly message: string;
      readonly next: string | null;
    }
);

/**
 * Returns the names of the workspaces of the fleet, and of those that left it but still have a stored journal or sync
 * state; with `named`, only that one. Throws a FatalError (usage) for an unknown name.
 */
export async function listStoredWorkspaces(
  pool: Pool,
  named: string | undefined,
): Promise<readonly string[]> {
  const rows = await selectRows(
    pool,
    nameRowSchema,
    `SELECT name FROM longshore.workspace UNION SELECT workspace FROM longshore.base
     UNION SELECT workspace FROM longshore.frames UNION SELECT workspace FROM longshore.sync_state ORDER BY name`,
  );
  const known = rows.map(({ name }) => name);
  if (named === undefined) return known;
  if (known.includes(named)) return [named];
  const hint = formatDidYouMean(named, known) || '.';
  throw new FatalError('usage', `there is no workspace ${JSON.stringify(named)}${hint}`);
}

/**
 * Removes a person from what is stored of workspaces that have left the fleet without a journal: their filled-in lists,
 * and job results that have the e-mail address or phone of the query. `known` are all other workspaces.
 */
export async function forgetPersonInFormerWorkspaces(
  { pool, asked }: FleetForgetContext,
  known: readonly string[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const former = await selectRows(
      client,
      nameRowSchema,
      `SELECT name FROM (SELECT workspace AS name FROM longshore.list UNION SELECT workspace FROM longshore.attempt) AS of
       WHERE NOT name = ANY($1)`,
      [known],
    );
    for (const { name } of former) await forgetPersonWithoutJournal(client, name, asked);
  });
}

/** Finds a person in workspaces, without changing anything. */
export async function findPersonInWorkspaces(
  forgetting: FleetForgetContext,
  workspaces: readonly string[],
): Promise<readonly WorkspaceForgetResult[]> {
  const found: WorkspaceForgetResult[] = [];
  for (const workspace of workspaces) {
    forgetting.stop.throwIfAborted();
    found.push(
      await settled(workspace, forgetting, async () => {
        const person = await findPersonInWorkspace(forgetting, workspace);
        return person === undefined
          ? { workspace, state: 'nothing' }
          : { workspace, state: 'found', ...person };
      }),
    );
  }
  return found;
}

/** The time between two attempts at busy workspaces (ms). */
const lookMs = 500;

/**
 * Removes a person from workspaces, each under its lease. If another holder has the lease, the workspace is retried for
 * as long as the lease of a dead worker could last; after that its result is `busy`.
 */
export async function forgetPersonInWorkspaces(
  forgetting: FleetForgetContext,
  workspaces: readonly string[],
  holder: string,
  times: LeaseDurations,
): Promise<readonly WorkspaceForgetResult[]> {
  const { clock, stop } = forgetting;
  const done = new Map<string, WorkspaceForgetResult>();
  const until = clock.now() + times.leaseMs + times.settleMs + 2 * lookMs;
  for (;;) {
    for (const workspace of workspaces) {
      stop.throwIfAborted();
      if (done.has(workspace)) continue;
      const outcome = await settled(workspace, forgetting, () =>
        underLease(forgetting, workspace, holder, times),
      );
      if (outcome.state !== 'busy') done.set(workspace, outcome);
    }
    if (done.size === workspaces.length || clock.now() >= until) break;
    await clock.sleep(lookMs, stop);
  }
  return workspaces.map((workspace) => done.get(workspace) ?? { workspace, state: 'busy' });
}

async function underLease(
  forgetting: FleetForgetContext,
  workspace: string,
  holder: string,
  times: LeaseDurations,
): Promise<WorkspaceForgetResult> {
  const { pool, clock } = forgetting;
  const lease = await tryTakeLease(pool, workspace, holder, times, { clock });
  if (lease === undefined) return { workspace, state: 'busy' };
  const stopKeeping = startRenewingLease(lease, times, { clock });
  try {
    const forgotten = await forgetPersonInWorkspace(forgetting, lease);
    return forgotten === undefined
      ? { workspace, state: 'nothing' }
      : { workspace, state: 'forgotten', ...forgotten };
  } finally {
    await stopKeeping();
    // Nothing was sent, so the next holder need not wait. If the database does not answer, the lease expires.
    await lease.release().catch(() => undefined);
  }
}

/**
 * Returns an error as the state `failed`, so that the other workspaces continue; throws if the command was interrupted.
 */
async function settled(
  workspace: string,
  { invocation }: FleetForgetContext,
  work: () => Promise<WorkspaceForgetResult>,
): Promise<WorkspaceForgetResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FatalError && error.reason === 'interrupted') throw error;
    const message = error instanceof Error ? error.message : String(error);
    const next = error instanceof FatalError ? (formatErrorNextStep(error, invocation) ?? null) : null;
    return { workspace, state: 'failed', exitCode: getErrorExitCode(error), message, next };
  }
}

/**
 * Opens the result storage of the applied fleet; a relative path is resolved against the current folder. Returns
 * undefined if the fleet has no result storage. Throws a FatalError (usage) if this machine cannot access it, because
 * the person's data would remain in it.
 */
export async function openFleetResultStorage(
  pool: Pool,
  invocation: Invocation,
  signal: AbortSignal,
): Promise<ResultStorage | undefined> {
  const [fleet] = await selectRows(
    pool,
    z.object({ results: storageLocationSchema.nullable() }),
    "SELECT places->'results' AS results FROM longshore.fleet",
  );
  const applied = fleet?.results;
  if (applied == null) return undefined;
  const place = applied.kind === 'folder' ? { ...applied, path: resolve(applied.path) } : applied;
  const variable = (name: string) => readEnvVariable(name, invocation);
  const ports = { clock: systemClock, randomness: systemRandomness, signal, variable };
  try {
    await assertStorageUsable('results', place, ports);
    return await openResultStorage(place, ports);
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    const isRelative = applied.kind === 'folder' && !isAbsolute(applied.path);
    throw new FatalError('usage', `the results of the fleet cannot be reached from here: ${error.message}`, {
      place: error.place,
      next: isRelative
        ? 'Type the same command in the folder of fleet.yaml, on a machine that has the place.'
        : error.next,
      cause: error,
    });
  }
}
