import { dirname } from 'node:path';
import {
  beginSession,
  endRun,
  type JournalDatabase,
  type NamedLock,
  openRunJournal,
  type RunRecord,
} from '../../journal/index.ts';
import { hint } from '../../model/command.ts';
import type { CustomField } from '../../model/custom-field.ts';
import { AccessDeniedError, FatalError } from '../../model/fatal-error.ts';
import { findColumnsOfUnknownFields } from '../../pipeline/export/fields.ts';
import type { LoadedExportSettings } from '../../pipeline/export-settings.ts';
import { toMaxConcurrency } from '../../workspace/index.ts';
import { toFatalError } from '../run/as-fatal.ts';
import { getFatalReasonExitCode } from '../run/exit-code.ts';
import { withRunLock } from '../run/under-lock.ts';
import { runUntilDoneOrStopped } from '../run/until-stopped.ts';
import {
  type BegunExport,
  beginExport,
  type ExportInspection,
  inspectBeforeExport,
  isWithinContinueWindow,
} from './begin.ts';
import { beginCompaction, fillStagingFromIncrements } from './compact/compact.ts';
import { computeMessageStatusCutoff, finishExport, writeAndPublishExport } from './complete.ts';
import { discardExport, type ExportToFinish } from './earlier.ts';
import { type ContactListContext, fetchContacts, MessageFetchQueue } from './fetch/contact-list.ts';
import { fetchContactMessages, type MessageFetchContext } from './fetch/messages.ts';
import { fetchClosingNotesAndTemplates } from './fetch/objects.ts';
import { ensureWritableFolder } from './folder/make-folder.ts';
import { readManifest } from './folder/manifest.ts';
import { expandExportPath } from './folder/names.ts';
import type { PublishedExport } from './folder/publish.ts';
import type { ExportEnd, ExportRequest } from './request.ts';
import type { ContactWithMessagesToRead, MessageSyncPoint } from './staging/staging.ts';

/** Exports a workspace, or continues an interrupted export; the folder appears complete or not at all. */
export async function runExport(request: ExportRequest): Promise<ExportEnd> {
  return await withRunLock(request, lockName(request), async (file, lock) => {
    assertPlace(request, []);
    const found = await inspectBeforeExport(request, file, 'all');
    await settleBeside(request, file, found);
    const { leftover } = found;
    if (leftover === undefined) assertColumns(request, found.objects.customFields);
    const go = (rest: typeof found) =>
      execute(request, file, lock, beginExport(request, file, rest), (begun) => exportNow(request, begun));
    if (leftover === undefined) return await go(found);
    const ended = await closeLeftover(request, file, leftover);
    const isWanted = request.resumed || isWithinContinueWindow(request, leftover.run);
    if (isWanted && !request.fresh && !request.full) return ended;
    return await go({ ...found, last: undefined, staging: undefined });
  });
}

/** Combines the last full export and its increments into a new full export. */
export async function runCompaction(request: ExportRequest): Promise<ExportEnd> {
  return await withRunLock(request, lockName(request), async (file, lock) => {
    assertPlace(request, ['--compact']);
    const found = await inspectBeforeExport(request, file, 'compact');
    await settleBeside(request, file, found);
    if (found.leftover !== undefined) return await closeLeftover(request, file, found.leftover);
    found.staging?.close();
    if (found.last !== undefined && found.last.state !== 'finished') discardExport(request, found.last);
    const compaction = beginCompaction(request, file, found);
    return await execute(request, file, lock, compaction.begun, async (begun) => {
      await fillStagingFromIncrements(request, compaction);
      return await writeAndPublishExport(request, begun, {
        compacted: compaction.chain.map(({ manifest }) => manifest.run),
      });
    });
  });
}

/**
 * Cleans up the pipeline's last run of the other kind: before an export the last compaction, before a compaction the
 * last export. If its folder is in place, finishes that run, so that an older export is never recorded after a newer
 * one. Otherwise discards an unfinished compaction.
 */
