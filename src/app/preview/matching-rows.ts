import type { LoadedMapping } from '../../mapping/index.ts';
import type { Problem } from '../../model/problem.ts';
import type { Cell, SourceItem } from '../../model/row.ts';
import { isSecretColumn } from '../draft/columns/secret-columns.ts';
import type { CountedValue } from '../draft/profile/value-counts.ts';
import type { PreviewInput } from './given-input.ts';
import { openInputForMapping, parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';
import { createRowEvaluator, listProblemsWithEffects, type ProblemEffect } from './row-verdict.ts';
import { toShownCell, truncateCell } from './shown-row.ts';

/** The query for a page of rows that meet all of its conditions. */
export interface RowsQuery {
  /** A problem with its effect on the row; null for rows with and without problems. */
  readonly problem: { readonly code: string; readonly effect: ProblemEffect } | null;
  /** The value of a column, compared without regard to case and blanks at its ends; null for any. */
  readonly cell: { readonly column: string; readonly text: string } | null;
  /** A text in one of the cells, without regard to case; '' for any. */
  readonly search: string;
  /** The number of the first row to check, from 0. */
  readonly from: number;
  readonly limit: number;
}

/** A page of rows, or the part of it that was found so far. */
export interface RowsPage {
  readonly rows: readonly {
    /** Its number in the input, from 0. */
    readonly number: number;
    readonly line: number;
    readonly cells: readonly (readonly [column: string, cell: Cell])[];
    /** The text of a record that is not a row; null for a row. */
    readonly raw: string | null;
    readonly problems: readonly (Problem & { readonly effect: ProblemEffect })[];
  }[];
  /** The number of the row that the next page starts with; null without a next page, and before `done`. */
  readonly next: number | null;
  /**
   * The texts that the cell of the query has in all rows of the input, with their numbers of rows; null before the whole
   * input is searched, for a query with other conditions, and for a column of secrets.
   */
  readonly texts: readonly CountedValue[] | null;
  /** The share of the input that was searched for the page, from 0 to 1. */
  readonly share: number;
  readonly done: boolean;
}

/** The number of rows between two events. */
const step = 25_000;

/**
 * Finds a page of the rows that match a query, with the problems that the mapping finds in them; calls `tell` with the
 * rows so far, the last time with `done`. Rows that the pipeline filters are in no page.
 */
export async function listMatchingRows(
  given: PreviewInput,
  mapping: UnsavedMapping,
  query: RowsQuery,
  tell: (soFar: RowsPage) => void,
  signal: AbortSignal,
): Promise<void> {
  const { loaded } = parseUnsavedMapping(mapping);
  const found = new FoundRows(query, loaded);
  const { rows } = found;
  const input = await openInputForMapping(given, loaded, signal);
  let number = query.from;
  let following = number + step;
  let share = 1;
  for await (const items of input.source.read(query.from, signal)) {
    for (const item of items) {
      found.take(item, number);
      if (found.next === number) {
        share = input.share(number);
        tell({ rows, next: number, share, texts: null, done: true });
        if (found.texts === null) return;
      }
      number += 1;
    }
    signal.throwIfAborted();
    if (number < following || found.next !== null) continue;
    following = number + step;
    tell({ rows, next: null, share: input.share(number), texts: null, done: false });
  }
  tell({ rows, next: found.next, share, texts: found.texts, done: true });
}

/** The rows of a page, and the texts that the cell of its query has in them and in all later rows. */
class FoundRows {
  readonly rows: RowsPage['rows'][number][] = [];
  /** The number of the first row after a full page; null until there is one. */
  next: number | null = null;
  readonly #query: RowsQuery;
  readonly #judge: ReturnType<typeof createRowEvaluator>;
  readonly #hasText: ReturnType<typeof compileTextConditions>;
  readonly #counted: string | undefined;
  readonly #texts = new Map<string, number>();

  constructor(query: RowsQuery, loaded: LoadedMapping) {
    this.#query = query;
    this.#judge = createRowEvaluator(loaded);
    this.#hasText = compileTextConditions(query);
    this.#counted = findColumnToCount(query);
  }

  take(item: SourceItem, number: number): void {
    if (!this.#hasText(item)) return;
    if (this.#counted !== undefined && item.kind === 'row') {
      const text = item.cell(this.#counted) ?? '';
      this.#texts.set(text, (this.#texts.get(text) ?? 0) + 1);
    }
    const problems = this.next === null ? problemsOf(this.#judge(item), this.#query) : undefined;
    if (problems === undefined) return;
    if (this.rows.length === this.#query.limit) this.next = number;
    else this.rows.push({ number, line: item.line, ...cellsOf(item), problems });
  }

  /** Null for a query whose texts are not counted. */
  get texts(): RowsPage['texts'] {
    if (this.#counted === undefined) return null;
    return [...this.#texts].map(([value, n]) => ({ value, n }));
  }
}

/** Returns the column whose texts are counted in all rows; undefined for a query of which they say too little. */
function findColumnToCount({ problem, cell, search, from }: RowsQuery): string | undefined {
  const isAlone = problem === null && search === '' && from === 0;
  return isAlone && cell !== null && !isSecretColumn(cell.column) ? cell.column : undefined;
}

/** Returns the problems of a row; undefined if the query asks for a problem that the row does not have. */
function problemsOf(
  verdict: ReturnType<ReturnType<typeof createRowEvaluator>>,
  { problem }: RowsQuery,
): RowsPage['rows'][number]['problems'] | undefined {
  const found = listProblemsWithEffects(verdict).map(([effect, each]) => ({ ...each, effect }));
  const isAsked = ({ code, effect }: (typeof found)[number]) =>
    code === problem?.code && effect === problem.effect;
  return problem === null || found.some(isAsked) ? found : undefined;
}

/** Compiles the conditions that need no mapping: those on the texts of a row. */
function compileTextConditions({ cell, search }: RowsQuery): (item: SourceItem) => boolean {
  const plain = (text: string | null | undefined) => (text ?? '').trim().toLowerCase();
  const wanted = cell && { column: cell.column, text: plain(cell.text) };
  const part = search.toLowerCase();
  const hasPart = (text: Cell) => text?.toLowerCase().includes(part) === true;
  return (item) => {
    if (item.kind === 'filtered') return false;
    if (item.kind === 'broken') return wanted === null && (part === '' || hasPart(item.raw));
    if (wanted !== null && plain(item.cell(wanted.column)) !== wanted.text) return false;
    return part === '' || item.entries().some(([, text]) => hasPart(text));
  };
}

function cellsOf(item: SourceItem): Pick<RowsPage['rows'][number], 'cells' | 'raw'> {
  if (item.kind !== 'row') return { cells: [], raw: item.kind === 'broken' ? truncateCell(item.raw) : null };
  return {
    cells: item.entries().map(([column, cell]) => [column, toShownCell(column, cell)] as const),
    raw: null,
  };
}
