import { join } from 'node:path';
import { continueOrBeginRun } from '../../../../src/app/import/bind.ts';
import { ErrorBudget, OverBudgetError } from '../../../../src/app/import/budget.ts';
import { recheckCreatedContacts } from '../../../../src/app/import/closing-pass.ts';
import type { ImportContext } from '../../../../src/app/import/context.ts';
import { ensureCustomFields, ensureTags } from '../../../../src/app/import/ensure.ts';
import { toRunEndState } from '../../../../src/app/import/import.ts';
import { toKnownKey } from '../../../../src/app/import/person/person.ts';
import { ContactLockQueue } from '../../../../src/app/import/person/turns.ts';
import { RowPool } from '../../../../src/app/import/pool.ts';
import { importRows } from '../../../../src/app/import/rows.ts';
import { scanInput } from '../../../../src/app/import/scan.ts';
import { startHeartbeat } from '../../../../src/app/run/until-stopped.ts';
import type { InputIndex } from '../../../../src/identity/input-index/index.ts';
import { type ContactSnapshot, takeContactSnapshot } from '../../../../src/identity/snapshot.ts';
import {
  countRunRows,
  createKnownKeyStore,
  endRun,
  type JournalDatabase,
  openJournalDatabase,
  openRunJournal,
  type RowSelection,
  type RunBinding,
  type RunRecord,
  registerWorkspace,
  setRunItemCount,
} from '../../../../src/journal/index.ts';
import { toCommand } from '../../../../src/model/command.ts';
import type { Draft } from '../../../../src/model/draft.ts';
import { FatalError } from '../../../../src/model/fatal-error.ts';
import type { Clock, Randomness, Transport } from '../../../../src/model/ports.ts';
import type { SourceItem } from '../../../../src/model/row.ts';
import { readCustomFields } from '../../../../src/steps/ensure-field.ts';
import { createFieldComparator } from '../../../../src/steps/field-rules.ts';
import { defaultWorkspaceLimits, openWorkspace, type Workspace } from '../../../../src/workspace/index.ts';
import { linkRules } from '../../../identity/link-rules.ts';
import { scope, stepsOf } from '../context.ts';
import { sourceOf } from '../input.ts';
import { fillFields, mapRow } from './map-row.ts';
import { heldSteps, type SimulatedPolicy, switchboard } from './policy.ts';

export const settleMs = 20_000;

const identify = ['email', 'phone'] as const;
const keep = { contact: {}, customFields: {} };

export interface SessionOptions {
  readonly workDir: string;
  readonly items: readonly SourceItem[];
  readonly policy: SimulatedPolicy;
  readonly selection: RowSelection;
  /** Compares everything with the workspace. */
  readonly full: boolean;
  readonly concurrency: number | 'auto';
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly transport: Transport;
  readonly stop: AbortController;
  /** Sees the journal as soon as it is open. */
  readonly opened: (file: JournalDatabase) => void;
}

/** How a session ended that nobody killed. */
export interface SessionEnd {
  readonly run: RunRecord;
  readonly error: FatalError | undefined;
}

/** One process's work on the import, put together as the command does it, over a simulated workspace. */
export async function session(options: SessionOptions): Promise<SessionEnd> {
  const { workDir, clock, randomness, transport, stop, concurrency } = options;
  const file = openJournalDatabase(workDir);
  options.opened(file);
  const workspace = openWorkspace({
    baseUrl: 'https://workspace.test/v1',
    token: 'a-token-for-tests',
    limits: { ...defaultWorkspaceLimits, concurrency },
    clock,
    randomness,
    signal: stop.signal,
    transport,
  });
  const known = await readCustomFields(workspace);
  const fieldIds = known.map((field) => field.id);
  const number = registerWorkspace(file, { place: 'simulated', users: [1], fields: fieldIds });
  const bound = continueOrBeginRun(file, binding(number, options), false, clock);
  const journal = openRunJournal(file, bound.run, clock);
  const stopBeat = startHeartbeat(clock, 1_000, () => journal.beat(workspace.requests()));
  let { run } = bound;
  let error: FatalError | undefined;
  try {
    const { index } = await scanned(options, file, run);
    try {
      if (run.selection.kind !== 'all') run = setRunItemCount(file, run, index.selectedCount());
      const limits = { settleMs, attempts: 5 };
      const shared = { workspace, journal, clock, signal: stop.signal, limits, listen: () => undefined };
      const missing = known.some(({ name }) => name === 'VIP')
        ? []
        : [{ name: 'VIP', dataType: 'checkbox' } as const];
      const fields = await ensureCustomFields(shared, file, missing, known);
      await ensureTags(shared, file, index.tagNames(), { from: 'Tags', attach: 'extension' });
      const snapshot = await listed(options, workspace, run);
      await rowsOf(options, file, run, { ...shared, fields, snapshot }, index);
      snapshot?.close();
      journal.flush();
      if (options.policy.exclusive && snapshot !== undefined && countRunRows(file, run).notReached === 0)
        await recheckCreatedContacts(
          { ...options, ...shared, settleMs, maxPeoplePerPhone: switchboard },
          file,
          run,
        );
    } finally {
      index.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof FatalError)) throw thrown;
    error = thrown;
    if (!stop.signal.aborted) stop.abort(thrown);
  }
  await workspace.close(10_000);
  await stopBeat();
  journal.flush();
  const state = toRunEndState(error, countRunRows(file, run));
  endRun(file, run.number, { state, exitCode: 0, message: null, endedAt: clock.now() });
  return { run: { ...run, state }, error };
}

