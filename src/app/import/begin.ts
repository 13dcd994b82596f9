import { join } from 'node:path';
import type { InputIndex } from '../../identity/input-index/index.ts';
import {
  type Binding,
  findRun,
  forgetCreated,
  type JournalFile,
  memoryScope,
  type RetrySelection,
  type RunRecord,
  recogniseWorkspace,
  setItems,
  withdrawRun,
} from '../../journal/index.ts';
import {
  checkWorkspace,
  compileMapping,
  type LoadedMapping,
  listUses,
  writtenFields,
} from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LiveInput } from '../../model/ports.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import type { LoadedPipeline } from '../../pipeline/index.ts';
import { attachesTags } from '../../steps/tags.ts';
import { correctedRejects, rejectingDamaged } from '../retry/corrected-rejects.ts';
import { recordDecisions } from '../retry/record-decisions.ts';
import { checkInput, openInput } from '../run/input.ts';
import { FirstPass } from '../run/left-behind/first-pass.ts';
import { readFacts, type WorkspaceFacts } from '../run/workspace-facts.ts';
import { checkPlan, keepPlan } from './agreed-plan.ts';
import { type AnswersOf, answeredQuestions, answersBy } from './answered-questions.ts';
import { type ApprovalsOf, approvedMerges } from './approved-merges.ts';
import { bindRun } from './bind.ts';
import { judgedFrom, stopByInput } from './budget.ts';
import { needsOf } from './index-row.ts';
import { countKeys, KeyCount, rememberedIn } from './key-count.ts';
import { type KeyMemory, type KeysOf, keyMemoryOf } from './key-memory.ts';
import { dropCopy, keepCopyFor, liveInput } from './live-input.ts';
import { givenUp } from './person/memory.ts';
import type { ImportRequest } from './request.ts';
import { removeIndex, type ScanRequest, scan } from './scan.ts';

/** By then whoever was created can be read, however patient `limits.settle` is. */
const rememberCreatedMs = 24 * 60 * 60_000;

/** An import that may begin with its rows: everything was read, checked and bound. */
export interface Begun {
  readonly source: Source;
  readonly run: RunRecord;
  readonly continued: boolean;
  readonly facts: WorkspaceFacts;
  /** Who the rows of the input are. */
  readonly index: InputIndex;
  /** Rows that have to be looked up at the most; undefined where an earlier session has counted them. */
  readonly lookupsNeeded: number | undefined;
  /** Whether the mapping takes any of the rows that the run is about, as far as this session had to look. */
  readonly takesAny: boolean;
  readonly approvalsOf: ApprovalsOf | undefined;
  readonly answersOf: AnswersOf | undefined;
  /** Where the input breaks off, in a sentence. */
  readonly truncated: string | undefined;
  /** What is wrong with the end of the input and was accepted, in a sentence. */
  readonly unended: string | undefined;
}

/**
 * Reads the input, looks at the workspace, and binds the run to both; throws a FatalError for whatever an import would
 * stumble over before its first row.
 */
