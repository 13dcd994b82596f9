import { RE2JS } from 're2js';
import {
  type CellError,
  extractHtmlText,
  extractNamePart,
  quoteCell,
  toLowerCase,
  trimWhiteSpace,
} from '../../datatypes/index.ts';
import type { Row } from '../../model/row.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import { compileColumnReader } from './read-column.ts';
import { compileTemplate, joinChunks } from './template.ts';

/** A text that may become the value, and the column it came from. */
export interface ValueCandidate {
  readonly text: string;
  readonly column: string | null;
  /** True if the input has the cell as a date and the rule leaves its text as it is. */
  readonly isDate?: boolean;
  /** Set if the rule rejects the text before it is parsed (`strict`). */
  readonly error?: CellError & { readonly ok: false };
}

/** The texts that a rule finds in a row, before the data type parses them. */
export interface RowValueCandidates {
  /**
   * The texts to try, in order. '' stands for a cell that `values` maps to null, or, if the type reads empty cells, for
   * cells that are all empty.
   */
  readonly candidates: readonly ValueCandidate[];
  /** True where the row has one of the rule's columns at all. */
  readonly present: boolean;
}

type Step = (text: string) => string;

const nothing: RowValueCandidates = { candidates: [], present: false };

/**
 * Compiles the keys of a rule that turn cells into texts to parse; with `readsEmpty`, an empty cell is also a text to
 * parse.
 */
export function compileValueCandidates(
  rule: FieldRule,
  readsEmpty: boolean,
): (row: Row) => RowValueCandidates {
  const read = rule.template === undefined ? readColumns(rule) : readTemplate(rule.template);
  const cut = compileCut(rule);
  const shape = compileShape(rule, readsEmpty);
  return (row) => {
    const raw = read(row);
    if (raw === undefined) return nothing;
    const filled: ValueCandidate[] = [];
    let empty: ValueCandidate | undefined;
    for (const { text, column } of raw) {
      const isDate = isDateCell(row, column);
      for (const part of cut(text)) {
        if (part === '') empty ??= { text: part, column };
        else filled.push(withDate(shape.filled(part, column), isDate && text));
      }
    }
    // An empty cell counts only where no other cell has a text.
    const candidates = filled.length === 0 && empty ? shape.empty(empty.column) : filled;
    return { candidates: shape.joined(candidates), present: true };
  };
}

function isDateCell(row: Row, column: string | null): boolean {
  return column !== null && row.isDate?.(column) === true;
}

/** Marks the candidate as a date if its text is still that of a cell with a date (`dateText`). */
function withDate(candidate: ValueCandidate, dateText: string | false): ValueCandidate {
  return candidate.text === dateText ? { ...candidate, isDate: true } : candidate;
}

interface RawText {
  readonly text: string;
  readonly column: string | null;
}

function readColumns({ from }: FieldRule): (row: Row) => readonly RawText[] | undefined {
  const columns = from === undefined ? [] : typeof from === 'string' ? [from] : from;
  const readers = columns.map((column) => ({ column, read: compileColumnReader(column) }));
  return (row) => {
    let found: RawText[] | undefined;
    for (const { column, read } of readers) {
      const cells = read(row);
      if (cells === undefined) continue;
      found ??= [];
      for (const cell of cells) found.push({ text: cell ?? '', column });
    }
    return found;
  };
}

function readTemplate(template: string): (row: Row) => readonly RawText[] | undefined {
  const render = compileTemplate(template);
  return (row) => {
    const { chunks, present, empty } = render(row);
    return present ? [{ text: empty ? '' : joinChunks(chunks), column: null }] : undefined;
  };
}