type Shared = Pick<
  ImportContext,
  'workspace' | 'journal' | 'clock' | 'signal' | 'limits' | 'listen' | 'fields' | 'snapshot'
>;

function rowsOf(
  { items, policy, concurrency, stop, full }: SessionOptions,
  file: JournalDatabase,
  run: RunRecord,
  shared: Shared,
  index: InputIndex,
): Promise<void> {
  const { onMatch, onConflict, duplicates, existing, hold, exclusive } = policy;
  const deferredOnly = run.selection.kind === 'deferred';
  const context: ImportContext = {
    ...shared,
    pool: new RowPool({ active: () => (concurrency === 'auto' ? 16 : concurrency * 2), waiting: 10 }),
    turns: new ContactLockQueue(),
    fillFields,
    firstNameColumn: null,
    rules: createFieldComparator(shared.fields),
    keep,
    steps: stepsOf(
      {
        tags: { from: 'Tags', attach: 'extension' },
        conversation: { status: 'closed', existing },
        comments: { existing: existing ? 'send' : 'skip', entries: [] },
      },
      { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' },
    ),
    policy: {
      ...{ onMatch, onConflict, samePerson: 'evidence', unsure: 'review', onDeleted: 'recreate' },
      ...{ identify, switchboard, exclusive },
    },
    scope: { ...scope, full, deferredOnly, hold: new Set(hold ? heldSteps : []) },
  };
  const halt = (reason: FatalError) => {
    if (!stop.signal.aborted) stop.abort(reason);
  };
  return importRows(context, file, {
    source: sourceOf(items, 3),
    map: mapRow,
    index,
    takesAll: run.selection.kind === 'all',
    gather: { index, duplicates, identify, keep, settleTags: (draft) => ({ ok: true, draft }) },
    budget: new ErrorBudget({ rows: items.length }),
    limit: Number.POSITIVE_INFINITY,
    overBudget: (stop) => halt(new OverBudgetError(stop)),
    stop: halt,
  });
}

function scanned({ workDir, items, stop }: SessionOptions, file: JournalDatabase, run: RunRecord) {
  const memory = createKnownKeyStore(file, { workspace: run.workspace, mapping: run.memory }, run.number);
  const isKnown = (draft: Draft) => memory.find(toKnownKey(draft, identify) ?? '') !== undefined;
  return scanInput({
    ...{ file, run, workDir, identify, isKnown, answered: '' },
    people: linkRules({ switchboard }),
    source: sourceOf(items, 3),
    map: mapRow,
    needsOf: ({ tags = [] }) => ({ fields: [], tags, isOverfull: false }),
    hasKey: true,
    command: toCommand,
    approvalsOf: undefined,
    answersOf: () => [],
    hasHeld: isKnown,
    givenUp: () => [],
    keys: { see: () => undefined, assertSystem: () => undefined },
    signal: stop.signal,
  });
}

/** The contact list, where that is how people are looked up. */
async function listed(
  { policy, workDir }: SessionOptions,
  workspace: Workspace,
  run: RunRecord,
): Promise<ContactSnapshot | undefined> {
  if (policy.lookup === 'single' || run.selection.kind !== 'all') return undefined;
  const pages = async function* () {
    for await (const { items } of workspace.paginate(workspace.contacts.list)) yield items;
  };
  const taken = await takeContactSnapshot(join(workDir, 'contacts.db'), pages(), { mostPages: 100 });
  return taken.kind === 'taken' ? taken.snapshot : undefined;
}

function binding(workspace: number, { items, selection, full }: SessionOptions): RunBinding {
  return {
    kind: 'import',
    pipeline: 'simulated',
    file: 'simulated.yaml',
    workspace,
    target: 'simulated',
    mapping: 'm',
    memory: 'simulated',
    input: 'i',
    inputName: 'rows',
    items: items.length,
    selection,
    full,
  };
}
