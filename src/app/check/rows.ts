import { join } from 'node:path';
import { type InputIndex, openInputIndex, removeInputIndex } from '../../identity/input-index/index.ts';
import {
  collectKeepRules,
  compileMapping,
  compileTagFinalizer,
  findFirstColumnOfRule,
} from '../../mapping/index.ts';
import type { Draft, MappingResult } from '../../model/draft.ts';
import type { LeftBehindGroup } from '../../model/left-behind.ts';
import type { Problem, ProblemCount } from '../../model/problem.ts';
import type { InputFacts, Row, Source, SourceItem } from '../../model/row.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import type { TableUseSummary } from '../../model/table-use.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { planCreate } from '../../steps/create-contact.ts';
import { listDefaultFirstNameNotes, withFirstNameColumn } from '../../steps/first-name.ts';
import { createPrerequisiteFinder, indexRow } from '../import/index-row.ts';
import { createFoldedProblem } from '../import/person/end.ts';
import { type IndexedRowFacts, PersonGatherer, readRowFacts } from '../import/person/gather.ts';
import type { Person, PersonRow } from '../import/person/person.ts';
import { removeSharedIdentifiers } from '../import/person/questions.ts';
import { createInputLossCounter } from '../import/prepare.ts';
import { listRowFilterOptions } from '../run/input.ts';
import type { InputLossCounter } from '../run/left-behind/first-pass.ts';
import { runLossCodes } from '../run/left-behind/kinds.ts';
import {
  addFirstPassLosses,
  listJoinLosses,
  listRejectedRowLosses,
  summariseLosses,
} from '../run/left-behind/left-behind.ts';
import { ProblemCounter } from '../run/problem-count.ts';
import type { WorkspaceFacts } from '../run/workspace-facts.ts';

/**
 * The results of checking an input's rows against the mapping and the policy. Each row counts once: read = pass +
 * skipped + filtered + rejected + proposed.
 */
export interface RowCheckCounts {
  readonly read: number;
  readonly pass: number;
  /** Rows left out under `duplicates: first` or `last`, because another row of the same person is taken. */
  readonly skipped: number;
  readonly filtered: number;
  readonly rejected: number;
  /**
   * Rows that may be the same person as another row; an import writes nothing of them until the user says whether they
   * are.
   */
  readonly proposed: number;
  readonly rejects: readonly ProblemCount[];
  /** Problems for which an import rejects a row if it must create the contact, but not if the contact exists. */
  readonly rejectsOfNew: readonly ProblemCount[];
  /** Single values that are left out of rows that pass. */
  readonly dropped: readonly ProblemCount[];
  /**
   * The number of people whom several rows describe (`several`), the number of these rows (`rows`), and the number of
   * phones that too many people share (`weakPhones`).
   */
  readonly people: { readonly several: number; readonly rows: number; readonly weakPhones: number };
  /** The row (from 1) at which the error budget would stop an import, and the reason; null if it would not. */
  readonly budget: { readonly row: number; readonly message: string } | null;
  /** The use of the rows of each table; absent for an input of one table. */
  readonly tables?: TableUseSummary;
}

/** The results of the rows, and what an import of them leaves behind. */
export interface RowCheckReport {
  /** The options of the source that leave out rows. */
  readonly filters: readonly string[];
  readonly rows: RowCheckCounts;
  readonly leftBehind: readonly LeftBehindGroup[];
}

/** Returns true if no row needs manual action. */
export function isReadyToImport({ rejected, proposed, rejectsOfNew, budget }: RowCheckCounts): boolean {
  return rejected === 0 && proposed === 0 && rejectsOfNew.length === 0 && budget === null;
}

interface RowsRequest {
  readonly pipeline: LoadedImportPipeline;
  /** The source, already inspected. */
  readonly source: Source;
  readonly input: InputFacts;
  readonly workDir: string;
  /** Undefined in an offline check. */
  readonly facts: WorkspaceFacts | undefined;
  readonly signal: AbortSignal;
}

