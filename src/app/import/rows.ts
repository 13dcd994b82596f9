import type { InputIndex, RowGroup } from '../../identity/input-index/index.ts';
import { listDraftIdentifiers } from '../../identity/look-up.ts';
import { IdentifierQueue, type IdentifierQueueTurn } from '../../identity/sequence.ts';
import {
  isOpenOutcome,
  type JournalDatabase,
  listStepsOfUnfinishedItems,
  type PersonResultRecords,
  type RowRecord,
  readFinishedItemNumbers,
  readFirstUnfinishedItemNumber,
  type StepRecord,
} from '../../journal/index.ts';
import type { MappingResult } from '../../model/draft.ts';
import { AccessDeniedError, type FatalError } from '../../model/fatal-error.ts';
import { formatIdentifier, idToIdentifier } from '../../model/identifier.ts';
import type { Row, Source, SourceItem } from '../../model/row.ts';
import { normaliseRowPlace } from '../../model/row-place.ts';
import { hashRowContent } from '../retry/row-hash.ts';
import { toFatalError } from '../run/as-fatal.ts';
import type { ErrorBudgetStop } from '../run/left-behind/left-behind.ts';
import type { ErrorBudget } from './budget.ts';
import type { ImportContext } from './context.ts';
import { createPersonResultRecords } from './person/end.ts';
import {
  createForgottenRecord,
  isForgotten,
  redactIfForgotten,
  redactProposedRow,
} from './person/forgotten.ts';
import {
  type GatherOptions,
  type GatherResult,
  type IndexedRowFacts,
  PersonGatherer,
  readRowFacts,
  type UnsentRows,
} from './person/gather.ts';
import { findRememberedPerson, listIdentityHashes, type RememberedPerson } from './person/memory.ts';
import type { Person, PersonRow } from './person/person.ts';
import type { PersonTask } from './person/progress.ts';
import { importPerson } from './person/run-person.ts';

type RejectedRow = Extract<MappingResult, { readonly ok: false }>;

/** The input, the index and the limits of a pass over the rows of a run. */
export interface ImportRowsOptions {
  readonly source: Source;
  readonly map: (row: Row) => MappingResult;
  readonly index: InputIndex;
  /** True takes all rows, false only those that the index has selected. */
  readonly takesAll: boolean;
  readonly gather: GatherOptions;
  readonly budget: ErrorBudget;
  /** Called each time that the budget is found exceeded. */
  readonly overBudget: (stop: ErrorBudgetStop) => void;
  /** The most items of the input that are taken, from the first one. */
  readonly limit: number;
  /** Stops the run: no new row starts, no new request is sent. */
  readonly stop: (reason: FatalError) => void;
}

/**
 * Imports all rows that have no outcome; resolves when none is in progress; throws the error that stopped the
 * run.
 */
export async function importRows(
  context: ImportContext,
  file: JournalDatabase,
  options: ImportRowsOptions,
): Promise<void> {
  const denied = await walkRows(context, file, options, 'leave open');
  if (denied === 0) return;
  // Rows with a 403 run again after all others. If the same request has succeeded for another row by then, a second 403
  // concerns only this row; otherwise the token lacks the permission, and the run stops.
  context.journal.flush();
  await walkRows(context, file, options, 'stop');
}

/** Runs the rows until none is in progress; returns the number left open because the token lacks permission. */
async function walkRows(
  context: ImportContext,
  file: JournalDatabase,
  options: ImportRowsOptions,
  atDenial: 'leave open' | 'stop',
): Promise<number> {
  const walk = new RowsWalk(context, file, options, atDenial);
  try {
    await walk.run();
  } catch (error) {
    options.stop(toFatalError(error));
  }
  await context.pool.idle();
  context.signal.throwIfAborted();
  return walk.denied;
}

/** The known facts about the rows of a batch before they are processed. */
interface BatchFacts {
  readonly finished: ReadonlySet<number>;
  readonly open: readonly StepRecord[];
  readonly of: (seq: number) => IndexedRowFacts;
  readonly selected: ReadonlySet<number> | undefined;
}

class RowsWalk {
  readonly #context: ImportContext;
  readonly #file: JournalDatabase;
  readonly #options: ImportRowsOptions;
  readonly #gathering: PersonGatherer;
  readonly #sequence = new IdentifierQueue();
  readonly #atDenial: 'leave open' | 'stop';
  /** The latest row that was started. */
  #latest: Omit<ErrorBudgetStop, 'message'> = { row: 0, line: 0 };
  /** The number of rows left open because the token lacks permission. */
  denied = 0;

