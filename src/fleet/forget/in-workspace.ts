import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import {
  type ForgetOptions,
  type ForgetResult,
  forgetPersonInWorkDir,
  type PersonSearchResult,
} from '../../app/forget/forget.ts';
import type { Invocation } from '../../app/run/command-line.ts';
import { createIdentifierRedactor, type PersonQuery } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import type { FleetKey } from '../crypt/key.ts';
import type { Lease } from '../lease/lease.ts';
import {
  inFencedTransaction,
  listSyncStates,
  readStoredSyncState,
  replaceSyncState,
  type SyncStateId,
} from '../places/delivery-record.ts';
import type { ResultStorage } from '../places/place.ts';
import { restoreJournal } from '../ship/restore.ts';
import { rewriteShippedJournal } from '../ship/ship.ts';
import { findShippedJournal } from '../ship/shipped.ts';
import { fetchStoredResults, updateStoredResults } from './results.ts';
import { forgetPersonInJobResults } from './stored-texts.ts';

/** The person to forget, and the database, storage and key to work with. */
export interface FleetForgetContext {
  readonly pool: Pool;
  readonly key: FleetKey;
  readonly clock: Clock;
  readonly invocation: Invocation;
  readonly asked: PersonQuery;
  readonly leaseMs: number;
  /** The storage of the runs' results; undefined if the fleet has none. */
  readonly results: ResultStorage | undefined;
  /** Aborts when the command is stopped. */
  readonly stop: AbortSignal;
}

/** Finds a person in the stored journal of a workspace, without changing anything; undefined if there is no journal. */
export async function findPersonInWorkspace(
  forgetting: FleetForgetContext,
  workspace: string,
): Promise<PersonSearchResult | undefined> {
  const { pool, key, asked, clock, invocation } = forgetting;
  return await inPrivateFolder(async (workDir) => {
    if (!(await restoreJournal(pool, workspace, workDir, key))) return undefined;
    await fetchSyncStates(forgetting, workspace, workDir);
    let found: PersonSearchResult | undefined;
    await forgetPersonInWorkDir({
      ...{ workDir, invocation: { ...invocation, workDir }, asked, clock },
      confirm(person) {
        found = known(person, asked, workspace);
        return Promise.resolve(false);
      },
    });
    return found;
  });
}

/**
 * Removes a person from the journal, sync states, results and job results of a workspace, under its lease, and deletes
 * its filled-in lists. Returns undefined if the workspace has no stored journal: then only the lists, and the e-mail
 * address or phone of the query in job results, are removed. After an error the person may remain, and the call must be
 * repeated.
 */
export async function forgetPersonInWorkspace(
  forgetting: FleetForgetContext,
  { workspace, token, lost }: Lease,
): Promise<ForgetResult | undefined> {
  const { pool, key, asked, clock, leaseMs, stop } = forgetting;
  const signal = AbortSignal.any([lost, stop]);
  const holding = { workspace, token, key };
  if ((await findShippedJournal({ pool, clock, signal }, workspace, key)) === undefined) {
    await inFencedTransaction(pool, holding, leaseMs, async (client) => {
      // An incomplete first base, left by a holder that died: it is never read.
      await client.query('DELETE FROM longshore.base WHERE workspace = $1', [workspace]);
      await forgetPersonWithoutJournal(client, workspace, asked);
    });
    return undefined;
  }
  return await inPrivateFolder((workDir) =>
    rewriteShippedJournal(pool, workDir, { ...holding, clock, signal }, async () => {
      const states = await fetchSyncStates(forgetting, workspace, workDir);
      const results = await fetchStoredResults(forgetting.results, workspace, workDir);
      const elsewhere: ForgetOptions['elsewhere'] = async (without) => {
        await updateStoredResults(forgetting.results, results, without);
        await inFencedTransaction(pool, holding, leaseMs, async (client) => {
          for (const [name, path] of states) await replaceSyncState(client, { ...holding, ...name }, path);
          await forgetPersonInJobResults(client, workspace, without);
          await client.query(
            'UPDATE longshore.holder SET forgotten = forgotten || gen_random_uuid()::text WHERE workspace = $1',
            [workspace],
          );
          await removeAnswerLists(client, workspace);
        });
      };
      const confirm = (person: PersonSearchResult) => {
        known(person, asked, workspace);
        return Promise.resolve(true);
      };
      const forgotten = await forgetPersonInWorkDir({
        ...{ workDir, invocation: { ...forgetting.invocation, workDir }, asked, clock, confirm, elsewhere },
      });
      if (forgotten === undefined) throw new Error('it was not confirmed');
      // Report pages are rewritten last, from the journal.
      await updateStoredResults(forgetting.results, results, () => null);
      return forgotten;
    }),
  );
}

/**
 * Deletes the filled-in lists of a workspace that has no journal, and removes the e-mail address or phone of a query
 * from its job results; without a journal, no other identifiers of the person are known.
 */
export async function forgetPersonWithoutJournal(
  client: PoolClient,
  workspace: string,
  { kind, value }: PersonQuery,
): Promise<void> {
  if (kind === 'email' || kind === 'phone')
    await forgetPersonInJobResults(client, workspace, createIdentifierRedactor([`${kind}:${value}`]));
  await removeAnswerLists(client, workspace);
}

/** Removes the filled-in lists of a workspace, because they may name the person; users have to submit them again. */
async function removeAnswerLists(client: PoolClient, workspace: string): Promise<void> {
  await client.query('DELETE FROM longshore.list WHERE workspace = $1', [workspace]);
}

/** Writes the stored sync states of a workspace into a work dir; returns their names and paths. */
async function fetchSyncStates(
  { pool, key }: FleetForgetContext,
  workspace: string,
  workDir: string,
): Promise<readonly (readonly [SyncStateId, string])[]> {
  const states: (readonly [SyncStateId, string])[] = [];
  for (const name of await listSyncStates(pool, workspace)) {
    const bytes = await readStoredSyncState(pool, { workspace, pipeline: name.pipeline, key }, name.run);
    if (bytes === undefined) continue;
    const path = join(workDir, 'exports', name.pipeline, `${name.run}.db`);
    makeOwnerOnlyFolder(dirname(path));
    writeFileSync(path, bytes, { mode: 0o600 });
    states.push([name, path]);
  }
  return states;
}

/** Returns the person; throws a FatalError (usage) for an unknown key or id. */
function known(
  person: PersonSearchResult,
  { kind, value }: PersonQuery,
  workspace: string,
): PersonSearchResult {
  if (person.known !== 'unknown' || kind === 'email' || kind === 'phone') return person;
  throw new FatalError('usage', `there is no person ${kind}:${value} in what is stored of ${workspace}.`, {
    next: 'Name them by their e-mail address or phone, or look at the key or id once more.',
  });
}

/** Runs `work` in a private temporary folder, which is removed afterwards, also at the exit of the process. */
async function inPrivateFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-forget-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