/**
 * Processes every row as an import does before its first request: the first pass maps the rows to find the people, the
 * second counts the results of the people.
 */
export async function checkRows(request: RowsRequest): Promise<RowCheckReport> {
  const { pipeline, input, workDir, facts } = request;
  const map = compileMapping(pipeline.import.mapping, facts);
  const path = join(workDir, 'spool', `check-${process.pid}.index.db`);
  const { index } = openInputIndex(path, 'check');
  try {
    const firstPass = createInputLossCounter(pipeline, input, facts);
    await findPeople(request, index, map, firstPass);
    const stop = firstPass.stop(index);
    const tables = await tableUses(request.source);
    const trial = new Trial(pipeline, index, map);
    for await (const { from, items } of batches(request)) trial.take(from, items);
    return {
      filters: listRowFilterOptions(pipeline.import.source),
      rows: {
        ...trial.result(),
        budget: stop === undefined ? null : { row: stop.row, message: stop.message },
        ...(tables && { tables }),
      },
      leftBehind: summariseLosses([...trial.losses(firstPass.losses(stop)), ...listJoinLosses(tables)]).map(
        markAsOfNewContacts,
      ),
    };
  } finally {
    index.close();
    removeInputIndex(path);
  }
}

/** Marks the contacts with the default first name as known with the workspace: only it knows which are new. */
function markAsOfNewContacts(group: LeftBehindGroup): LeftBehindGroup {
  return group.kind === 'namesDefaulted' ? { ...group, known: 'workspace' } : group;
}

async function tableUses(source: Source): Promise<TableUseSummary | undefined> {
  const account = source.tables?.();
  for (;;) {
    const page = await account?.next();
    if (page === undefined || page.done === true) return page?.value;
  }
}

type MapRow = (row: Row) => MappingResult;

async function findPeople(
  request: RowsRequest,
  index: InputIndex,
  map: MapRow,
  firstPass: InputLossCounter,
): Promise<void> {
  const { mapping, policy } = request.pipeline.import;
  const { identify } = mapping.mapping;
  const rules = { identify, needsOf: createPrerequisiteFinder(mapping), givenUp: () => [] };
  for await (const { from, items } of batches(request)) {
    for (const [n, item] of items.entries()) {
      const mapped = item.kind === 'row' ? map(item) : undefined;
      firstPass.take(item, mapped);
      const place = { seq: from + n, ...normaliseRowPlace(item) };
      if (mapped?.ok === true) indexRow(index, place, mapped.draft, rules);
      else if (item.kind !== 'filtered') index.addRejected(place.seq, place);
    }
  }
  const { maxPeoplePerPhone: switchboard, samePerson, unsure, duplicates } = policy;
  index.finish({ switchboard, samePerson, unsure, duplicates, answers: () => undefined });
}

async function* batches({
  source,
  signal,
}: RowsRequest): AsyncGenerator<{ readonly from: number; readonly items: readonly SourceItem[] }> {
  let from = 0;
  for await (const items of source.read(0, signal)) {
    yield { from, items };
    from += items.length;
    signal.throwIfAborted();
  }
}

/** Counts the results of the second pass over the rows. */
class Trial {
  readonly #index: InputIndex;
  readonly #map: MapRow;
  readonly #gathering: PersonGatherer;
  readonly #rejects = new ProblemCounter();
  readonly #rejectsOfNew = new ProblemCounter();
  readonly #dropped = new ProblemCounter();
  readonly #counts = { read: 0, pass: 0, skipped: 0, filtered: 0, rejected: 0, proposed: 0 };
  readonly #people = new ProblemCounter();
  readonly #nameColumn: string | null;

