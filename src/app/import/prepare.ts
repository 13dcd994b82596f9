import { join } from 'node:path';
import {
  deleteSentWritesBefore,
  findRunById,
  hasRunSeenKey,
  type JournalDatabase,
  type RetrySelection,
  type RunBinding,
  type RunRecord,
  registerWorkspace,
  removeRefusedRun,
  setRunItemCount,
  toKnownKeyScope,
} from '../../journal/index.ts';
import {
  checkAgainstWorkspace,
  compileDayReader,
  compileMapping,
  findListUses,
  type LoadedMapping,
  listMappedFields,
} from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LiveWorkspaceInput } from '../../model/ports.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { needsWorkspaceTags } from '../../steps/tags.ts';
import { openCorrectedRejects, withDamageCheck } from '../retry/corrected-rejects.ts';
import { originalListsPath } from '../retry/original-lists.ts';
import { recordCommentDecisions } from '../retry/record-decisions.ts';
import { checkInputColumns, isLiveWorkspaceInput, listNestedLists, openInput } from '../run/input.ts';
import { InputLossCounter } from '../run/left-behind/first-pass.ts';
import { addKnownSlugs, readWorkspaceFacts, type WorkspaceFacts } from '../run/workspace-facts.ts';
import { assertPlanUsable, bindRunToPlan } from './agreed-plan.ts';
import { createAnswerLookups, readAnsweredQuestions } from './answered-questions.ts';
import { createApprovalFinder } from './approved-merges.ts';
import { continueOrBeginRun } from './bind.ts';
import { minRowsForErrorShare, predictBudgetStop } from './budget.ts';
import { createPrerequisiteFinder } from './index-row.ts';
import { countReusedKeys, createRememberedRowLookup, KeyReuseCounter } from './key-count.ts';
import { type KeyNamespace, type KeyNamespaceQuery, resolveKeyNamespace } from './key-memory.ts';
import { bindInputCopy, createLiveWorkspaceInput, removeInputCopy } from './live-input.ts';
import { listReplacedIdentityHashes } from './person/memory.ts';
import type { ImportRequest, PreparedImport } from './request.ts';
import { removeIndexOfRun, type ScanRequest, scanInput } from './scan.ts';

/** The time in ms after which every created contact can be read, whatever `limits.settle` is. */
const rememberCreatedMs = 24 * 60 * 60_000;

/**
 * Reads the input, inspects the workspace, and binds the run to both. Throws a FatalError for every problem that would
 * stop an import before its first row.
 */
