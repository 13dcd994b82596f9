import { createTimestampReader, extractHtmlText, trimWhiteSpace } from '../../datatypes/index.ts';
import type { CommentDraft } from '../../model/draft.ts';
import type { Cell, NestedRow, Row } from '../../model/row.ts';
import type { CommentEntry } from '../schema/comments.ts';
import type { RowDiagnostics } from './findings.ts';
import { joinChunksEscapingMentions } from './mention.ts';
import { compileColumnReader } from './read-column.ts';
import { compileTemplate, type TemplateChunk, withoutEmptyLines } from './template.ts';

export type CommentEntryWithEach = Omit<CommentEntry, 'each'> & { readonly each: string };

/** A comment of a listed row, with the value by which comments are sorted. */
interface Placed {
  readonly place: string;
  readonly comment: CommentDraft;
}

type Writer = (row: Row, mention: TemplateChunk, found: RowDiagnostics) => readonly Placed[];

/** Compiles the comments of several lists into one sequence, sorted by their `order`. */
export function compileCommentsOfLists(
  entries: readonly CommentEntryWithEach[],
): (row: Row, mention: TemplateChunk, found: RowDiagnostics) => readonly CommentDraft[] {
  const writers = entries.map(compileList);
  return (row, mention, found) =>
    inOrder(writers.flatMap((write) => write(row, mention, found))).map(({ comment }) => comment);
}

/**
 * Compiles a comment for each row of a list. Empty and repeated comments are left out. Comments without a key, and
 * those with the key of an earlier, different comment, are left out with a note.
 */
function compileList(entry: CommentEntryWithEach): Writer {
  const { each, key: keyColumn = '', order } = entry;
  const name = entry.name ?? each;
  const render = compileTemplate(entry.text);
  const cellsOf = compileCommentCellConversion(entry);
  const isNeeded = compileNeeds(entry);
  const write = (row: Row, listed: NestedRow, mention: TemplateChunk): Placed & { readonly key: string } => {
    const cells = cellsOf(row, listed);
    const { chunks, empty } = render(cells, mention);
    const key = trimWhiteSpace(listed.cell(keyColumn) ?? '');
    const text =
      empty || !isNeeded(cells) ? '' : trimWhiteSpace(joinChunksEscapingMentions(withoutEmptyLines(chunks)));
    const place = order === undefined ? '' : trimWhiteSpace(cells.cell(order) ?? '');
    return { key, place, comment: { id: `${name}:${key}`, text } };
  };
  return (row, mention, { notes }) => {
    const placed = new Map<string, Placed>();
    for (const listed of row.list?.(each) ?? []) {
      const { key, ...written } = write(row, listed, mention);
      const { id, text } = written.comment;
      const same = placed.get(id)?.comment;
      if (text === '' || same?.text === text) continue;
      if (key !== '' && same === undefined) placed.set(id, written);
      else {
        const [code, reason] = key === '' ? noKey(each, keyColumn) : sameKey(each, keyColumn, key);
        notes.push({ code, column: keyColumn, reason });
      }
    }
    return [...placed.values()];
  };
}

function noKey(each: string, key: string): readonly [string, string] {
  return [
    'comments.noKey',
    `A row of ${each} has no ${key}, so its comment could not be told apart from others and was left out.`,
  ];
}

function sameKey(each: string, column: string, key: string): readonly [string, string] {
  const reason = `Two rows of ${each} have the ${column} ${JSON.stringify(key)}; the comment of the second was left out.`;
  return ['comments.sameKey', reason];
}

/**
 * Sorts comments by `place`: as numbers if all places are numbers, otherwise as text. Comments without a place come
 * last; those with equal places keep their order.
 */
function inOrder(comments: readonly Placed[]): readonly Placed[] {
  const numeric = comments.every(({ place }) => place === '' || number.test(place));
  const before = numeric
    ? (a: string, b: string): number => Number(a) - Number(b)
    : (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return comments.toSorted(({ place: a }, { place: b }) => {
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    return before(a, b);
  });
}

const number = /^-?\d+(?:\.\d+)?$/;

/** Returns a function that says whether a row has any of the columns that a comment `needs`. */
export function compileNeeds({ needs = [] }: Pick<CommentEntry, 'needs'>): (row: Row) => boolean {
  const readers = [needs].flat().map(compileColumnReader);
  const isFilled = (cell: Cell): boolean => trimWhiteSpace(cell ?? '') !== '';
  return (row) => readers.length === 0 || readers.some((read) => read(row)?.some(isFilled) === true);
}

type Way = (text: string) => string;

function firstRead(
  readers: readonly ((text: string) => string | undefined)[],
  text: string,
): string | undefined {
  for (const read of readers) {
    const found = read(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns a function that converts the cells of a row for comments: HTML to text, and dates in the formats of the rule
 * to `yyyy-MM-dd HH:mm`. With `listed`, a row of a list, a column that `listed` lacks is read from `row`.
 */
export function compileCommentCellConversion({
  html,
  dates,
}: Pick<CommentEntry, 'html' | 'dates'>): (row: Row, listed?: NestedRow) => Row {
  const ways = new Map<string, Way>();
  for (const [column, format] of Object.entries(dates ?? {})) {
    const readers = [format].flat().map(createTimestampReader);
    ways.set(column, (text) => firstRead(readers, trimWhiteSpace(text)) ?? text);
  }
  for (const column of Array.isArray(html) ? html : []) ways.set(column, extractHtmlText);
  const otherwise: Way = html === true ? extractHtmlText : (text) => text;
  return (row, listed) => ({
    kind: 'row',
    line: row.line,
    sheet: row.sheet,
    cell(column): Cell | undefined {
      const own = listed?.cell(column);
      const cell = own === undefined ? row.cell(column) : own;
      return typeof cell === 'string' ? (ways.get(column) ?? otherwise)(cell) : cell;
    },
    entries: () => (listed ?? row).entries(),
    list: (name) => row.list?.(name),
  });
}