  constructor({ import: { mapping, policy } }: LoadedImportPipeline, index: InputIndex, map: MapRow) {
    this.#index = index;
    this.#map = map;
    this.#nameColumn = findFirstColumnOfRule(mapping.mapping.contact.firstName);
    this.#gathering = new PersonGatherer({
      index,
      duplicates: policy.duplicates,
      identify: mapping.mapping.identify,
      keep: collectKeepRules(mapping),
      settleTags: compileTagFinalizer(mapping),
    });
  }

  take(from: number, items: readonly SourceItem[]): void {
    const facts = readRowFacts(this.#index, from, from + items.length);
    for (const [n, item] of items.entries()) {
      const seq = from + n;
      this.#counts.read += 1;
      this.#takeOne(seq, item, facts(seq));
    }
  }

  result(): Omit<RowCheckCounts, 'budget'> {
    const { groups, folded, weakPhones } = this.#index.counts();
    return {
      ...this.#counts,
      rejects: this.#rejects.all(),
      rejectsOfNew: this.#rejectsOfNew.all(),
      dropped: this.#dropped.all(),
      people: { several: groups, rows: groups + folded, weakPhones },
    };
  }

  /**
   * Returns all losses: those that the second pass counted, completed by what only the first pass knows
   * (`addFirstPassLosses`).
   */
  losses(firstPass: readonly ProblemCount[]): readonly ProblemCount[] {
    const rejectsOfNew = this.#rejectsOfNew.all();
    const unnamed = rejectsOfNew.reduce((sum, { n }) => sum + n, 0);
    const ofRows = [
      ...this.#dropped.all(),
      ...this.#people.all(),
      ...listRejectedRowLosses(this.#counts.rejected, this.#rejects.all()),
      ...listRejectedRowLosses(unnamed, rejectsOfNew, runLossCodes.rejectedIfNew),
    ];
    return addFirstPassLosses(ofRows, firstPass);
  }

  #takeOne(seq: number, item: SourceItem, facts: IndexedRowFacts): void {
    if (item.kind === 'filtered') {
      this.#counts.filtered += 1;
    } else if (item.kind === 'broken') {
      this.#reject(item, [item.problem]);
    } else {
      const mapped = this.#map(item);
      if (mapped.ok)
        this.#gather(
          { seq, ...normaliseRowPlace(item), key: mapped.draft.key, cells: [], hash: null },
          mapped.draft,
          facts,
        );
      else this.#reject(item, mapped.problems);
    }
  }

  #gather(row: PersonRow, draft: Draft, facts: IndexedRowFacts): void {
    const gathered = this.#gathering.take({ row, draft }, facts, []);
    switch (gathered.kind) {
      case 'waits':
        break;
      case 'skipped':
        this.#counts.skipped += gathered.rows.length;
        break;
      case 'rejected':
        for (const row of gathered.rows) this.#reject(row, [gathered.problem]);
        break;
      case 'proposed':
        this.#counts.proposed += gathered.rows.length;
        for (const row of gathered.rows) this.#people.add(row, gathered.problem);
        break;
      case 'person':
        this.#pass(gathered.person);
    }
  }

  #reject(row: RowPlace, problems: readonly Problem[]): void {
    this.#counts.rejected += 1;
    for (const problem of problems) this.#rejects.add(row, problem);
  }

  #pass(gathered: Person): void {
    const person = removeSharedIdentifiers(gathered);
    const { rows, carrier, draft, dropped, identifiers } = person;
    this.#counts.pass += rows.length;
    for (const [n, row] of rows.entries()) {
      if (row !== carrier) this.#people.add(row, createFoldedProblem(person, row, carrier));
      for (const problem of dropped[n] ?? []) this.#dropped.add(row, problem);
    }
    for (const problem of draft.dropped) this.#dropped.add(carrier, problem);
    const created = planCreate(draft, identifiers);
    if (created.ok) {
      for (const note of listDefaultFirstNameNotes(draft, this.#nameColumn)) this.#people.add(carrier, note);
      return;
    }
    const problem = withFirstNameColumn(created.problem, this.#nameColumn);
    for (const row of rows) this.#rejectsOfNew.add(row, problem);
  }
}
