import { type CellError, type ParsedCell, quoteCell, trimWhiteSpace } from '../../datatypes/index.ts';
import type { Problem } from '../../model/problem.ts';
import type { Row } from '../../model/row.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import { compileValueCandidates, type ValueCandidate } from './candidates.ts';
import type { PhoneCountry } from './phone-country.ts';

/** The result of one field of a row. */
export interface FieldResult<V> {
  /** Absent: leave the contact's value unchanged; null: clear it. */
  readonly value?: V | null;
  /** The text that the value was parsed from, after the steps of the rule. */
  readonly text?: string;
  /** Further valid values of the row. */
  readonly others?: readonly V[];
  /** The default, sent in place of a missing value when a contact is created. */
  readonly fallback?: V;
  /** Why the row is rejected. */
  readonly rejected?: Problem;
  /** Notes for the user. */
  readonly notes: readonly Problem[];
}

/** The functions and settings with which the texts of a field are parsed. */
export interface FieldTextReader<V> {
  /** The beginning of a problem's code: `email`, `customFields.Plan`. */
  readonly code: string;
  readonly readsEmpty: boolean;
  /**
   * Splits an invalid text into parts that may be valid values. Set for fields that read all texts: the first valid one
   * is the value, and the others are kept or noted.
   */
  readonly severalIn?: (text: string, country: PhoneCountry | undefined) => readonly string[];
  /** True where further values are kept. */
  readonly also?: boolean;
  /** Returns true if a custom field keeps a text of a column; `isFirst` tells whether it is the column's first text. */
  readonly isKept?: (column: string | null, isFirst: boolean) => boolean;
  read(text: string, country: PhoneCountry | undefined): ParsedCell<V>;
  /** Parses the ISO text of a cell that the input has as a date; absent where it is parsed as any text. */
  readonly readDate?: (text: string) => ParsedCell<V>;
  /** Returns a note about how a text was parsed, such as with an assumed country; undefined for none. */
  readonly remark?: (text: string, value: V, country: PhoneCountry | undefined) => CellError | undefined;
  /** The rule's default, parsed; undefined if it has none. */
  readonly fallback: V | undefined;
}

const noProblems: readonly Problem[] = [];

/**
 * Compiles a rule to a pure function of the row; `country` is the country with which a phone without a
 * country code is parsed.
 */
export function compileField<V>(
  rule: FieldRule,
  reading: FieldTextReader<V>,
): (row: Row, country: PhoneCountry | undefined) => FieldResult<V> {
  const find = compileValueCandidates(rule, reading.readsEmpty);
  const { fallback } = reading;
  const instead = fallback === undefined ? {} : { fallback };
  const clears = rule.empty === 'clear';

  const absent = (present: boolean, notes: readonly Problem[]): FieldResult<V> => {
    if (rule.required && fallback === undefined) return { rejected: missing(rule, reading.code), notes };
    return clears && present ? { value: null, ...instead, notes } : { ...instead, notes };
  };

  const refused = (problem: Problem, notes: readonly Problem[]): FieldResult<V> => {
    if (rule.onInvalid === undefined || rule.onInvalid === 'reject') return { rejected: problem, notes };
    const left = [...notes, problem];
    if (rule.onInvalid === 'default') return { ...instead, notes: left };
    // An invalid value never clears the contact's value.
    return absent(false, left);
  };

  return (row, country) => {
    const { candidates, present } = find(row);
    const { value, text, others, notes } = reading.severalIn
      ? several(candidates, reading, country)
      : firstOnly(candidates, reading);
    if (value !== undefined) return { value, text, others, notes };
    const [first, ...more] = notes;
    return first ? refused(first, more) : absent(present, noProblems);
  };
}

interface Tried<V> {
  readonly value?: V;
  readonly text: string;
  readonly others: readonly V[];
  /**
   * Notes on the texts that were parsed, and the problems of those that were left out. If there is no value, the first
   * entry is the reason.
   */
  readonly notes: readonly Problem[];
}

const noOthers: readonly never[] = [];
const nothingTried = { text: '', others: noOthers, notes: noProblems };

/**
 * Parses only the first text; empty texts are skipped, unless the type reads empty cells. There is no value if that
 * text is invalid.
 */
function firstOnly<V>(
  candidates: readonly ValueCandidate[],
  { code, readsEmpty, read, readDate }: FieldTextReader<V>,
): Tried<V> {
  const candidate = candidates.find(({ text }) => text !== '' || readsEmpty);
  if (candidate === undefined) return nothingTried;
  const { text } = candidate;
  const parsed = candidate.error ?? (candidate.isDate && readDate ? readDate(text) : read(text, undefined));
  if (!parsed.ok) return { text: '', others: noOthers, notes: [problemOf(parsed, candidate, code)] };
  const { value, note } = parsed;
  return { value, text, others: noOthers, notes: note ? [problemOf(note, candidate, code)] : noProblems };
}