async function settleBeside(
  request: ExportRequest,
  file: JournalDatabase,
  { beside }: ExportInspection,
): Promise<void> {
  const { last, staging, leftover } = beside;
  if (leftover !== undefined) {
    await closeLeftover(request, file, leftover);
    return;
  }
  staging?.close();
  // A compaction is never continued.
  if (last?.selection.kind === 'compact' && last.state !== 'finished') discardExport(request, last);
}

async function exportNow(request: ExportRequest, begun: BegunExport): Promise<PublishedExport> {
  const { pipeline, workspace, stop } = request;
  const { staging, before, run } = begun;
  const since = computeMessageStatusCutoff(pipeline.export, run);
  const { messages } = pipeline.export;
  // An export without messages keeps what is known of them, in case they come back.
  const incremental = messages === undefined || messages.incremental;
  const syncOf = (id: number): MessageSyncPoint =>
    incremental && before !== undefined ? before.messageSync(id, since) : { known: 0, floor: 0 };
  await fetchAll(
    {
      workspace,
      staging,
      signal: stop.signal,
      command: request.command,
      file: pipeline.file,
      knownContent: (message) => before?.recentContent(message),
      abort: (error) => {
        if (!stop.signal.aborted) stop.abort(toFatalError(error));
      },
    },
    pipeline.export,
    syncOf,
  );
  return await writeAndPublishExport(request, begun);
}

function assertPlace({ pipeline, command, clock }: ExportRequest, flags: readonly string[]): void {
  const { to, timezone } = pipeline.export;
  const folder = dirname(expandExportPath(to, clock.now(), timezone));
  ensureWritableFolder(folder, command('export', pipeline.file, ...flags));
}

function lockName({ pipeline }: ExportRequest): string {
  return `the export "${pipeline.pipeline}"`;
}

async function execute(
  request: ExportRequest,
  file: JournalDatabase,
  lock: NamedLock,
  begun: BegunExport,
  work: (begun: BegunExport) => Promise<PublishedExport>,
): Promise<ExportEnd> {
  const { clock, listen, workspace, stop, pipeline } = request;
  const { run, staging, before, continued } = begun;
  const journal = openRunJournal(file, run, clock, { shipping: request.shipping });
  listen({ kind: 'begun', run: run.id, continued, full: before === undefined });
  let done: PublishedExport | undefined;
  const error = await runUntilDoneOrStopped(
    {
      ...{ clock, stop, workspace, lock, journal },
      timeout: pipeline.export.timeout,
      beat() {
        staging.settle();
        const { contacts, read, messages } = staging.progress();
        listen({ kind: 'fetched', contacts, read, messages });
        return { active: contacts - read, waiting: 0, fetched: { contacts, messages } };
      },
      stopping: (reason) => listen({ kind: 'stopping', reason }),
    },
    async () => {
      done = await work(begun);
    },
  );
  staging.close();
  before?.close();
  if (done !== undefined) {
    await journal.settled();
    return await finishExport(request, file, run, done);
  }
  const why = error ?? toFatalError(new Error('the export ended unexpectedly'));
  try {
    await journal.settled();
    return failed(request, file, run, why);
  } catch (failure) {
    // The journal cannot be written, for example because the disk is full, so the end is not recorded; the error that
    // stopped the run is still reported.
    throw withCause(why, failure);
  }
}

function withCause({ reason, message, place, next, signal }: FatalError, cause: unknown): FatalError {
  return new FatalError(reason, message, {
    ...(place && { place }),
    ...(next !== undefined && { next }),
    ...(signal && { signal }),
    cause,
  });
}

function failed(request: ExportRequest, file: JournalDatabase, run: RunRecord, error: FatalError): ExportEnd {
  const exitCode = getFatalReasonExitCode(error.reason, error.signal);
  const end = { state: stateOf(error), exitCode, message: error.message, endedAt: request.clock.now() };
  endRun(file, run.number, end);
  // Data that failed `expect` is not reused: the next export fetches again.
  if (error.reason === 'guard' || run.selection.kind === 'compact') discardExport(request, run);
  return { file, run: { ...run, ...end }, exitCode, error, complete: undefined };
}

