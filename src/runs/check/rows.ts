import { join } from 'node:path';
import { type Group, type InputIndex, openInputIndex, removeInputIndex } from '../../identity/input-index.ts';
import { compileMapping, keepRules, settleTags } from '../../mapping/index.ts';
import type { Draft, Mapped } from '../../model/draft.ts';
import type { Problem } from '../../model/problem.ts';
import type { Row, Source, SourceItem } from '../../model/row.ts';
import { planCreate } from '../../steps/create-contact.ts';
import { ErrorBudget } from '../import/budget.ts';
import { indexRow, needsOf } from '../import/index-row.ts';
import { Gathering } from '../import/person/gather.ts';
import type { Person, PersonRow } from '../import/person/person.ts';
import type { LoadedPipeline } from '../pipeline/index.ts';
import type { WorkspaceFacts } from '../workspace-facts.ts';
import { type ProblemCount, ProblemCounter } from './problem-count.ts';

/** What the mapping and the policy make of the rows of an input: read = pass + skipped + filtered + rejected. */
export interface CheckedRows {
  readonly read: number;
  readonly pass: number;
  /** The same person as another row, under `duplicates: first` or `last`. */
  readonly skipped: number;
  readonly filtered: number;
  readonly rejected: number;
  readonly rejects: readonly ProblemCount[];
  /** What an import rejects where the person is new; it takes the row where the contact is there. */
  readonly rejectsOfNew: readonly ProblemCount[];
  /** Single values that are left out of rows that pass. */
  readonly dropped: readonly ProblemCount[];
  /** People whom several rows describe, the rows of all of them, and phones that too many people share. */
  readonly people: { readonly several: number; readonly rows: number; readonly weakPhones: number };
  /** The row, 1 being the first, at which the error budget stops an import, and why; null where it does not. */
  readonly budget: { readonly row: number; readonly message: string } | null;
}

/** Whether nobody has to look at a row. */
export function allPass({ rejected, rejectsOfNew, budget }: CheckedRows): boolean {
  return rejected === 0 && rejectsOfNew.length === 0 && budget === null;
}

interface RowsRequest {
  readonly pipeline: LoadedPipeline;
  /** Inspected already. */
  readonly source: Source;
  readonly workDir: string;
  /** Undefined where the workspace is not asked: what only it can know is not judged then. */
  readonly facts: WorkspaceFacts | undefined;
  readonly signal: AbortSignal;
}

/**
 * Takes every row as an import does before it asks or sends anything: mapped once for who the rows are, and once more for
 * what becomes of each person.
 */
export async function checkRows(request: RowsRequest): Promise<CheckedRows> {
  const { pipeline, workDir, facts } = request;
  const map = compileMapping(pipeline.import.mapping, facts);
  const path = join(workDir, 'spool', `check-${process.pid}.index.db`);
  const { index } = openInputIndex(path, 'check');
  try {
    await findPeople(request, index, map);
    const trial = new Trial(pipeline, index, map);
    for await (const { from, items } of batches(request)) trial.take(from, items);
    return trial.result();
  } finally {
    index.close();
    removeInputIndex(path);
  }
}

type MapRow = (row: Row) => Mapped;

async function findPeople(request: RowsRequest, index: InputIndex, map: MapRow): Promise<void> {
  const { mapping, policy } = request.pipeline.import;
  const { identify } = mapping.mapping;
  const rules = { identify, needsOf: needsOf(mapping), givenUp: () => [] };
  for await (const { from, items } of batches(request)) {
    for (const [n, item] of items.entries()) {
      const mapped = item.kind === 'row' ? map(item) : undefined;
      if (mapped?.ok === true) indexRow(index, from + n, mapped.draft, rules);
    }
  }
  index.finish({ switchboard: policy.maxPeoplePerPhone });
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

/** Counts what becomes of one row after the other. */
class Trial {
  readonly #index: InputIndex;
  readonly #map: MapRow;
  readonly #gathering: Gathering;
  readonly #budget: ErrorBudget;
  readonly #rejects = new ProblemCounter();
  readonly #rejectsOfNew = new ProblemCounter();
  readonly #dropped = new ProblemCounter();
  readonly #counts = { read: 0, pass: 0, skipped: 0, filtered: 0, rejected: 0 };
  #over: CheckedRows['budget'] = null;

  constructor({ import: { mapping, policy } }: LoadedPipeline, index: InputIndex, map: MapRow) {
    this.#index = index;
    this.#map = map;
    this.#budget = new ErrorBudget(policy.maxErrors);
    this.#gathering = new Gathering({
      index,
      duplicates: policy.duplicates,
      identify: mapping.mapping.identify,
      keep: keepRules(mapping),
      settleTags: settleTags(mapping),
    });
  }

  take(from: number, items: readonly SourceItem[]): void {
    const groups = this.#index.groupsBetween(from, from + items.length);
    for (const [n, item] of items.entries()) {
      const seq = from + n;
      this.#counts.read += 1;
      this.#budget.begin();
      this.#takeOne(seq, item, groups.get(seq));
      const message = this.#over === null ? this.#budget.exceeded() : undefined;
      if (message !== undefined) this.#over = { row: seq + 1, message };
    }
  }

  result(): CheckedRows {
    const { groups, folded, weakPhones } = this.#index.counts();
    return {
      ...this.#counts,
      rejects: this.#rejects.all(),
      rejectsOfNew: this.#rejectsOfNew.all(),
      dropped: this.#dropped.all(),
      people: { several: groups, rows: groups + folded, weakPhones },
      budget: this.#over,
    };
  }

  #takeOne(seq: number, item: SourceItem, group: Group | undefined): void {
    const { line } = item;
    if (item.kind === 'filtered') {
      this.#counts.filtered += 1;
    } else if (item.kind === 'broken') {
      this.#reject(line, [item.problem]);
    } else {
      const mapped = this.#map(item);
      if (mapped.ok)
        this.#gather({ seq, line, key: mapped.draft.key, cells: [], hash: null }, mapped.draft, group);
      else this.#reject(line, mapped.problems);
    }
  }

  #gather(row: PersonRow, draft: Draft, group: Group | undefined): void {
    const gathered = this.#gathering.take({ row, draft }, group, []);
    switch (gathered.kind) {
      case 'waits':
        break;
      case 'skipped':
        this.#counts.skipped += gathered.rows.length;
        break;
      case 'rejected':
        for (const { line } of gathered.rows) this.#reject(line, [gathered.problem]);
        break;
      case 'person':
        this.#pass(gathered.person);
    }
  }

  #reject(line: number, problems: readonly Problem[]): void {
    this.#counts.rejected += 1;
    this.#budget.add('rejected');
    for (const problem of problems) this.#rejects.add(line, problem);
  }

  #pass({ rows, carrier, draft, dropped, identifiers }: Person): void {
    this.#counts.pass += rows.length;
    for (const [n, { line }] of rows.entries()) {
      for (const problem of dropped[n] ?? []) this.#dropped.add(line, problem);
    }
    for (const problem of draft.dropped) this.#dropped.add(carrier.line, problem);
    const created = planCreate(draft, identifiers);
    if (created.ok) return;
    for (const { line } of rows) this.#rejectsOfNew.add(line, created.problem);
  }
}
