import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import {
  beginRun,
  type JournalDatabase,
  listCompleteExports,
  type RunRecord,
} from '../../../journal/index.ts';
import { hint } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { getMessageTimestamp } from '../../../model/message.ts';
import { queryPageSize } from '../../../storage/pages.ts';
import { messageSchema } from '../../../workspace/index.ts';
import { type BegunExport, type ExportInspection, resolveSyncStateFolder } from '../begin.ts';
import { buildStagingPath } from '../earlier.ts';
import { fetchClosingNotesAndTemplates } from '../fetch/objects.ts';
import { type Manifest, readManifest } from '../folder/manifest.ts';
import { type LosslessRecord, parseContact } from '../records/records.ts';
import { computeSizeAndSha256, getExporter } from '../render/render.ts';
import type { ExportRequest } from '../request.ts';
import { StagedExport, type StagedMessage } from '../staging/staging.ts';
import { SyncState } from '../sync-state/sync-state.ts';

interface Link {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** A compaction: the run of the new full export, and the exports that it combines. */
export interface Compaction {
  readonly begun: BegunExport;
  /** The exports to combine: the last full one, then its increments up to the newest. */
  readonly chain: readonly Link[];
  /** The sync state of the newest export in `chain`. */
  readonly syncState: SyncState;
}

/**
 * Starts the run that combines the last full export and its increments; throws a FatalError if one of them is missing.
 */
export function beginCompaction(
  request: ExportRequest,
  file: JournalDatabase,
  found: ExportInspection,
): Compaction {
  const { pipeline, clock } = request;
  const complete = listCompleteExports(file, found.binding);
  const [newest] = complete;
  const syncState = newest && SyncState.open(resolveSyncStateFolder(request), newest.id);
  if (newest?.folder == null || syncState === undefined) {
    throw new FatalError('usage', `there is no incremental export of "${pipeline.pipeline}" to combine.`, {
      place: { file: pipeline.file },
      next: hint`Run one first: ${request.command('export', pipeline.file)}`,
    });
  }
  const chain = chainOf(request, complete, newest.folder);
  const run = beginRun(file, { ...found.binding, full: true }, clock);
  const staging = StagedExport.create(buildStagingPath(request, run));
  const { objects } = found;
  const begun = {
    run,
    continued: false,
    staging,
    objects,
    follows: undefined,
    before: undefined,
    lastComplete: newest,
  };
  return { begun, chain, syncState };
}

/** Returns the exports from the last full one to the newest, which `complete` begins with. */
function chainOf(request: ExportRequest, complete: readonly RunRecord[], newest: string): readonly Link[] {
  const { to } = request.pipeline.export;
  const folders = new Map(complete.map(({ id, folder }) => [id, folder]));
  const chain: Link[] = [];
  let next: NonNullable<Manifest['follows']> = { run: complete[0]?.id ?? '', folder: basename(newest) };
  for (;;) {
    const { run, folder } = next;
    const beside = chain[0]?.folder ?? newest;
    const where = folders.get(run) ?? join(dirname(beside), folder);
    const link = findLink(run, [where, join(dirname(beside), folder), join(dirname(to), folder)]);
    if (link === undefined) throw missing(request, where, run);
    chain.unshift(link);
    const { full, follows } = link.manifest;
    if (full || follows === null) return chain;
    next = follows;
  }
}

/**
 * Returns the first of these folders that has the export of a run. A folder of its name alone proves nothing: when an
 * export was moved away, a later one of the same day takes its name.
 */
function findLink(run: string, folders: readonly string[]): Link | undefined {
  for (const folder of folders) {
    const manifest = readManifest(folder);
    if (manifest?.run === run) return { folder, manifest };
  }
  return undefined;
}

function missing({ pipeline, command }: ExportRequest, folder: string, run: string): FatalError {
  return new FatalError('input', `an export of the chain of increments is missing: that of run ${run}.`, {
    place: { file: folder },
    next: hint`Put it back there, or run a full export: ${command('export', pipeline.file, '--full')}`,
  });
}

/**
 * Fills the staging file with the contacts of the sync state, the messages of the combined exports, and closing notes
 * and templates from the workspace. Throws a FatalError if a file was changed, or if its format is not lossless.
 */
export async function fillStagingFromIncrements(
  request: ExportRequest,
  compaction: Compaction,
): Promise<void> {
  const { begun, chain, syncState } = compaction;
  const { staging } = begun;
  await fetchClosingNotesAndTemplates({ workspace: request.workspace, staging }, request.pipeline.export);
  fillContacts(staging, syncState);
  for (const link of chain) await fillMessages(request, staging, link);
  staging.state.set({ listed: true, order: syncState.order() });
  syncState.close();
}

function fillContacts(staging: StagedExport, syncState: SyncState): void {
  for (const page of syncState.contacts()) {
    const contacts = page.map(({ given }) => ({ given, value: parseContact(given) }));
    staging.addContacts(contacts, { next: null, syncOf: () => ({ known: 0, floor: 0 }), reads: false });
  }
}

/** Stages the messages of one export; a message that is already staged is replaced by the newer version. */
async function fillMessages(
  request: ExportRequest,
  staging: StagedExport,
  { folder, manifest }: Link,
): Promise<void> {
  for (const file of manifest.files) {
    if (file.kind !== 'messages' && file.kind !== 'messageUpdates') continue;
    const path = join(folder, file.name);
    const read = getExporter(file.format).read;
    if (read === undefined) throw notWhole(request, path, file.format);
    await checkUnchanged(request, path, file.sha256);
    let page: LosslessRecord[] = [];
    for await (const record of read(path, file.kind)) {
      const given = givenOf(record);
      request.stop.signal.throwIfAborted();
      if (page.push(given) < queryPageSize) continue;
      staging.addOldMessages(page.map(stagedMessage));
      page = [];
    }
    staging.addOldMessages(page.map(stagedMessage));
  }
}

const kept = z.looseObject({ given: z.record(z.string(), z.unknown()) });

function givenOf(record: LosslessRecord): LosslessRecord {
  return kept.parse(record).given;
}

function stagedMessage(given: LosslessRecord): StagedMessage & { readonly contactId: number } {
  const message = messageSchema.parse(given);
  const { messageId: id, contactId } = message;
  return { id, contactId, at: getMessageTimestamp(message), updated: false, given: JSON.stringify(given) };
}

async function checkUnchanged(
  { pipeline, command }: ExportRequest,
  path: string,
  sha256: string,
): Promise<void> {
  const now = await computeSizeAndSha256(path);
  if (now.sha256 === sha256) return;
  throw new FatalError('input', `${path} does not match its manifest: it was changed after the export.`, {
    place: { file: path },
    next: hint`Restore the file, or run a full export: ${command('export', pipeline.file, '--full')}`,
  });
}

function notWhole({ command, pipeline }: ExportRequest, path: string, format: string): FatalError {
  return new FatalError(
    'usage',
    `files in the format ${format} do not keep everything, so they cannot be combined.`,
    {
      place: { file: path },
      next: hint`Export messages as ndjson or sqlite. To run a full export now: ${command('export', pipeline.file, '--full')}`,
    },
  );
}
