import type { Parsed, ReadError } from '../../datatypes/index.ts';
import type { Problem } from '../../model/problem.ts';
import type { Row } from '../../model/row.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import { type Candidate, compileCandidates } from './candidates.ts';

/** What one field of a row came to. */
export interface FieldResult<V> {
  /** Absent: leave the contact's value alone; null: clear it. */
  readonly value?: V | null;
  /** The text that the value was read from, as the rule left it. */
  readonly text?: string;
  /** What a create sends in its place. */
  readonly fallback?: V;
  /** Why the row is rejected. */
  readonly rejected?: Problem;
  /** What a person should know. */
  readonly notes: readonly Problem[];
}

/** How a field's texts become values. */
export interface FieldReading<V> {
  /** As it begins a problem's code: `email`, `customFields.Plan`. */
  readonly code: string;
  readonly readsEmpty: boolean;
  /** Whether a text that is not valid lets the next one speak (phones and e-mail addresses). */
  readonly firstValid: boolean;
  read(text: string, country: string | undefined): Parsed<V>;
  /** The default, already read. */
  readonly fallback: V | undefined;
}

const noProblems: readonly Problem[] = [];

/** Compiles a rule to a pure function of the row; `country` is what a phone without a country code is read with. */
export function compileField<V>(
  rule: FieldRule,
  reading: FieldReading<V>,
): (row: Row, country: string | undefined) => FieldResult<V> {
  const find = compileCandidates(rule, reading.readsEmpty);
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
    // A value that is there and wrong never clears what the contact has.
    return absent(false, left);
  };

  return (row, country) => {
    const { candidates, present } = find(row);
    const { value, text, misses, note } = firstGood(candidates, reading, country);
    if (value !== undefined) return { value, text, notes: note ? [...misses, note] : misses };
    const [first, ...others] = misses;
    return first ? refused(first, others) : absent(present, noProblems);
  };
}

interface Tried<V> {
  readonly value?: V;
  readonly text: string;
  readonly note?: Problem;
  /** What was wrong with the texts before it. */
  readonly misses: readonly Problem[];
}

function firstGood<V>(
  candidates: readonly Candidate[],
  { code, readsEmpty, firstValid, read }: FieldReading<V>,
  country: string | undefined,
): Tried<V> {
  let misses = noProblems;
  for (const candidate of candidates) {
    if (candidate.text === '' && !readsEmpty) continue;
    const parsed = candidate.error ?? read(candidate.text, country);
    if (parsed.ok) {
      const { value, note } = parsed;
      const { text } = candidate;
      return note ? { value, text, misses, note: problemOf(note, candidate, code) } : { value, text, misses };
    }
    misses = [...misses, problemOf(parsed, candidate, code)];
    if (!firstValid) break;
  }
  return { text: '', misses };
}

function problemOf({ problem, reason }: ReadError, { column }: Candidate, code: string): Problem {
  return { code: `${code}.${problem}`, column, reason };
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