export async function begin(request: ImportRequest, file: JournalFile): Promise<Begun> {
  const { pipeline, workspace, workDir, place, clock, stop, listen } = request;
  const live = correctedFile(request) === undefined ? liveInput(request, file) : undefined;
  const { source, name } = openSource(request, file, live);
  listen({ kind: 'inspecting', name });
  const input = await source.inspect(stop.signal);
  for (const text of [...input.notes, ...(input.truncated === undefined ? [] : [input.truncated])])
    listen({ kind: 'note', text });
  for (const text of checkInput(pipeline, input)) listen({ kind: 'note', text });
  const facts = await readFacts(workspace, pipeline.import.mapping.mapping);
  const ids = { users: facts.users.map(({ id }) => id), fields: facts.customFields.map(({ id }) => id) };
  const number = recogniseWorkspace(file, { place, ...ids });
  const mistakes = checkWorkspace(pipeline.import.mapping, facts);
  if (mistakes.length > 0) throw pipeline.import.mapping.refusal(mistakes);
  const { customFields } = facts;
  const { approvals } = request;
  const approvalsOf =
    approvals && approvals.approved.length > 0
      ? approvedMerges(file, { number, customFields }, approvals)
      : undefined;
  forgetCreated(file, number, clock.now() - rememberCreatedMs);
  const map = rejectingDamaged(compileMapping(pipeline.import.mapping, facts));
  const { identify } = pipeline.import.mapping.mapping;
  const keyMemory = await keyMemoryOf(file, keysOf(request, file, number), (mapping) =>
    countKeys(source, map, rememberedIn(file, { workspace: number, mapping }, identify), stop.signal),
  );
  if (keyMemory.note !== undefined) listen({ kind: 'note', text: keyMemory.note });
  const binding = bindingOf(request, input, number, keyMemory);
  const answered =
    approvals === undefined
      ? []
      : answeredQuestions(file, { workspace: number, mapping: binding.memory }, approvals);
  const bindAll = file.transaction(() =>
    bindRun(file, binding, request.fresh, clock, request.command, (last) => {
      if (request.plan !== undefined && last?.plan !== request.plan)
        checkPlan(request.plan, file, { ...binding, place }, request.command);
      // With the run itself, so that a killed retry has decided once and for all, or has not begun.
      if (last === undefined) decide(request, file);
    }),
  );
  const bound = bindAll.immediate();
  const { continued } = bound;
  const run = request.plan === undefined ? bound.run : keepPlan(file, request.plan, workDir, bound.run);
  keepCopyFor(run, request);
  const byPeople = answersBy(file, memoryScope(run), answered);
  const scanned = await readInput(request, file, run, {
    source,
    input,
    facts,
    map,
    approvalsOf,
    byPeople,
  }).catch((error: unknown) => {
    if (error instanceof FatalError && error.reason === 'guard') withdraw(request, file, run);
    throw error;
  });
  const { index } = scanned;
  return {
    ...scanned,
    source,
    facts,
    continued,
    approvalsOf,
    answersOf: answered.length > 0 ? byPeople.answersOf : undefined,
    truncated: input.truncated,
    unended: input.unended,
    // Also for a continued run: an earlier session may not have come to the end of choosing.
    run: run.selection.kind === 'all' ? scanned.run : setItems(file, scanned.run, index.selectedCount()),
  };
}

/** Remembers what a person has decided about the comments of the run that is retried. */
function decide({ selection, decisions }: ImportRequest, file: JournalFile): void {
  const retried = selection.kind === 'retry' ? findRun(file, selection.run) : undefined;
  if (retried !== undefined && decisions !== undefined) recordDecisions(file, retried, decisions);
}

/** The input of the pipeline, or the corrected rejects.csv that a retry takes in its place. */
function openSource(
  request: ImportRequest,
  journal: JournalFile,
  live: LiveInput | undefined,
): { readonly source: Source; readonly name: string } {
  const { pipeline, workDir, listen } = request;
  const selection = correctedFile(request);
  const retried = selection && findRun(journal, selection.run);
  if (selection === undefined || retried === undefined)
    return {
      source: openInput(pipeline, workDir, (text) => listen({ kind: 'note', text }), live),
      name: live?.name ?? pipeline.import.source.name ?? pipeline.import.source.path ?? '',
    };
  const { mapping } = pipeline.import.mapping;
  const lists = listUses(mapping).map(({ list }) => list);
  const hasKey = mapping.key !== undefined;
  const spoolDir = join(workDir, 'spool');
  const source = correctedRejects({ selection, spoolDir, journal, retried, hasKey, lists });
  return { source, name: selection.from };
}

function correctedFile({
  selection,
}: ImportRequest): (RetrySelection & { readonly from: string }) | undefined {
  if (selection.kind !== 'retry' || selection.from === undefined) return undefined;
  return { ...selection, from: selection.from };
}

