import type { InputIndex } from '../../../identity/input-index/index.ts';
import {
  compileTagFinalizer,
  compileTimeOfDayTests,
  createColumnFilter,
  type LoadedMapping,
} from '../../../mapping/index.ts';
import type { Draft, MappingResult } from '../../../model/draft.ts';
import type { Problem, ProblemCount } from '../../../model/problem.ts';
import type { InputFacts, Row, SourceItem } from '../../../model/row.ts';
import { normaliseRowPlace, type RowPlace } from '../../../model/row-place.ts';
import { ProblemCounter } from '../problem-count.ts';
import { isProblemCodeCountedByCellValue, runLossCodes } from './kinds.ts';
import { addUnreachedRowLosses, type ErrorBudgetStop, listUnreadLosses } from './left-behind.ts';

/** The settings that, together with the rows, determine the losses of an input. */
export interface InputLossCounterOptions {
  readonly mapping: LoadedMapping;
  readonly input: Pick<InputFacts, 'columns' | 'lists' | 'items' | 'unreadSheets'>;
  /** Steps that the pipeline defers. */
  readonly deferred: readonly string[];
  /** True where tags are attached by hand, from contact-tags.csv. */
  readonly tagsByHand: boolean;
  /** True where owners are compared with the users of the workspace. */
  readonly knowsUsers: boolean;
  /** The list fields whose values are not compared with those that the workspace allows. */
  readonly listsNotAsked: readonly string[];
  /**
   * Returns the row at which the error budget stops an import of the indexed rows; undefined if the budget suffices.
   * `place` is undefined if the import stops at a valid row, which can only be the row `judgedFrom`.
   */
  readonly stopOf: (
    index: InputIndex,
  ) => (Omit<ErrorBudgetStop, keyof RowPlace> & { readonly place: RowPlace | undefined }) | undefined;
  /**
   * The row, 1 being the first, from which the error budget is checked; an import may stop there although the row
   * itself is valid.
   */
  readonly judgedFrom: number;
}

const mostSpellings = 1_000;

/** Counts the losses of the rows of an input, each row by itself, before anything is sent. */
export class InputLossCounter {
  readonly #rules: InputLossCounterOptions;
  readonly #counter = new ProblemCounter();
  readonly #columns: LeftOutColumns;
  readonly #times: ReadonlyMap<string, (cell: string) => boolean>;
  readonly #settleTags: ReturnType<typeof compileTagFinalizer>;
  readonly #spellings = new Map<string, string>();
  #rows = 0;
  #judged: RowPlace = { line: 0 };

  constructor(rules: InputLossCounterOptions) {
    this.#rules = rules;
    this.#columns = new LeftOutColumns(rules);
    this.#times = compileTimeOfDayTests(rules.mapping.mapping);
    this.#settleTags = compileTagFinalizer(rules.mapping);
  }

