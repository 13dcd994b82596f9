import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { copyJournal, findWorkspaceNumber, openJournalFile, readLatencies } from '../../journal/index.ts';
import type { Contact } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { FatalReason } from '../../model/fatal-error.ts';
import type { User } from '../../model/user.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import { contactSchema, type Workspace } from '../../workspace/index.ts';
import { copyBoundPlans } from '../import/agreed-plan.ts';
import { runImport } from '../import/import.ts';
import type { ImportRequest } from '../import/request.ts';
import { type Plan, type PlanRequest, planImport, presentAnswerTimes } from '../plan/plan.ts';
import { type Latencies, presentLatencies } from '../plan/time.ts';
import type { RunListener } from '../run/events.ts';
import { spoolPipedInput } from '../run/input.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import { readWorkspaceFacts } from '../run/workspace-facts.ts';
import { JumpingClock } from './jumping-clock.ts';

const listBody = z.object({ filter: z.unknown() });
const page = z.object({ items: z.array(contactSchema), next: z.string().nullable() });

/** What is noted of the contacts that are read. */
interface ContactNotes {
  contact(contact: Contact): void;
  /** The contact list was read to its end. */
  listEnded(): void;
}

/** The workspace, of which every contact that is read is noted. Nothing else can be asked of it: a write throws. */
export function recordReads(workspace: Workspace, notes: ContactNotes): Workspace {
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

/** What is copied into a local workspace, under the ids that it has. */
export interface CopyTarget {
  user(user: User): void;
  customField(field: CustomField): void;
  closingNote(category: string, description: string | null): void;
  contact(contact: Contact): void;
  contacts(): number;
}

/** A local workspace in a folder, as the command provides it. */
export interface LocalWorkspace {
  fill(folder: string, fill: (copy: CopyTarget) => Promise<void>): Promise<void>;
  open(
    folder: string,
    clock: JumpingClock,
    answerMs: (request: string) => number,
    signal: AbortSignal,
  ): Promise<{ readonly workspace: Workspace; close(): Promise<void> }>;
}

/** What a rehearsal is asked for: the import, the workspace, which is only read, and a local one in its place. */
export interface RehearsalRequest extends Omit<PlanRequest, 'plan'> {
  readonly local: LocalWorkspace;
  /** Copies every contact. */
  readonly all: boolean;
  /** How many times faster than the real one the clock runs at the most; undefined for as fast as it can. */
  readonly speed: number | undefined;
  /** Says what of the plan the pipeline's guard does not allow; undefined where there is no guard. */
  readonly beyondGuard: ((plan: Plan) => readonly string[]) | undefined;
}

/** A rehearsal that came to its end; its files are in a folder that goes with `remove`. */
export interface Rehearsal {
  /** A work dir with the copy of the journal. */
  readonly folder: string;
  readonly end: RunEnd;
  /** What the guard does not allow: with any of it the import stops before its first write. */
  readonly guard: readonly string[];
  /** Contacts that were copied. */
  readonly copied: number;
  /** What the import takes on the real workspace. */
  readonly seconds: number;
  /** How its answers were timed: each by earlier imports, as the reads of the copying, or not at all. */
  readonly timed: 'imports' | 'reads' | 'nothing';
  readonly requests: Readonly<Record<string, number>>;
  remove(): Promise<void>;
}

/** After so many contacts people hear how far the copying is: about three minutes. */
const notedEach = 100_000;

/** What would stop the import in the same place; any other reason ended the rehearsal alone, and half of one is none. */
const ofTheImport: readonly FatalReason[] = ['budget', 'input', 'usage', 'timeout'];

/**
 * Rehearses an import: copies what matters of the workspace by reading into a local one, and runs the whole import there,
 * on a copy of the journal. Throws a FatalError where the import could not begin, or where the rehearsal was stopped.
 */
export async function rehearse(request: RehearsalRequest): Promise<Rehearsal> {
  const { workDir, workspace: live } = request;
  const folder = await makeTemporarySpoolFolder(join(workDir, 'spool'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await copyJournal(workDir, folder);
    await copyBoundPlans(workDir, folder);
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

/** The input is read for the plan and for the import. */
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
  /** Whether every contact is in the copy. */
  readonly isWhole: boolean;
}

/** Fills the local workspace with what the import reads, which a plan of it finds; or with everything. */
async function copyWorkspace(request: RehearsalRequest, folder: string): Promise<Copied> {
  const { pipeline, local, all, beyondGuard } = request;
  let made: Copied = { copied: 0, guard: [], isWhole: false };
  await local.fill(folder, async (copy) => {
    let isWhole = false;
    const workspace = recordReads(request.workspace, {
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

/** Reads the contact list to its end: whoever is listed is noted. */
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

/** Plans the import, so that everything that it reads is read; gives what its guard does not allow. */
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

/** Runs the import in the local workspace. */
async function runCopied(
  request: RehearsalRequest,
  folder: string,
  { isWhole }: Copied,
  { answerMs }: AnswerTimes,
): Promise<Pick<Rehearsal, 'end' | 'seconds' | 'requests'>> {
  const { local, speed } = request;
  const clock = new JumpingClock({ real: request.clock, speed });
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

/** What was said while the import was planned is not said again. */
function rehearsalListener(listen: RunListener): RunListener {
  return (event) => {
    if (event.kind === 'started') listen({ ...event, only: 'rehearsed' });
    else if (event.kind === 'row' || event.kind === 'underWay' || event.kind === 'stopping') listen(event);
  };
}

/** A list of the copy would show fewer contacts than one of the workspace, and in less time. */
function lookingUpSingly(pipeline: LoadedImportPipeline): LoadedImportPipeline {
  const { policy } = pipeline.import;
  return { ...pipeline, import: { ...pipeline.import, policy: { ...policy, lookup: 'single' } } };
}

/** A stop of a part: it follows the stop of the whole, and what stops the part does not stop the whole. */
function stopBeside({ signal }: AbortController): AbortController {
  const beside = new AbortController();
  if (signal.aborted) beside.abort(signal.reason);
  else signal.addEventListener('abort', () => beside.abort(signal.reason), { once: true });
  return beside;
}

interface AnswerTimes extends Pick<Rehearsal, 'timed'> {
  /** By method and path template. */
  readonly answerMs: (request: string) => number;
}

/** What the answers of the workspace take: as earlier imports measured, and what nobody measured as the reads just now. */
function answerTimes(folder: string, place: string, live: Workspace): AnswerTimes {
  const earlier = earlierTimes(folder, place);
  const now = presentAnswerTimes(live);
  const known = earlier.size === 0 ? now : presentLatencies(earlier, now);
  const usual = meanOf(now);
  return {
    timed: earlier.size > 0 ? 'imports' : now.size > 0 ? 'reads' : 'nothing',
    answerMs: (request) => known.get(request)?.mean ?? usual,
  };
}

function earlierTimes(folder: string, place: string): Latencies {
  const journal = openJournalFile(folder, { durable: false });
  try {
    const workspace = findWorkspaceNumber(journal, place);
    return workspace === undefined ? new Map() : readLatencies(journal, workspace);
  } finally {
    journal.close();
  }
}

function meanOf(latencies: Latencies): number {
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