  constructor(
    context: ImportContext,
    file: JournalDatabase,
    options: ImportRowsOptions,
    atDenial: 'leave open' | 'stop',
  ) {
    this.#atDenial = atDenial;
    this.#context = context;
    this.#file = file;
    this.#options = options;
    this.#gathering = new PersonGatherer(options.gather);
  }

  async run(): Promise<void> {
    const { signal, journal } = this.#context;
    const { source, limit, takesAll } = this.#options;
    // Selected rows are spread over the input; rows that are not selected never get an outcome.
    const from = takesAll ? readFirstUnfinishedItemNumber(this.#file, journal.run.number) : 0;
    let seq = from;
    for await (const batch of source.read(from, signal)) {
      const facts = this.#factsOf(seq, batch.length);
      for (const item of batch) {
        if (seq >= limit || signal.aborted) return;
        await this.#take(seq, item, facts);
        seq += 1;
      }
    }
  }

  #factsOf(seq: number, length: number): BatchFacts {
    const { index, takesAll } = this.#options;
    const run = this.#context.journal.run.number;
    const to = seq + length;
    return {
      finished: readFinishedItemNumbers(this.#file, run, seq, to),
      open: listStepsOfUnfinishedItems(this.#file, run, seq, to),
      of: readRowFacts(index, seq, to),
      selected: takesAll ? undefined : index.selectedBetween(seq, to),
    };
  }

  async #take(seq: number, item: SourceItem, facts: BatchFacts): Promise<void> {
    if (facts.finished.has(seq)) return;
    const about = facts.of(seq);
    const { group } = about;
    const isOurs = facts.selected?.has(seq) ?? true;
    if (!isOurs && !(group !== undefined && this.#isWanted(group))) return;
    if (isOurs) {
      this.#options.budget.begin();
      this.#latest = { row: seq + 1, ...normaliseRowPlace(item) };
    }
    this.#judge();
    if (this.#context.signal.aborted) return;
    const open = facts.open.length === 0 ? facts.open : facts.open.filter((step) => step.seq === seq);
    const gathered = this.#gather(seq, item, about, open);
    switch (gathered?.kind) {
      case undefined:
      case 'waits':
        return;
      case 'skipped':
      case 'rejected':
      case 'proposed':
        return this.#leave(gathered);
      case 'person':
        return await this.#begin(gathered.person);
    }
  }

  /** Returns true if the run takes any row of the group: the others are then needed to build the person. */
  #isWanted(group: RowGroup): boolean {
    return group.members.some((seq) => this.#isOurs({ seq }));
  }

  #gather(
    seq: number,
    item: SourceItem,
    about: IndexedRowFacts,
    open: readonly StepRecord[],
  ): GatherResult | undefined {
    const hash = hashRowContent(item);
    const place = normaliseRowPlace(item);
    if (item.kind !== 'row') {
      const broken = item.kind === 'broken';
      const outcome = broken ? 'rejected' : 'filtered';
      const problems = broken ? [item.problem] : [];
      const raw = broken ? item.raw : null;
      this.#record([{ seq, ...place, outcome, key: null, contact: null, cells: null, problems, raw, hash }]);
      return undefined;
    }
    const mapped = this.#options.map(item);
    if (mapped.ok) {
      const row: PersonRow = { seq, ...place, key: mapped.draft.key, cells: item.entries(), hash };
      return this.#gathering.take({ row, draft: mapped.draft }, about, open);
    }
    const { key, problems } = mapped;
    const also = this.#keysOf(mapped).map((known) => this.#context.journal.known.saw(known, item.line));
    const row = { seq, ...place, outcome: 'rejected', key, contact: null, raw: null, hash } as const;
    this.#record([{ ...row, problems, cells: item.entries() }], also);
    return undefined;
  }

  /** Returns the keys under which the journal may remember a row that its mapping rejects. */
  #keysOf({ key, draft }: Pick<RejectedRow, 'key' | 'draft'>): readonly string[] {
    if (key !== null) return [`key:${key}`];
    return draft === undefined
      ? []
      : listDraftIdentifiers(draft, this.#options.gather.identify).map(formatIdentifier);
  }

  #leave({ kind, rows: all, keys, problem, questions }: UnsentRows): void {
    const { journal } = this.#context;
    const rows = all.filter((row) => this.#isOurs(row));
    const also = all.flatMap((row, n) => {
      const key = keys[n];
      return key === undefined || !this.#isOurs(row) ? [] : [journal.known.saw(key, row.line)];
    });
    this.#record(
      rows.map(({ seq, key, cells, hash, ...row }) => ({
        seq,
        ...normaliseRowPlace(row),
        outcome: kind,
        key,
        contact: null,
        problems: [problem],
        cells: isOpenOutcome(kind) ? cells : null,
        raw: null,
        hash,
      })),
      also,
      questions,
    );
  }

  async #begin(person: Person): Promise<void> {
    const { pool, signal } = this.#context;
    if (isForgotten(this.#context, person))
      return this.#record(person.rows.filter((row) => this.#isOurs(row)).map(createForgottenRecord));
    await pool.room();
    if (signal.aborted) return;
    const remembered = findRememberedPerson(this.#context.journal, person);
    const identities = listIdentityHashes(person, remembered);
    // The person enters the queue in the input's order, before it waits for anything: a row that gives up an e-mail
    // must be sent before the row that gets it.
    const turn = this.#sequence.enter(identities);
    pool.begin(() => this.#run(person, remembered, identities, turn));
  }

  async #run(
    person: Person,
    remembered: RememberedPerson | undefined,
    identities: readonly string[],
    turn: IdentifierQueueTurn,
  ): Promise<void> {
    try {
      if (turn.ready !== undefined) await turn.ready;
      const isGivenUpLater = remembered === undefined && this.#isGivenUpLater(person, identities);
      await this.#runInSlot({ context: this.#context, person, remembered, isGivenUpLater });
    } finally {
      turn.leave();
    }
  }

  async #runInSlot(task: Omit<PersonTask, 'values'>): Promise<void> {
    const { pool, signal } = this.#context;
    const slot = pool.take();
    if (slot !== undefined) await slot;
    try {
      if (signal.aborted) return;
      const end = await importPerson(task);
      this.#finish(
        createPersonResultRecords(this.#context.journal, task.person, end, (row) => this.#isOurs(row)),
      );
    } catch (error) {
      // What was sent is in the journal; the next start settles it.
      if (error instanceof AccessDeniedError && !error.final && this.#atDenial === 'leave open')
        this.denied += 1;
      else if (!signal.aborted) this.#options.stop(toFatalError(error));
    } finally {
      pool.give();
    }
  }

  /**
   * Returns true if the run takes the row. Reads one row from the index, since the rows of a person may be far apart.
   */
  #isOurs({ seq }: Pick<PersonRow, 'seq'>): boolean {
    const { takesAll, index } = this.#options;
    return takesAll || index.selectedBetween(seq, seq + 1).has(seq);
  }

  /**
   * Returns true if an identifier of this new person still belongs to another contact, because the row that gives it up
   * comes later.
   */
  #isGivenUpLater(person: Person, identities: readonly string[]): boolean {
    const { index } = this.#options;
    return identities.some((identity) => (index.movedFrom(identity) ?? -1) > person.carrier.seq);
  }

  #record(
    all: readonly RowRecord[],
    also: readonly (() => void)[] = [],
    questions: PersonResultRecords['questions'] = [],
  ): void {
    const known = all.map((row) => redactIfForgotten(this.#context, row));
    const { forgotten } = this.#context.journal;
    const about = known.some(({ outcome }) => outcome === 'proposed') ? questions : [];
    const asked = about.filter(({ other }) => !(other.kind === 'row' && forgotten.has([other.memoryKey])));
    const rows = about.length > 0 && asked.length === 0 ? known.map(redactProposedRow) : known;
    this.#finish({ rows, proposals: [], questions: asked, tagged: undefined, also });
  }

  #finish(end: PersonResultRecords): void {
    const { journal, listen } = this.#context;
    journal.finish({ ...end, also: [...end.also, ...this.#answered(end)] });
    for (const { line, key, outcome, contact, problems } of end.rows) {
      listen({ kind: 'row', line, key, outcome, contactId: contact, problems });
      this.#options.budget.add(outcome);
    }
    this.#judge();
  }

  /**
   * Returns the journal writes that remember the answers about rows, whatever the outcomes of the rows are. Only
   * answers about stale rows are not remembered, because they may be out of date.
   */
  #answered({ rows }: PersonResultRecords): readonly (() => void)[] {
    const { scope, journal } = this.#context;
    const current = rows.filter(({ outcome }) => outcome !== 'stale');
    return current.flatMap((row) =>
      (scope.answersOf?.(row) ?? []).map(({ question: { memoryKey, other }, answer }) => {
        const about = other.kind === 'row' ? other.memoryKey : formatIdentifier(idToIdentifier(other.id));
        return journal.answers.remember(memoryKey, about, answer);
      }),
    );
  }

  #judge(): void {
    const message = this.#options.budget.exceeded();
    if (message !== undefined) this.#options.overBudget({ ...this.#latest, message });
  }
}
