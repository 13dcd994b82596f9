import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findWorkspaceNumber, openJournalDatabase, readLatencies } from '../../journal/index.ts';
import type { Contact } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { FatalReason } from '../../model/fatal-error.ts';
import type { User } from '../../model/user.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import { contactSchema, type Workspace } from '../../workspace/index.ts';
import { copyWorkDir } from '../import/copy-work-dir.ts';
import { runImport } from '../import/import.ts';
import type { ImportRequest } from '../import/request.ts';
import { getMeasuredLatencies, type Plan, type PlanRequest, planImport } from '../plan/plan.ts';
import { type LatencyByRequest, predictLatencies } from '../plan/time.ts';
import type { RunListener } from '../run/events.ts';
import { spoolPipedInput } from '../run/input.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import { readWorkspaceFacts } from '../run/workspace-facts.ts';
import { SimulatedClock } from './simulated-clock.ts';

const listBody = z.object({ filter: z.unknown() });
const page = z.object({ items: z.array(contactSchema), next: z.string().nullable() });

/** Callbacks for the contacts that are read. */
interface ContactNotes {
  contact(contact: Contact): void;
  /** Called when a list of all contacts was read to its end. */
  listEnded(): void;
}

/** Wraps a workspace so that every contact read from it is passed to `notes`; a write throws an error. */
export function createRecordingWorkspace(workspace: Workspace, notes: ContactNotes): Workspace {
  return workspace.through((live) => async (endpoint, request, options) => {
    if (endpoint.method !== 'GET' && endpoint.readOnly !== true)
      throw new Error(`${endpoint.operation} writes, and this workspace is only read`);
    const answer = await live(endpoint, request, options);
    if (answer.kind === 'ok') note(endpoint.operation, request.body, answer.value, notes);
    return answer;
  });
}

function note(operation: string, asked: unknown, value: unknown, notes: ContactNotes): void {
  if (operation === 'contacts.read') notes.contact(contactSchema.parse(value));
  if (operation !== 'contacts.list') return;
  const { items, next } = page.parse(value);
  for (const contact of items) notes.contact(contact);
  const { filter } = listBody.parse(asked ?? {});
  if (next === null && filter === undefined) notes.listEnded();
}

/** The writer of a local copy; all objects keep their ids. */
export interface LocalCopyWriter {
  user(user: User): void;
  customField(field: CustomField): void;
  closingNote(category: string, description: string | null): void;
  contact(contact: Contact): void;
  contacts(): number;
}

/** Creates a local workspace in a folder, and opens it. */
export interface LocalWorkspaceFactory {
  fill(folder: string, fill: (copy: LocalCopyWriter) => Promise<void>): Promise<void>;
  open(
    folder: string,
    clock: SimulatedClock,
    answerMs: (request: string) => number,
    signal: AbortSignal,
  ): Promise<{ readonly workspace: Workspace; close(): Promise<void> }>;
}

/** The import to rehearse, with its workspace, which is only read, and the local workspace that is written instead. */
export interface RehearsalRequest extends Omit<PlanRequest, 'plan'> {
  readonly local: LocalWorkspaceFactory;
  /** Copies every contact, and not only those that the import reads. */
  readonly all: boolean;
  /** The greatest speed of the clock, as a multiple of the real one's; undefined for no limit. */
  readonly speed: number | undefined;
  /** Returns a phrase for each limit of the guard that a plan exceeds; undefined without a guard. */
  readonly beyondGuard: ((plan: Plan) => readonly string[]) | undefined;
}

/** A completed rehearsal, with its folder, which `remove` deletes. */
export interface Rehearsal {
  /** A work dir with the copy of the journal. */
  readonly folder: string;
  readonly end: RunEnd;
  /**
   * A phrase for each limit of the guard that is exceeded; if there are any, the import would stop before its first
   * write.
   */
  readonly guard: readonly string[];
  /** The number of contacts copied. */
  readonly copied: number;
  /** The estimated time of the import on the real workspace. */
  readonly seconds: number;
  /** The source of the latencies: earlier imports, the reads for the copy, or nothing. */
  readonly timed: 'imports' | 'reads' | 'nothing';
  readonly requests: Readonly<Record<string, number>>;
  remove(): Promise<void>;
}