export async function prepareImport(request: ImportRequest, file: JournalDatabase): Promise<PreparedImport> {
  const { pipeline, workspace, workDir, place, clock, stop, listen } = request;
  const live = correctedFile(request) === undefined ? createLiveWorkspaceInput(request, file) : undefined;
  const { source, name } = openSource(request, file, live);
  listen({ kind: 'inspecting', name });
  const input = await source.inspect(stop.signal);
  for (const text of [...input.notes, ...(input.truncated === undefined ? [] : [input.truncated])])
    listen({ kind: 'note', text });
  for (const text of checkInputColumns(pipeline, input)) listen({ kind: 'note', text });
  const facts = await readWorkspaceFacts(workspace, pipeline.import.mapping.mapping);
  const ids = { users: facts.users.map(({ id }) => id), fields: facts.customFields.map(({ id }) => id) };
  const number = registerWorkspace(file, { place, ...ids });
  const mistakes = checkAgainstWorkspace(pipeline.import.mapping, addKnownSlugs(facts, file, number));
  if (mistakes.length > 0) throw pipeline.import.mapping.refusal(mistakes);
  const { customFields } = facts;
  const { approvals } = request;
  const approvalsOf =
    approvals && approvals.approved.length > 0
      ? createApprovalFinder(file, { number, customFields }, approvals)
      : undefined;
  deleteSentWritesBefore(file, number, clock.now() - rememberCreatedMs);
  const map = withDamageCheck(compileMapping(pipeline.import.mapping, facts));
  const { identify } = pipeline.import.mapping.mapping;
  const keyMemory = await resolveKeyNamespace(file, keyNamespaceQueryOf(request, file, number), (mapping) =>
    countReusedKeys(
      source,
      map,
      createRememberedRowLookup(file, { workspace: number, mapping }, identify),
      stop.signal,
    ),
  );
  if (keyMemory.note !== undefined) listen({ kind: 'note', text: keyMemory.note });
  const binding = bindingOf(request, input, number, keyMemory);
  const answered =
    approvals === undefined
      ? []
      : readAnsweredQuestions(file, { workspace: number, mapping: binding.memory }, approvals);
  const bindAll = file.transaction(() =>
    continueOrBeginRun(file, binding, request.fresh, clock, request.command, (last) => {
      if (request.plan !== undefined && last?.plan !== request.plan)
        assertPlanUsable(request.plan, file, { ...binding, place }, request.command);
      // In the same transaction as the run: a killed retry has either recorded all its decisions or not started.
      if (last === undefined) decide(request, file);
    }),
  );
  const bound = bindAll.immediate();
  const { continued } = bound;
  const run = request.plan === undefined ? bound.run : bindRunToPlan(file, request.plan, workDir, bound.run);
  bindInputCopy(run, request);
  const byPeople = createAnswerLookups(file, toKnownKeyScope(run), answered);
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
    ...{ request, file, source, facts, continued, approvalsOf },
    answersOf: answered.length > 0 ? byPeople.answersOf : undefined,
    truncated: input.truncated,
    unended: input.unended,
    // The item count is set for a continued run, too: an earlier session may have stopped while it selected rows.
    run:
      run.selection.kind === 'all' ? scanned.run : setRunItemCount(file, scanned.run, index.selectedCount()),
  };
}

/** Records the decisions about the comments of the retried run. */
function decide({ selection, decisions }: ImportRequest, file: JournalDatabase): void {
  const retried = selection.kind === 'retry' ? findRunById(file, selection.run) : undefined;
  if (retried !== undefined && decisions !== undefined) recordCommentDecisions(file, retried, decisions);
}

