import {
  type Binding,
  beginRun,
  completeExports,
  continueRun,
  type JournalFile,
  type RunRecord,
  recogniseWorkspace,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { discard, type Earlier, earlierOf, stagingPath } from './earlier.ts';
import { readObjects, type WorkspaceObjects } from './fetch/objects.ts';
import { isKeptBack } from './guards.ts';
import type { ExportRequest } from './request.ts';
import { Staging } from './staging/staging.ts';
import { SyncState, syncStateFolder } from './sync-state/sync-state.ts';

/** An export that may begin fetching. */
export interface BegunExport {
  readonly run: RunRecord;
  readonly continued: boolean;
  readonly staging: Staging;
  readonly objects: WorkspaceObjects;
  /** The export that this one follows, where it holds only what is new. */
  readonly follows: RunRecord | undefined;
  readonly before: SyncState | undefined;
  /** The last complete one, whatever it held. */
  readonly lastComplete: RunRecord | undefined;
}

/** The folder where the sync states of a request's pipeline are. */
export function syncFolderOf({ workDir, pipeline, place }: ExportRequest): string {
  return syncStateFolder(workDir, pipeline.pipeline, place);
}

/** What the workspace is known by, and what earlier sessions have left. */
export interface EarlierExports extends Earlier {
  readonly objects: WorkspaceObjects;
  readonly binding: Binding;
  /** Of the other kind: of a compaction beside an export, of an export beside a compaction. */
  readonly beside: Earlier;
}

/** Looks at the workspace and at what is left of the last export and the last compaction of the pipeline. */
export async function inspectWorkspace(
  request: ExportRequest,
  file: JournalFile,
  kind: 'all' | 'compact',
): Promise<EarlierExports> {
  const { pipeline, workspace, place, target } = request;
  const objects = await readObjects(workspace);
  const ids = { users: objects.users.map(({ id }) => id), fields: objects.customFields.map(({ id }) => id) };
  const binding: Binding = {
    kind: 'export',
    pipeline: pipeline.pipeline,
    file: pipeline.file,
    workspace: recogniseWorkspace(file, { place, ...ids }),
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
    ...earlierOf(request, file, binding),
    beside: earlierOf(request, file, other),
  };
}

/** Whether an unfinished export is young enough to be what somebody wants now. */
export function isRecent({ pipeline, clock }: ExportRequest, run: RunRecord): boolean {
  return clock.now() - run.startedAt <= pipeline.export.continueWithin;
}

/** Goes on with the unfinished export, where that is still what is wanted, or begins a new one. */
export function begin(request: ExportRequest, file: JournalFile, found: EarlierExports): BegunExport {
  const { clock, listen } = request;
  const { objects, binding, last, staging } = found;
  const lastComplete = completeExports(file, binding)[0];
  if (last !== undefined && last.state !== 'finished') {
    const why = staging === undefined ? whyGone(last) : whyRestart(request, binding, last);
    const earlier =
      why === undefined && staging !== undefined ? continueEarlier(request, file, last, staging) : undefined;
    if (earlier !== undefined) return { ...earlier, objects, lastComplete };
    if (why !== undefined) listen({ kind: 'note', text: `Run ${last.id} is not continued: ${why}.` });
    staging?.close();
    discard(request, last);
  }
  const run = beginRun(file, binding, clock);
  const fresh = Staging.create(stagingPath(request, run));
  const { follows, before } = toFollow(request, file, binding);
  fresh.state.set({ follows: follows?.id ?? null, order: before?.order() ?? null });
  return { run, continued: false, staging: fresh, objects, follows, before, lastComplete };
}

function whyGone(last: RunRecord): string {
  return isKeptBack(last) ? 'it did not meet `expect`' : 'its fetched data is gone';
}

/** Nothing was changed anywhere by an export that did not end, so starting over costs time and nothing else. */
function whyRestart(request: ExportRequest, binding: Binding, last: RunRecord): string | undefined {
  if (request.fresh) return '--fresh starts a new one';
  if (last.input !== binding.input) {
    if (request.resumed) throw hasChanged(request, last);
    return 'the pipeline has changed';
  }
  if (request.full && !last.full) return '--full starts a new one';
  if (request.resumed || isRecent(request, last)) return undefined;
  return 'it started too long ago (continueWithin)';
}

function hasChanged({ pipeline, command }: ExportRequest, last: RunRecord): FatalError {
  return new FatalError(
    'usage',
    `the pipeline has changed since run ${last.id} started, and that run is not finished.`,
    {
      place: { file: pipeline.file },
      next: `Undo the change and continue, or start a new export: ${command(['export', pipeline.file, '--fresh'])}`,
    },
  );
}

function continueEarlier(
  request: ExportRequest,
  file: JournalFile,
  last: RunRecord,
  staging: Staging,
): Omit<BegunExport, 'objects' | 'lastComplete'> | undefined {
  const { follows } = staging.state.get();
  const run = () => continueRun(file, last);
  if (follows === null)
    return { run: run(), continued: true, staging, follows: undefined, before: undefined };
  const before = follows === undefined ? undefined : SyncState.open(syncFolderOf(request), follows);
  const followed = completeExports(file, last).find(({ id }) => id === follows);
  if (before === undefined || followed === undefined) return undefined;
  return { run: run(), continued: true, staging, follows: followed, before };
}

/** The last complete export whose sync state is there, where the pipeline wants what is new. */
function toFollow(
  request: ExportRequest,
  file: JournalFile,
  binding: Binding,
): { readonly follows: RunRecord | undefined; readonly before: SyncState | undefined } {
  if (!isIncremental(request) || request.full) return { follows: undefined, before: undefined };
  const [run] = completeExports(file, binding);
  const before = run && SyncState.open(syncFolderOf(request), run.id);
  return before === undefined ? { follows: undefined, before } : { follows: run, before };
}

export function isIncremental({ pipeline }: ExportRequest): boolean {
  const { contacts, messages } = pipeline.export;
  return contacts?.incremental === true || messages?.incremental === true;
}