function stateOf(error: FatalError): 'interrupted' | 'failed' | 'stopped' {
  if (error.reason === 'interrupted') return 'interrupted';
  return error.reason === 'unexpected' ? 'failed' : 'stopped';
}

async function closeLeftover(
  request: ExportRequest,
  file: JournalDatabase,
  { run, staging, folder }: ExportToFinish,
): Promise<ExportEnd> {
  const manifest = readManifest(folder);
  if (manifest === undefined) throw toFatalError(new Error(`${folder} has no manifest`));
  staging.close();
  // A new session starts, so that the time between the killed session and now does not count as time of the run.
  beginSession(file, run.number, request.clock);
  request.listen({ kind: 'note', text: `Run ${run.id} was already complete: ${folder}.` });
  return await finishExport(request, file, run, { folder, manifest });
}

/**
 * Throws a FatalError (usage) for a column of a custom field that the workspace does not have: the column would be
 * empty.
 */
function assertColumns(
  { pipeline, command }: Pick<ExportRequest, 'pipeline' | 'command'>,
  fields: readonly CustomField[],
): void {
  const [first, ...others] = findColumnsOfUnknownFields(pipeline.export, fields);
  if (first === undefined) return;
  const more = others.map(({ reason }) => `; ${reason}`).join('');
  throw new FatalError('usage', `${first.reason}${more}`, {
    place: { file: pipeline.file, key: `export.contacts.columns.${first.heading}` },
    next: hint`Was it renamed? Fix the column, then: ${command('check', pipeline.file, '--online')}`,
  });
}

/**
 * Fetches the requested objects, then the contacts and, in parallel, their messages; continues where it was
 * interrupted.
 */
async function fetchAll(
  reading: MessageFetchContext & ContactListContext & { readonly abort: (error: unknown) => void },
  settings: LoadedExportSettings,
  syncOf: (id: number) => MessageSyncPoint,
): Promise<void> {
  await fetchClosingNotesAndTemplates(reading, settings);
  const reads = settings.messages !== undefined;
  const readers = new MessageFetchQueue(reading.staging);
  const list = fetchContacts(reading, settings, syncOf, () => readers.wake()).finally(() => readers.end());
  const denied: ContactWithMessagesToRead[] = [];
  const workers = reads ? startWorkers(reading, readers, settings, denied) : [];
  await failFast([list, ...workers], reading.abort);
  // Contacts with a 403 are read again after all others: a second 403 means that this contact is denied, or that the
  // token lacks the permission for all messages.
  for (const contact of denied) await fetchContactMessages(reading, contact);
}

/** Waits for all work to end and throws the error of the first failure; each failure calls `abort`. */
async function failFast(work: readonly Promise<void>[], abort: (error: unknown) => void): Promise<void> {
  let failed: { readonly error: unknown } | undefined;
  const note = (error: unknown) => {
    failed ??= { error };
    abort(error);
  };
  await Promise.all(work.map((each) => each.catch(note)));
  if (failed !== undefined) throw failed.error;
}

/**
 * The number of contacts whose messages are read at once, for each concurrent request. While a contact with many pages
 * waits for the limit of its own path, another one uses the request.
 */
const readersPerRequest = 2;

function startWorkers(
  reading: MessageFetchContext,
  readers: MessageFetchQueue,
  settings: LoadedExportSettings,
  denied: ContactWithMessagesToRead[],
): Promise<void>[] {
  const work = async () => {
    for (;;) {
      const contact = await readers.next(reading.signal);
      if (contact === undefined) return;
      try {
        await fetchContactMessages(reading, contact);
      } catch (error) {
        if (!(error instanceof AccessDeniedError) || error.final) throw error;
        denied.push(contact);
      }
    }
  };
  return Array.from({ length: readersPerRequest * toMaxConcurrency(settings.limits.concurrency) }, work);
}
