import { existsSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { endRun, type JournalDatabase, type RunRecord, recordExportCompletion } from '../../journal/index.ts';
import { type Command, hint } from '../../model/command.ts';
import { toIsoTimestamp } from '../../model/contact-record.ts';
import type { LoadedExportSettings } from '../../pipeline/export-settings.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { type BegunExport, isIncrementalExport, resolveSyncStateFolder } from './begin.ts';
import { buildStagingPath } from './earlier.ts';
import {
  listKnownLimitsOfExport,
  type Manifest,
  type ManifestFile,
  manifestFileName,
} from './folder/manifest.ts';
import { buildTemporaryExportPath, expandExportPath, findFreePath } from './folder/names.ts';
import { fillTemporaryFolder, moveIntoPlace, type PublishedExport, tidyExports } from './folder/publish.ts';
import { assertExpectationsMet } from './guards.ts';
import { writeExportFiles } from './render/render.ts';
import { groupTablesByFormat } from './render/tables.ts';
import type { ExportEnd, ExportRequest } from './request.ts';
import type { StagedExport } from './staging/staging.ts';
import { buildSyncStatePath, removeOtherSyncStates } from './sync-state/sync-state.ts';
import { writeSyncState } from './sync-state/write-sync-state.ts';

/**
 * Writes the fetched data into a temporary folder, then the sync state if the pipeline is incremental, and moves the
 * folder into place. Throws a FatalError (guard) if a count fails `expect`, unless `accept` is set.
 */
export async function writeAndPublishExport(
  request: ExportRequest,
  begun: BegunExport,
  more: Pick<Manifest, 'compacted'> = {},
): Promise<PublishedExport> {
  const { stop, listen, pipeline } = request;
  const { run, staging, objects, before } = begun;
  const settings = pipeline.export;
  listen({ kind: 'writing' });
  const folder = chooseFolder(settings, run, staging);
  const part = buildTemporaryExportPath(folder, run.id);
  const groups = groupTablesByFormat(settings, objects.customFields, before === undefined);
  const manifest = await fillTemporaryFolder(part, again(request, run), async () => {
    const files = await writeExportFiles({ staging, before, ...objects }, groups, part, stop.signal);
    const counts = countsOf(staging, settings, files);
    guard(request, begun, counts);
    const made = manifestOf(request, begun, { files, counts, ...more });
    await writeManifest(part, made);
    return made;
  });
  if (isIncrementalExport(request)) {
    const since = computeMessageStatusCutoff(settings, run);
    writeSyncState({
      staging,
      before,
      folder: resolveSyncStateFolder(request),
      run: run.id,
      refreshFrom: since,
    });
  }
  stop.signal.throwIfAborted();
  const place = await putInPlace(settings, begun, part, folder);
  listen({ kind: 'published', folder: place });
  return { folder: place, manifest };
}

/**
 * Moves the folder to the chosen path, or to the next free one if another export has taken it meanwhile; returns its
 * path.
 */
async function putInPlace(
  settings: LoadedExportSettings,
  { run, staging }: BegunExport,
  part: string,
  chosen: string,
): Promise<string> {
  for (let folder = chosen; ; ) {
    try {
      await moveIntoPlace(part, folder);
      return folder;
    } catch (error) {
      const next = findFreePath(expandExportPath(settings.to, run.startedAt, settings.timezone));
      if (next === folder || !existsSync(part)) throw error;
      folder = next;
      noteFolder(staging, folder);
    }
  }
}

/** Returns the command to type after an error: it continues an export, and starts a compaction again. */
function again({ command, pipeline }: ExportRequest, { selection }: RunRecord): Command {
  return command('export', pipeline.file, ...(selection.kind === 'compact' ? ['--compact'] : []));
}

/**
 * Returns the start (Unix seconds) of the period whose message statuses are read again; undefined without `refresh`.
 */
export function computeMessageStatusCutoff(
  { messages }: LoadedExportSettings,
  run: RunRecord,
): number | undefined {
  return messages?.refresh === undefined ? undefined : Math.floor((run.startedAt - messages.refresh) / 1_000);
}

/** Records the folder's path durably before the folder exists, so that the next session finds it after a crash. */
function noteFolder(staging: StagedExport, folder: string): void {
  staging.state.set({ folder });
  staging.settle();
  staging.db.pragma('wal_checkpoint(FULL)');
}

function chooseFolder({ to, timezone }: LoadedExportSettings, run: RunRecord, staging: StagedExport): string {
  const earlier = staging.state.get().folder;
  const folder = findFreePath(expandExportPath(to, run.startedAt, timezone));
  if (earlier !== null && earlier !== folder)
    rmSync(buildTemporaryExportPath(earlier, run.id), { recursive: true, force: true });
  noteFolder(staging, folder);
  return folder;
}

/** Returns the number of records by kind: for contacts, all that were fetched; for other kinds, the records written. */
function countsOf(
  staging: StagedExport,
  { messages }: LoadedExportSettings,
  files: readonly ManifestFile[],
): Readonly<Record<string, number>> {
  const { contacts: _, ...rows } = Object.fromEntries(files.map(({ kind, rows }) => [kind, rows]));
  const { contacts } = staging.counts();
  return { contacts, ...rows, ...(messages !== undefined && { messages: rows.messages ?? 0 }) };
}

function guard(
  { accept, pipeline, command }: ExportRequest,
  { lastComplete }: BegunExport,
  counts: Readonly<Record<string, number>>,
): void {
  if (accept) return;
  const next = hint`Check the workspace; if that is what it contains: ${command('export', pipeline.file, '--accept')}`;
  assertExpectationsMet(pipeline.export, counts, lastComplete?.counts ?? undefined, next);
}

function manifestOf(
  { pipeline, target, version, clock }: ExportRequest,
  { run, staging, follows, before }: BegunExport,
  made: Pick<Manifest, 'files' | 'counts' | 'compacted'>,
): Manifest {
  const { contacts, timezone } = pipeline.export;
  const { moved, ownerless } = staging.state.get();
  const unreadable = staging.unreadable();
  return {
    pipeline: pipeline.pipeline,
    workspace: target,
    run: run.id,
    version,
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: new Date(clock.now()).toISOString(),
    filter: (contacts?.filter ?? []).map((condition) => ({ ...condition })),
    search: contacts?.search ?? null,
    timezone,
    full: before === undefined,
    follows: follows?.folder == null ? null : { run: follows.id, folder: basename(follows.folder) },
    ...made,
    messageSpan: spanOf(staging.messageTimestamps()),
    movedWhileReading: moved,
    goneWhileReading: staging.goneCount(),
    unreadable,
    cannotKnow: listKnownLimitsOfExport(pipeline.export, before !== undefined, ownerless),
  };
}

function spanOf({ from, to }: { from: number | null; to: number | null }): Manifest['messageSpan'] {
  const start = toIsoTimestamp(from);
  const end = toIsoTimestamp(to);
  return start === null || end === null ? null : { from: start, to: end };
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const handle = await open(join(folder, manifestFileName), 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function delivered(
  request: ExportRequest,
  run: RunRecord,
  complete: PublishedExport,
): Promise<PublishedExport> {
  if (request.deliver === undefined) {
    for (const text of await tidyExports(complete, request.pipeline.export.keep))
      request.listen({ kind: 'note', text });
    return complete;
  }
  const syncState = buildSyncStatePath(resolveSyncStateFolder(request), run.id);
  return await request.deliver(run, complete, existsSync(syncState) ? syncState : undefined);
}

/**
 * Finishes a published export: delivers it or, without `deliver`, updates the link `latest` and removes older exports
 * (`keep`). Then records the end in the journal, and removes the staging file and older sync states.
 */
export async function finishExport(
  request: ExportRequest,
  file: JournalDatabase,
  run: RunRecord,
  local: PublishedExport,
): Promise<ExportEnd> {
  const complete = await delivered(request, run, local);
  const { folder, manifest } = complete;
  const exitCode = manifest.unreadable.length > 0 ? 3 : 0;
  const end = { state: 'finished', exitCode, message: null, endedAt: request.clock.now() } as const;
  recordExportCompletion(file, run.number, { counts: manifest.counts, folder });
  endRun(file, run.number, end);
  const syncState = resolveSyncStateFolder(request);
  if (existsSync(syncState)) removeOtherSyncStates(syncState, run.id);
  removeDatabase(buildStagingPath(request, run));
  const ended = { ...run, ...end, counts: manifest.counts, folder };
  return { file, run: ended, exitCode, error: undefined, complete };
}