  /** Counts the losses of the next item of the input. */
  take(item: SourceItem, mapped: MappingResult | undefined): void {
    this.#rows += 1;
    if (this.#rows === this.#rules.judgedFrom) this.#judged = normaliseRowPlace(item);
    if (item.kind === 'row')
      for (const column of this.#columns.foundIn(item)) this.#count(item, runLossCodes.columns, [column]);
    if (item.kind === 'broken') this.#reject(item, item.problem);
    else if (mapped?.ok === false) this.#reject(item, mapped.problems[0]);
    else if (mapped?.ok === true && item.kind === 'row') {
      // A row with too many tags is rejected, whatever other rows of its person have.
      const settled = this.#settleTags(mapped.draft);
      if (settled.ok) this.#draft(item, settled.draft);
      else this.#reject(item, settled.problem);
    }
  }

  #reject(row: RowPlace, problem: Problem | undefined): void {
    if (problem !== undefined)
      this.#counter.add(row, { ...problem, code: runLossCodes.rejected }, [problem.code]);
  }

  /** Returns the row at which the error budget stops the import; call it once all rows are in the index. */
  stop(index: InputIndex): ErrorBudgetStop | undefined {
    const stop = this.#rules.stopOf(index);
    if (stop === undefined) return undefined;
    const { place = this.#judged, ...over } = stop;
    return { ...over, ...place };
  }

  /** Returns all losses counted so far, with the rows after `stop` as not reached. */
  losses(stop: ErrorBudgetStop | undefined): readonly ProblemCount[] {
    const { items, unreadSheets = [] } = this.#rules.input;
    const unread = listUnreadLosses(unreadSheets.map((value) => ({ value, n: 1 })));
    return [...addUnreachedRowLosses(this.#counter.all(), stop, items), ...unread];
  }

  #draft(item: Row, draft: Draft): void {
    for (const problem of draft.dropped) {
      const { code, column } = problem;
      const cell =
        isProblemCodeCountedByCellValue(code) && column !== null ? (item.cell(column) ?? '').trim() : '';
      this.#counter.add(item, problem, cell === '' ? [] : [cell]);
    }
    const timed = [...this.#times].flatMap(([column, hasTime]) =>
      hasTime(item.cell(column) ?? '') ? column : [],
    );
    if (timed.length > 0) this.#count(item, runLossCodes.times, timed);
    const { tags = [], assignee } = draft;
    const { deferred, tagsByHand, knowsUsers, listsNotAsked } = this.#rules;
    if (tagsByHand && tags.length > 0) this.#count(item, runLossCodes.tagsByHand, tags.map(this.#spelling));
    if (!knowsUsers && assignee !== undefined && assignee.as !== '')
      this.#count(item, runLossCodes.owners, [assignee.as]);
    const chosen = listsNotAsked.flatMap((name) => {
      const value = draft.values.customFields[name] ?? '';
      return value === '' ? [] : [`${name}: ${value}`];
    });
    if (chosen.length > 0) this.#count(item, runLossCodes.listValues, chosen);
    const waiting = deferred.length === 0 ? [] : deferred.filter((step) => hasDesiredState(draft, step));
    if (waiting.length > 0) this.#count(item, runLossCodes.deferred, waiting);
  }

  /** Returns the first spelling of a tag in the input, because a workspace compares tags without regard to case. */
  readonly #spelling = (tag: string): string => {
    const known = this.#spellings.get(tag.toLowerCase());
    if (known === undefined && this.#spellings.size < mostSpellings)
      this.#spellings.set(tag.toLowerCase(), tag);
    return known ?? tag;
  };

  #count(row: RowPlace, code: string, values: readonly string[]): void {
    this.#counter.add(row, { code, column: null, reason: values.join(', ') }, values);
  }
}

const mostColumns = 1_000;

/** Finds the columns that no rule reads, each at the first row that has a value in it. */
class LeftOutColumns {
  readonly #isRead: ReturnType<typeof createColumnFilter>;
  /** The unread columns without a value so far. */
  readonly #empty: Set<string>;
  readonly #emptyListed: Map<string, Set<string>>;
  /** The unread columns with a value so far, if the input does not name its columns; undefined if it does. */
  readonly #found: Set<string> | undefined;

  constructor({ mapping, input: { columns, lists = [] } }: InputLossCounterOptions) {
    const isRead = createColumnFilter(mapping.mapping);
    this.#isRead = isRead;
    this.#empty = new Set((columns ?? []).filter((column) => !isRead(column)));
    this.#emptyListed = new Map(
      lists.map(({ name, columns: listed }) => [
        name,
        new Set((listed ?? []).filter((column) => !isRead(column, name))),
      ]),
    );
    this.#found = columns === null ? new Set() : undefined;
  }

  foundIn(row: Row): readonly string[] {
    const found: string[] = [];
    for (const column of this.#empty) if (hasText(row.cell(column))) found.push(column);
    for (const column of found) this.#empty.delete(column);
    return [...found, ...this.#listedIn(row), ...this.#unnamedIn(row)];
  }

  #listedIn(row: Row): readonly string[] {
    const found: string[] = [];
    for (const [list, columns] of this.#emptyListed) {
      if (columns.size === 0) continue;
      const rows = row.list?.(list) ?? [];
      for (const column of columns) {
        if (!rows.some((each) => hasText(each.cell(column)))) continue;
        columns.delete(column);
        found.push(column === '' ? list : `${list}.${column}`);
      }
    }
    return found;
  }

  #unnamedIn(row: Row): readonly string[] {
    const before = this.#found;
    if (before === undefined || before.size >= mostColumns) return [];
    const found = row
      .entries()
      .filter(([column, cell]) => !before.has(column) && hasText(cell) && !this.#isRead(column))
      .map(([column]) => column);
    for (const column of found) before.add(column);
    return found;
  }
}

function hasText(cell: string | null | undefined): boolean {
  return typeof cell === 'string' && cell.trim() !== '';
}

function hasDesiredState(
  { lifecycle, defaultLifecycle, assignee, conversation }: Draft,
  step: string,
): boolean {
  const states: Readonly<Record<string, unknown>> = {
    lifecycle: lifecycle ?? defaultLifecycle,
    assignee,
    conversation,
  };
  return states[step] !== undefined;
}