async function readInput(
  request: ImportRequest,
  file: JournalFile,
  run: RunRecord,
  {
    source,
    input,
    facts,
    map,
    approvalsOf,
    byPeople: { answersOf, answers, version },
  }: Pick<Begun, 'source' | 'facts'> &
    Pick<ScanRequest, 'approvalsOf' | 'map'> & {
      readonly input: InputFacts;
      readonly byPeople: ReturnType<typeof answersBy>;
    },
) {
  const { mapping, policy, deferred } = request.pipeline.import;
  const { identify } = mapping.mapping;
  const scope = memoryScope(run);
  const known = rememberedIn(file, scope, identify);
  const samePerson = run.samePerson ?? policy.samePerson;
  const count = new KeyCount();
  return await scan({
    file,
    run,
    workDir: request.workDir,
    source,
    map,
    identify,
    people: {
      ...{ switchboard: policy.maxPeoplePerPhone, samePerson, unsure: policy.unsure },
      duplicates: policy.duplicates,
      answers,
    },
    answered: version(),
    needsOf: needsOf(mapping),
    hasKey: mapping.mapping.key !== undefined,
    command: request.command,
    listUnjoined: request.listUnjoined,
    approvalsOf,
    answersOf,
    hasHeld: (draft) => known(draft) !== undefined && deferred.length > 0,
    isKnown: (draft) => {
      const before = known(draft);
      // A changed e-mail or phone is looked up, too.
      return before !== undefined && givenUp(draft, identify, before.applied).length === 0;
    },
    givenUp: (draft) => givenUp(draft, identify, known(draft)?.applied ?? {}),
    firstPass: run.selection.kind === 'all' ? firstPassOf(request.pipeline, input, facts) : undefined,
    keys: {
      see: (row, draft) => count.see(row, draft, known(draft)?.applied),
      assertSystem() {
        if (samePerson === 'identifier') return;
        count.assertSystem(request.pipeline.file, run.system?.name ?? run.memory, request.command);
      },
    },
    signal: request.stop.signal,
  });
}

/** What counts the losses of an input; without the facts of a workspace owners are not compared with its users. */
export function firstPassOf(
  { import: { mapping, policy, deferred, extensions } }: LoadedPipeline,
  input: InputFacts,
  facts: WorkspaceFacts | undefined,
): FirstPass {
  const attach = mapping.mapping.tags?.attach;
  const extended = attach === 'extension' && extensions?.attachTags !== undefined;
  return new FirstPass({
    ...{ mapping, input, deferred },
    tagsByHand: attach !== undefined && attachesTags(attach) && !extended,
    knowsUsers: facts !== undefined,
    listsNotAsked: facts === undefined ? listsOfWorkspace(mapping) : [],
    stopOf(index) {
      const over = stopByInput(policy, index, input.items);
      return over && { row: over.seq + 1, place: over.place, message: over.message };
    },
    judgedFrom,
  });
}

/** The list fields that an import does not create: only the workspace knows which values they have. */
function listsOfWorkspace({ mapping: { customFields = {} } }: LoadedMapping): readonly string[] {
  const fields = Object.entries(customFields);
  return fields.filter(([, { type, create }]) => type === 'list' && create !== true).map(([name]) => name);
}

/** Whose keys the input has, as far as the pipeline and the run that is retried say. */
function keysOf({ pipeline, selection }: ImportRequest, file: JournalFile, workspace: number): KeysOf {
  const { mapping, source } = pipeline.import;
  const retried = selection.kind === 'retry' ? findRun(file, selection.run)?.memory : undefined;
  return { workspace, mapping: mapping.mapping.mapping, system: source.system, retried };
}

/** Takes back a run whose first pass was refused; one that has rows already stays, to be continued. */
function withdraw(request: ImportRequest, file: JournalFile, run: RunRecord): void {
  removeIndex(request.workDir, run);
  dropCopy(request);
  withdrawRun(file, run);
}

function bindingOf(
  { pipeline, target, selection, full, plan }: ImportRequest,
  input: InputFacts,
  workspace: number,
  { memory, system }: KeyMemory,
): Binding {
  const { mapping } = pipeline.import;
  return {
    kind: 'import',
    pipeline: pipeline.pipeline,
    file: pipeline.file,
    workspace,
    target,
    mapping: mapping.fingerprint,
    memory,
    system,
    input: input.fingerprint,
    inputName: input.name,
    items: input.items,
    selection,
    full,
    plan,
    writing: input.writing ?? null,
    sheets: input.sheetsAsOne ?? null,
    columns: input.columns,
    fields: writtenFields(mapping.mapping),
    source: pipeline.source,
  };
}
