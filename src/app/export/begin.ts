import {
  beginRun,
  type JournalDatabase,
  listCompleteExports,
  markRunRunning,
  type RunBinding,
  type RunRecord,
  registerWorkspace,
} from '../../journal/index.ts';
import { hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { buildStagingPath, discardExport, type ExportLeftovers, findExportLeftovers } from './earlier.ts';
import { readUsersAndFields, type UsersAndFields } from './fetch/objects.ts';
import { readManifest } from './folder/manifest.ts';
import { isStoppedByExpectation } from './guards.ts';
import type { ExportRequest } from './request.ts';
import { StagedExport } from './staging/staging.ts';
import { buildSyncStateFolderPath, SyncState } from './sync-state/sync-state.ts';

/** A new or continued export, with its staging file, before this session fetches anything. */
export interface BegunExport {
  readonly run: RunRecord;
  readonly continued: boolean;
  readonly staging: StagedExport;
  readonly objects: UsersAndFields;
  /** The previous export, for an incremental export; undefined for a full one. */
  readonly follows: RunRecord | undefined;
  readonly before: SyncState | undefined;
  /** The last complete export of the pipeline, full or incremental. */
  readonly lastComplete: RunRecord | undefined;
}

/** Returns the folder with the sync states of the request's pipeline and workspace. */
export function resolveSyncStateFolder({ workDir, pipeline, place }: ExportRequest): string {
  return buildSyncStateFolderPath(workDir, pipeline.pipeline, place);
}

/** The workspace's users and custom fields, and the leftovers of the pipeline's last export and last compaction. */
export interface ExportInspection extends ExportLeftovers {
  readonly objects: UsersAndFields;
  readonly binding: RunBinding;
  /** For an export, the leftovers of the last compaction; for a compaction, those of the last export. */
  readonly beside: ExportLeftovers;
}

/**
 * Reads users and custom fields, registers the workspace in the journal, and finds the leftovers of the pipeline's
 * last export and last compaction.
 */
export async function inspectBeforeExport(
  request: ExportRequest,
  file: JournalDatabase,
  kind: 'all' | 'compact',
): Promise<ExportInspection> {
  const { pipeline, workspace, place, target } = request;
  const objects = await readUsersAndFields(workspace);
  const ids = { users: objects.users.map(({ id }) => id), fields: objects.customFields.map(({ id }) => id) };
  const binding: RunBinding = {
    kind: 'export',
    pipeline: pipeline.pipeline,
    file: pipeline.file,
    workspace: registerWorkspace(file, { place, ...ids }),
    target,
    mapping: '',
    memory: '',
    input: pipeline.fingerprint,
    inputName: pipeline.file,
    items: 0,
    selection: { kind },
    full: request.full,
  };
  const other = { ...binding, selection: { kind: kind === 'all' ? 'compact' : 'all' } as const };
  return {
    objects,
    binding,
    ...findExportLeftovers(request, file, binding),
    beside: findExportLeftovers(request, file, other),
  };
}

/** Returns true if the export started no longer ago than the pipeline's `continueWithin`. */
export function isWithinContinueWindow({ pipeline, clock }: ExportRequest, run: RunRecord): boolean {
  return clock.now() - run.startedAt <= pipeline.export.continueWithin;
}

/**
 * Continues the unfinished export, if there is one that still matches the request; otherwise discards it and starts a
 * new run. Throws a FatalError (usage) if a resumed export's pipeline has changed.
 */
export function beginExport(
  request: ExportRequest,
  file: JournalDatabase,
  found: ExportInspection,
): BegunExport {
  const { clock, listen } = request;
  const { objects, binding, last, staging } = found;
  const lastComplete = listCompleteExports(file, binding)[0];
  if (last !== undefined && last.state !== 'finished') {
    const why = staging === undefined ? whyGone(last) : whyRestart(request, binding, last);
    const earlier =
      why === undefined && staging !== undefined ? continueEarlier(request, file, last, staging) : undefined;
    if (earlier !== undefined) return { ...earlier, objects, lastComplete };
    if (why !== undefined) listen({ kind: 'note', text: `Run ${last.id} is not continued: ${why}.` });
    staging?.close();
    discardExport(request, last);
  }
  const run = beginRun(file, binding, clock);
  const fresh = StagedExport.create(buildStagingPath(request, run));
  const { follows, before } = toFollow(request, file, binding);
  fresh.state.set({ follows: follows?.id ?? null, order: before?.order() ?? null });
  if (follows !== undefined && wasMovedAway(request, follows))
    listen({
      kind: 'note',
      text: `The export that this one follows is not in ${follows.folder} any more: this one has only what is new since then. --full exports everything again.`,
    });
  return { run, continued: false, staging: fresh, objects, follows, before, lastComplete };
}

function whyGone(last: RunRecord): string {
  return isStoppedByExpectation(last) ? 'it did not meet `expect`' : 'its fetched data is gone';
}

/**
 * Returns the reason to start over, in a clause; undefined to continue. Starting over costs only time, because an
 * unfinished export has published nothing. Throws a FatalError (usage) if a resumed export's pipeline has changed.
 */
function whyRestart(request: ExportRequest, binding: RunBinding, last: RunRecord): string | undefined {
  if (request.fresh) return '--fresh starts a new one';
  if (last.input !== binding.input) {
    if (request.resumed) throw hasChanged(request, last);
    return 'the pipeline has changed';
  }
  if (request.full && !last.full) return '--full starts a new one';
  if (request.resumed || isWithinContinueWindow(request, last)) return undefined;
  return 'it started too long ago (continueWithin)';
}

function hasChanged({ pipeline, command }: ExportRequest, last: RunRecord): FatalError {
  return new FatalError(
    'usage',
    `the pipeline has changed since run ${last.id} started, and that run is not finished.`,
    {
      place: { file: pipeline.file },
      next: hint`Undo the change and continue, or start a new export: ${command('export', pipeline.file, '--fresh')}`,
    },
  );
}

function continueEarlier(
  request: ExportRequest,
  file: JournalDatabase,
  last: RunRecord,
  staging: StagedExport,
): Omit<BegunExport, 'objects' | 'lastComplete'> | undefined {
  const { follows } = staging.state.get();
  const run = () => markRunRunning(file, last);
  if (follows === null)
    return { run: run(), continued: true, staging, follows: undefined, before: undefined };
  const before = follows === undefined ? undefined : SyncState.open(resolveSyncStateFolder(request), follows);
  const followed = listCompleteExports(file, last).find(({ id }) => id === follows);
  if (before === undefined || followed === undefined) return undefined;
  return { run: run(), continued: true, staging, follows: followed, before };
}

/**
 * Returns the last complete export and its sync state, if the export is incremental and both exist; undefined for both
 * otherwise.
 */
function toFollow(
  request: ExportRequest,
  file: JournalDatabase,
  binding: RunBinding,
): { readonly follows: RunRecord | undefined; readonly before: SyncState | undefined } {
  if (!isIncrementalExport(request) || request.full) return { follows: undefined, before: undefined };
  const [run] = listCompleteExports(file, binding);
  const before = run && SyncState.open(resolveSyncStateFolder(request), run.id);
  return before === undefined ? { follows: undefined, before } : { follows: run, before };
}

/** Returns true if the folder of a complete export has it no more; of one that was delivered elsewhere nothing is known. */
function wasMovedAway({ deliver }: ExportRequest, { id, folder }: RunRecord): boolean {
  return deliver === undefined && folder !== null && readManifest(folder)?.run !== id;
}

export function isIncrementalExport({ pipeline }: ExportRequest): boolean {
  const { contacts, messages } = pipeline.export;
  return contacts?.incremental === true || messages?.incremental === true;
}
