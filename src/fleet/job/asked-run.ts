import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { readAnswerListDecisions } from '../../app/import/approvals.ts';
import type { ImportRunOptions } from '../../app/import/import-run.ts';
import { readCommentDecisions } from '../../app/retry/comment-decisions.ts';
import { findLatestRunToRetry } from '../../app/retry/retried-run.ts';
import { withJournal } from '../../app/run/find-run.ts';
import { hasJournal } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import type { FleetKey } from '../crypt/key.ts';
import { readStoredAnswerList } from '../places/stored-list.ts';
import type { PipelineRequest } from '../queue/asked.ts';
import type { JobParameters } from './messages.ts';

/** The options of an import job that a request sets: its rows, and whether it starts over. */
export type RequestedImportOptions = Omit<ImportRunOptions, 'pipelineFile' | 'full'>;

interface ListStore {
  readonly pool: Pool;
  readonly key: FleetKey;
}

/**
 * Returns the import options for the request of a job, or those of a normal run if it has none; undefined if there is
 * nothing to retry.
 */
export async function buildRequestedImportOptions(
  pipeline: LoadedImportPipeline,
  order: Pick<JobParameters, 'asked' | 'onChangedInput' | 'workDir' | 'workspace'>,
  store: ListStore,
): Promise<RequestedImportOptions | undefined> {
  const { asked, onChangedInput } = order;
  switch (asked?.kind) {
    case undefined:
      return { selection: { kind: 'all' }, fresh: onChangedInput === 'delta' ? 'ifChanged' : false };
    case 'continue':
      return { selection: { kind: 'all' }, fresh: asked.with === 'new' ? 'ifChanged' : false };
    case 'deferred':
      return { selection: { kind: 'deferred' }, fresh: 'ifChanged' };
    case 'approve': {
      const approvals = await readAnswerListDecisions(await listOf(asked.list, order, store));
      const { file, fingerprint } = approvals;
      return { selection: { kind: 'approve', file, fingerprint }, approvals, fresh: 'ifChanged' };
    }
    case 'rows':
      return await rowsOf(asked, pipeline, order, store);
  }
}

async function rowsOf(
  { from, decided, resend, removed }: Extract<PipelineRequest, { kind: 'rows' }>,
  { pipeline }: LoadedImportPipeline,
  order: Pick<JobParameters, 'workDir' | 'workspace'>,
  store: ListStore,
): Promise<RequestedImportOptions | undefined> {
  const { workDir } = order;
  if (!hasJournal(workDir)) return undefined;
  const run = withJournal(workDir, (file) => findLatestRunToRetry(file, pipeline));
  if (run === undefined) return undefined;
  const decisions =
    decided === undefined
      ? undefined
      : await readCommentDecisions(await listOf(decided, order, store), run.id, (other) => other);
  return {
    selection: {
      ...{ kind: 'retry', run: run.id, resend },
      ...(from !== undefined && { from: await listOf(from, order, store) }),
      ...(decisions && { decided: { file: decisions.file, fingerprint: decisions.fingerprint } }),
      ...(removed && { removed }),
    },
    ...(decisions && { decisions }),
    fresh: 'ifChanged',
  };
}

/**
 * Returns the local path of a stored list; fetches the list if this machine has no copy. Throws a FatalError (usage) if
 * the list is no longer stored.
 */
async function listOf(
  name: string,
  { workDir, workspace }: Pick<JobParameters, 'workDir' | 'workspace'>,
  { pool, key }: ListStore,
): Promise<string> {
  const folder = join(workDir, 'lists');
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const bytes = await readStoredAnswerList(pool, key, workspace.name, name);
  if (bytes === undefined) {
    throw new FatalError('usage', 'the list that was given is not stored any more.', {
      next: 'A person was forgotten meanwhile, or it was used already: give the list once more.',
    });
  }
  makeOwnerOnlyFolder(folder);
  writeFileSync(path, bytes, { mode: 0o600 });
  return path;
}