/** The number of contacts between two progress notes during the copying; this many take about three minutes. */
const notedEach = 100_000;

/**
 * The reasons that would also stop the import, at the same row; an error with any other reason concerns only the
 * rehearsal, and is thrown.
 */
const ofTheImport: readonly FatalReason[] = ['budget', 'input', 'usage', 'timeout'];

/**
 * Rehearses an import: copies the contacts that it reads, or all, into a local workspace, and runs it there, on a copy
 * of the journal. Throws a FatalError if the import could not start, or the rehearsal was stopped.
 */
export async function rehearseImport(request: RehearsalRequest): Promise<Rehearsal> {
  const { workDir, workspace: live } = request;
  const folder = await makeTemporarySpoolFolder(join(workDir, 'spool'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await copyWorkDir(workDir, folder);
    const twice = await withReadableInput(request, folder);
    const made = await copyWorkspace(twice, folder);
    const times = answerTimes(folder, request.place, live);
    return {
      folder,
      ...made,
      ...(await runCopied(twice, folder, made, times)),
      timed: times.timed,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the request with a piped input spooled, because the plan and the import both read it. */
async function withReadableInput(request: RehearsalRequest, folder: string): Promise<RehearsalRequest> {
  const note = (text: string) => request.listen({ kind: 'note', text });
  const { signal } = request.stop;
  return {
    ...request,
    pipeline: await spoolPipedInput(request.pipeline, join(folder, 'spool'), note, signal),
  };
}

interface Copied {
  readonly copied: number;
  readonly guard: readonly string[];
  /** True if every contact is in the copy. */
  readonly isWhole: boolean;
}

/** Fills the local workspace with the contacts that a plan of the import reads, or with all contacts. */
async function copyWorkspace(request: RehearsalRequest, folder: string): Promise<Copied> {
  const { pipeline, local, all, beyondGuard } = request;
  let made: Copied = { copied: 0, guard: [], isWhole: false };
  await local.fill(folder, async (copy) => {
    let isWhole = false;
    const workspace = createRecordingWorkspace(request.workspace, {
      contact: (contact) => copy.contact(contact),
      listEnded() {
        isWhole = true;
      },
    });
    const facts = await readWorkspaceFacts(workspace, pipeline.import.mapping.mapping);
    for (const user of facts.users) copy.user(user);
    for (const field of facts.customFields) copy.customField(field);
    for (const category of facts.closingNotes ?? []) copy.closingNote(category, null);
    if (all) await listEverybody(workspace, request.listen);
    const guard = all && beyondGuard === undefined ? [] : await planned(request, workspace);
    made = { copied: copy.contacts(), guard, isWhole };
  });
  return made;
}

/** Reads the contact list to its end, so that every contact is recorded, and reports the progress. */
async function listEverybody(workspace: Workspace, listen: RunListener): Promise<void> {
  let listed = 0;
  let nextNote = notedEach;
  listen({ kind: 'note', text: 'Copying every contact of the workspace …' });
  for await (const { items } of workspace.paginate(workspace.contacts.list)) {
    listed += items.length;
    if (listed < nextNote) continue;
    nextNote += notedEach;
    listen({ kind: 'note', text: `${listed.toLocaleString('en-US')} contacts copied so far.` });
  }
}

/**
 * Plans the import, so that everything that it reads is recorded; returns a phrase for each limit of the guard that it
 * exceeds.
 */
async function planned(request: RehearsalRequest, workspace: Workspace): Promise<readonly string[]> {
  const plan = await planImport({
    ...request,
    workspace,
    stop: stopBeside(request.stop),
    listen: (event) => request.listen(event.kind === 'started' ? { ...event, only: 'planned' } : event),
  });
  try {
    return request.beyondGuard?.(plan) ?? [];
  } finally {
    await plan.remove();
  }
}

/** Runs the import in the local workspace; returns how it ended, its time and its requests. */
async function runCopied(
  request: RehearsalRequest,
  folder: string,
  { isWhole }: Copied,
  { answerMs }: AnswerTimes,
): Promise<Pick<Rehearsal, 'end' | 'seconds' | 'requests'>> {
  const { local, speed } = request;
  const clock = new SimulatedClock({ real: request.clock, speed });
  const stop = stopBeside(request.stop);
  stop.signal.addEventListener('abort', () => clock.hurry(), { once: true });
  const { workspace, close } = await local.open(folder, clock, answerMs, stop.signal);
  try {
    const pipeline = isWhole ? request.pipeline : lookingUpSingly(request.pipeline);
    const listen = rehearsalListener(request.listen);
    const rehearsed: ImportRequest = { ...request, pipeline, workspace, clock, stop, listen };
    const end = await runImport({ ...rehearsed, workDir: folder, durable: false, shipping: undefined });
    const { error } = end;
    if (error !== undefined && !ofTheImport.includes(error.reason)) {
      end.file.close();
      throw error;
    }
    return { end, seconds: clock.elapsed / 1_000, requests: sentRequests(workspace) };
  } finally {
    await close();
  }
}

/**
 * Returns a listener that passes on only the start, the progress and the stopping of the run, because the planning has
 * already reported the notes.
 */
function rehearsalListener(listen: RunListener): RunListener {
  return (event) => {
    if (event.kind === 'started') listen({ ...event, only: 'rehearsed' });
    else if (event.kind === 'row' || event.kind === 'underWay' || event.kind === 'stopping') listen(event);
  };
}

/**
 * Returns the pipeline with each contact looked up by itself, because a list of the copy has fewer contacts than one of
 * the workspace.
 */
function lookingUpSingly(pipeline: LoadedImportPipeline): LoadedImportPipeline {
  const { policy } = pipeline.import;
  return { ...pipeline, import: { ...pipeline.import, policy: { ...policy, lookup: 'single' } } };
}

/** Returns a controller that is aborted when the given one is; aborting it does not abort the given one. */
function stopBeside({ signal }: AbortController): AbortController {
  const beside = new AbortController();
  if (signal.aborted) beside.abort(signal.reason);
  else signal.addEventListener('abort', () => beside.abort(signal.reason), { once: true });
  return beside;
}

interface AnswerTimes extends Pick<Rehearsal, 'timed'> {
  /** Returns the latency of a request, by its method and path template, in milliseconds. */
  readonly answerMs: (request: string) => number;
}

/**
 * Returns the latencies of the workspace: those that earlier imports measured, adjusted by the reads of this rehearsal;
 * if no earlier import measured any, those of the reads. A request without a measurement takes the mean of the reads.
 */
function answerTimes(folder: string, place: string, live: Workspace): AnswerTimes {
  const earlier = earlierTimes(folder, place);
  const now = getMeasuredLatencies(live);
  const known = earlier.size === 0 ? now : predictLatencies(earlier, now);
  const usual = meanOf(now);
  return {
    timed: earlier.size > 0 ? 'imports' : now.size > 0 ? 'reads' : 'nothing',
    answerMs: (request) => known.get(request)?.mean ?? usual,
  };
}

function earlierTimes(folder: string, place: string): LatencyByRequest {
  const journal = openJournalDatabase(folder, { durable: false });
  try {
    const workspace = findWorkspaceNumber(journal, place);
    return workspace === undefined ? new Map() : readLatencies(journal, workspace);
  } finally {
    journal.close();
  }
}

function meanOf(latencies: LatencyByRequest): number {
  let [ms, answers] = [0, 0];
  for (const latency of latencies.values()) {
    ms += latency.mean * latency.answers;
    answers += latency.answers;
  }
  return answers === 0 ? 0 : ms / answers;
}

function sentRequests(workspace: Workspace): Readonly<Record<string, number>> {
  const counts = Object.entries(workspace.requests()).filter(([, { sent }]) => sent > 0);
  return Object.fromEntries(counts.map(([name, { sent }]) => [name, sent]));
}