/** Opens the input of the pipeline, or the corrected rejects.csv of a retry. */
function openSource(
  request: ImportRequest,
  journal: JournalDatabase,
  live: LiveWorkspaceInput | undefined,
): { readonly source: Source; readonly name: string } {
  const { pipeline, workDir, command, listen } = request;
  const open = (workspace?: LiveWorkspaceInput) =>
    openInput(pipeline, workDir, (text) => listen({ kind: 'note', text }), workspace);
  const selection = correctedFile(request);
  const retried = selection && findRunById(journal, selection.run);
  if (selection === undefined || retried === undefined)
    return {
      source: open(live),
      name: live?.name ?? pipeline.import.source.name ?? pipeline.import.source.path ?? '',
    };
  const { mapping } = pipeline.import.mapping;
  const names = listNestedLists(pipeline);
  const source = openCorrectedRejects({
    ...{ selection, journal, retried },
    spoolDir: join(workDir, 'spool'),
    hasKey: mapping.key !== undefined,
    daysIn: compileDayReader(mapping),
    listColumns: findListUses(mapping).flatMap(({ list }) => (names.includes(list) ? [] : [list])),
    lists: {
      names,
      input: names.length === 0 || isLiveWorkspaceInput(pipeline) ? undefined : open(),
      path: originalListsPath(workDir, selection),
      command,
    },
  });
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
  file: JournalDatabase,
  run: RunRecord,
  {
    source,
    input,
    facts,
    map,
    approvalsOf,
    byPeople: { answersOf, answers, version },
  }: Pick<PreparedImport, 'source' | 'facts'> &
    Pick<ScanRequest, 'approvalsOf' | 'map'> & {
      readonly input: InputFacts;
      readonly byPeople: ReturnType<typeof createAnswerLookups>;
    },
) {
  const { mapping, policy, deferred } = request.pipeline.import;
  const { identify } = mapping.mapping;
  const scope = toKnownKeyScope(run);
  const known = createRememberedRowLookup(file, scope, identify);
  const samePerson = run.samePerson ?? policy.samePerson;
  const count = new KeyReuseCounter();
  return await scanInput({
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
    needsOf: createPrerequisiteFinder(mapping),
    hasKey: mapping.mapping.key !== undefined,
    command: request.command,
    listUnjoined: request.listUnjoined,
    approvalsOf,
    answersOf,
    hasHeld: (draft) => known(draft) !== undefined && deferred.length > 0,
    isKnown: (draft) => {
      const before = known(draft);
      // A row with a changed e-mail or phone needs a look-up, too.
      return before !== undefined && listReplacedIdentityHashes(draft, identify, before.applied).length === 0;
    },
    givenUp(draft, { line }) {
      const before = known(draft);
      const replaced = listReplacedIdentityHashes(draft, identify, before?.applied ?? {});
      if (before === undefined || replaced.length === 0) return replaced;
      // If a continued run has sent another row with this key, the remembered identities are those of that row, and
      // this row does not give them up. A row that failed in the run is recorded as seen at its own line: it still
      // gives up what an earlier import sent.
      const wasSentByRun = before.line !== line && hasRunSeenKey(file, scope, before.key, run.number);
      return wasSentByRun ? [] : replaced;
    },
    firstPass:
      run.selection.kind === 'all' ? createInputLossCounter(request.pipeline, input, facts) : undefined,
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

/**
 * Creates the counter of the losses of an import of the input. Without the facts of a workspace, users and
 * list values are not compared with it: they count as not checked.
 */
export function createInputLossCounter(
  { import: { mapping, policy, deferred, extensions } }: LoadedImportPipeline,
  input: InputFacts,
  facts: WorkspaceFacts | undefined,
): InputLossCounter {
  const attach = mapping.mapping.tags?.attach;
  const extended = attach === 'extension' && extensions?.attachTags !== undefined;
  return new InputLossCounter({
    ...{ mapping, input, deferred },
    tagsByHand: attach !== undefined && needsWorkspaceTags(attach) && !extended,
    knowsUsers: facts !== undefined,
    listsNotAsked: facts === undefined ? listsOfWorkspace(mapping) : [],
    stopOf(index) {
      const over = predictBudgetStop(policy, index, input.items);
      return over && { row: over.seq + 1, place: over.place, message: over.message };
    },
    judgedFrom: minRowsForErrorShare,
  });
}

/**
 * Returns the names of the list fields that an import does not create: only the workspace knows their allowed
 * values.
 */
function listsOfWorkspace({ mapping: { customFields = {} } }: LoadedMapping): readonly string[] {
  const fields = Object.entries(customFields);
  return fields.filter(([, { type, create }]) => type === 'list' && create !== true).map(([name]) => name);
}

function keyNamespaceQueryOf(
  { pipeline, selection }: ImportRequest,
  file: JournalDatabase,
  workspace: number,
): KeyNamespaceQuery {
  const { mapping, source } = pipeline.import;
  const retried = selection.kind === 'retry' ? findRunById(file, selection.run)?.memory : undefined;
  return { workspace, mapping: mapping.mapping.mapping, system: source.system, retried };
}

/** Withdraws a run whose scan was refused; a run that has rows already is kept, to be continued. */
function withdraw(request: ImportRequest, file: JournalDatabase, run: RunRecord): void {
  removeIndexOfRun(request.workDir, run);
  removeInputCopy(request);
  removeRefusedRun(file, run);
}

function bindingOf(
  { pipeline, target, selection, full, plan }: ImportRequest,
  input: InputFacts,
  workspace: number,
  { memory, system }: KeyNamespace,
): RunBinding {
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
    fields: listMappedFields(mapping.mapping),
    source: pipeline.source,
  };
}