/** Takes the first valid text as the value; other valid texts are further values, and invalid ones are noted. */
class SeveralTexts<V> {
  // Most rows have no further values or notes, so arrays are created only when needed.
  #others: readonly V[] = noOthers;
  #notes: readonly Problem[] = noProblems;
  readonly #reading: FieldTextReader<V>;
  readonly #country: PhoneCountry | undefined;
  #ofKept: readonly Problem[] = noProblems;
  readonly #columns: (string | null)[] = [];
  /** True while a text is parsed that is the first of its column. */
  #isFirst = true;
  #first: { readonly value: V; readonly text: string } | undefined;

  constructor(reading: FieldTextReader<V>, country: PhoneCountry | undefined) {
    this.#reading = reading;
    this.#country = country;
  }

  get tried(): Tried<V> {
    const others = this.#others;
    const notes = this.#notes;
    if (this.#first === undefined) return { text: '', others, notes };
    const { value, text } = this.#first;
    const ofKept = this.#ofKept;
    return {
      value,
      text,
      others,
      notes: ofKept.length === 0 ? notes : notes.filter((note) => !ofKept.includes(note)),
    };
  }

  add(candidate: ValueCandidate): void {
    if (candidate.text === '') return;
    this.#isFirst = !this.#columns.includes(candidate.column);
    if (this.#isFirst) this.#columns.push(candidate.column);
    this.#parse(candidate);
  }

  #parse(candidate: ValueCandidate): void {
    const { text, error } = candidate;
    if (text === '' || text === this.#first?.text) return;
    const parsed = error ?? this.#reading.read(text, this.#country);
    if (parsed.ok) {
      this.#take(parsed, candidate);
      return;
    }
    const parts = this.#reading.severalIn?.(text, this.#country) ?? [];
    if (parts.length === 0) this.#noteLeft(parsed, candidate);
    for (const part of parts) this.#parse({ ...candidate, text: trimWhiteSpace(part) });
  }

  #take({ value, note }: ParsedCell<V> & { readonly ok: true }, candidate: ValueCandidate): void {
    const { text } = candidate;
    const { also, remark } = this.#reading;
    if (value === this.#first?.value || this.#others.includes(value)) return;
    if (this.#first !== undefined) this.#others = [...this.#others, value];
    if (this.#first !== undefined && !also) {
      this.#noteLeft(furtherValue(text, value, this.#first.value), candidate);
      return;
    }
    this.#first ??= { value, text };
    if (note !== undefined) this.#note(note, candidate);
    const remarked = remark?.(text, value, this.#country);
    if (remarked !== undefined) this.#note(remarked, candidate);
  }

  #note(error: CellError, candidate: ValueCandidate): Problem {
    const problem = problemOf(error, candidate, this.#reading.code);
    this.#notes = [...this.#notes, problem];
    return problem;
  }

  /**
   * Notes a text that is left out; `tried` drops the note if there is a valid value and a custom field keeps the text.
   */
  #noteLeft(error: CellError, candidate: ValueCandidate): void {
    const problem = this.#note(error, candidate);
    if (this.#reading.isKept?.(candidate.column, this.#isFirst) === true)
      this.#ofKept = [...this.#ofKept, problem];
  }
}

function several<V>(
  candidates: readonly ValueCandidate[],
  reading: FieldTextReader<V>,
  country: PhoneCountry | undefined,
): Tried<V> {
  const [only, next] = candidates;
  if (only === undefined) return nothingTried;
  const texts = new SeveralTexts(reading, country);
  if (next === undefined) texts.add(only);
  else for (const candidate of candidates) texts.add(candidate);
  return texts.tried;
}

function furtherValue(text: string, value: unknown, taken: unknown): CellError {
  const said = text === value ? quoteCell(text) : `${quoteCell(text)} (${value})`;
  const reason = `${said} was left out: the row has ${taken} already.`;
  return { problem: 'other', reason };
}

function problemOf({ problem, reason, column }: CellError, candidate: ValueCandidate, code: string): Problem {
  return { code: `${code}.${problem}`, column: column ?? candidate.column, reason };
}

function missing({ from }: FieldRule, code: string): Problem {
  const columns = from === undefined ? [] : [from].flat();
  const where =
    columns.length === 0
      ? 'nothing that its template inserts'
      : `nothing in ${columns.map((each) => JSON.stringify(each)).join(', ')}`;
  return {
    code: `${code}.missing`,
    column: columns[0] ?? null,
    reason: `The row has ${where}, and the field is required.`,
  };
}