/** Compiles the keys `html`, `trim`, `replace`, `part`, `familyFirst` and `split` of a rule, which turn a cell into texts. */
function compileCut(rule: FieldRule): (text: string) => readonly string[] {
  const trim: Step = rule.trim === false ? (text) => text : trimWhiteSpace;
  const plain: Step = rule.html === true ? (text) => trim(extractHtmlText(text)) : trim;
  const replacements = rule.replace === undefined ? [] : [rule.replace].flat();
  const replace = replacements.map((each): Step => {
    const pattern = RE2JS.compile(each.pattern);
    return (text) => pattern.matcher(text).replaceAll(each.with);
  });
  const whole: Step =
    replace.length === 0 ? plain : (text) => replace.reduce((before, step) => step(before), plain(text));
  const { part, familyFirst, split } = rule;
  const taken: Step = part === undefined ? whole : (text) => extractNamePart(whole(text), part, familyFirst);
  if (split === undefined) return (text) => [taken(text)];
  return (text) => splitCell(taken(text), split).map(trim);
}

interface Shape {
  filled(text: string, column: string | null): ValueCandidate;
  empty(column: string | null): readonly ValueCandidate[];
  joined(candidates: readonly ValueCandidate[]): readonly ValueCandidate[];
}

/** Compiles the keys `case`, `values`, `strict` and `join` of a rule. */
function compileShape(rule: FieldRule, readsEmpty: boolean): Shape {
  const casing = casings[rule.case ?? 'as it is'];
  const values = new Map<string, string>();
  for (const [cell, value] of Object.entries(rule.values ?? {})) {
    values.set(cell.toLowerCase(), value === null ? '' : String(value));
  }
  const whenEmpty = values.get('');
  const { join, strict } = rule;
  return {
    filled(text, column) {
      const cased = casing(text);
      const value = values.size === 0 ? undefined : values.get(cased.toLowerCase());
      if (value !== undefined) return { text: value, column };
      return strict ? { text: cased, column, error: unlisted(cased) } : { text: cased, column };
    },
    empty(column) {
      if (whenEmpty) return [{ text: whenEmpty, column }];
      return readsEmpty && whenEmpty === undefined ? [{ text: '', column }] : [];
    },
    joined(candidates) {
      if (join === undefined || candidates.length < 2 || candidates.some(({ error }) => error))
        return candidates;
      const text = candidates.flatMap((each) => (each.text === '' ? [] : [each.text])).join(join);
      return [{ text, column: candidates[0]?.column ?? null }];
    },
  };
}

const casings: Readonly<Record<NonNullable<FieldRule['case']> | 'as it is', Step>> = {
  'as it is': (text) => text,
  lower: toLowerCase,
  upper: (text) => text.toUpperCase(),
  title: (text) =>
    toLowerCase(text).replace(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, (initial, at: number) =>
      text[at] === 'İ' ? 'İ' : initial.toUpperCase(),
    ),
};

function unlisted(text: string): CellError & { readonly ok: false } {
  const reason = `${quoteCell(text)} is not in values, and the rule is strict.`;
  return { ok: false, problem: 'notAllowed', reason };
}

/**
 * Returns the values of a cell between separators. A value in double quotes may have a separator of one character in it,
 * as in a line of CSV: `Sailing,"Rock, Pop"`; a quote anywhere else is a character like any other.
 */
export function splitCell(text: string, separator: string): readonly string[] {
  if (separator.length !== 1 || !text.includes('"')) return text.split(separator);
  const values: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const quoted = quotedAt(text, at, separator);
    const end = quoted?.end ?? nextOf(text, separator, at);
    values.push(quoted?.value ?? text.slice(at, end));
    at = end + 1;
  }
  return values;
}

function nextOf(text: string, separator: string, from: number): number {
  const at = text.indexOf(separator, from);
  return at === -1 ? text.length : at;
}

const quotedValue = /\s*"((?:[^"]|"")*)"\s*/y;

/** Returns the quoted value at an index, if a separator or the end of the text follows it. */
function quotedAt(
  text: string,
  at: number,
  separator: string,
): { readonly value: string; readonly end: number } | undefined {
  quotedValue.lastIndex = at;
  const [, value] = quotedValue.exec(text) ?? [];
  const end = quotedValue.lastIndex;
  const isWhole = value !== undefined && (end === text.length || text[end] === separator);
  return isWhole ? { value: value.replaceAll('""', '"'), end } : undefined;
}
