import type { SqlValue } from '../../storage/sql.ts';
import { invalid } from '../refusal.ts';
import type { Operand, Range } from './operands.ts';

/** An SQL condition with its parameters. */
export interface Clause {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** One text, several, or the two ends of a range. */
export type FilterValue = string | readonly string[] | { readonly from: string; readonly to: string };

type Operator = (operand: Operand, value: FilterValue) => Clause;

const clause = (sql: string, ...params: readonly SqlValue[]): Clause => ({ sql, params });

export function allOf(clauses: readonly Clause[]): Clause {
  return joined(clauses, ' AND ', '1');
}

export function anyOf(clauses: readonly Clause[]): Clause {
  return joined(clauses, ' OR ', '0');
}

/** Joins clauses by halves, in brackets: SQLite refuses an expression of depth 1,000, which a chain of 1,000 clauses has. */
function joined(clauses: readonly Clause[], word: string, none: string): Clause {
  const [only = clause(none), ...others] = clauses;
  if (others.length === 0) return only;
  const half = Math.ceil(clauses.length / 2);
  const left = joined(clauses.slice(0, half), word, none);
  const right = joined(clauses.slice(half), word, none);
  return { sql: `(${left.sql}${word}${right.sql})`, params: [...left.params, ...right.params] };
}

const equals = ({ sql }: Operand, { low, high }: Range): Clause =>
  low === high ? clause(`${sql} = ?`, low) : clause(`${sql} BETWEEN ? AND ?`, low, high);

/** Returns the condition that a value differs, which also holds where there is no value. */
const differs = (operand: Operand, range: Range): Clause => {
  const { sql, params } = equals(operand, range);
  return clause(`NOT coalesce(${sql}, 0)`, ...params);
};

/** Returns the value of an operator that takes one; throws a 400 for several. */
export function oneOf(value: FilterValue): string {
  if (typeof value !== 'string') throw invalid('this operator takes one value, as text');
  return value;
}

/** Returns the values of an array, or of one text with commas, trimmed; throws a 400 for a range or an empty item. */
export function severalOf(value: FilterValue): readonly string[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (!isList(items)) throw invalid('this operator takes several values, and no range');
  if (items.length === 0) throw invalid('this operator needs a value');
  if (items.includes('')) throw invalid(`"${items.join(',')}" has an empty item between its commas`);
  return items;
}

function isList(value: FilterValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Returns `from` and `to` of a range, or of two values in an array or in one text; throws a 400 for any other number. */
function rangeOf(value: FilterValue): { readonly from: string; readonly to: string } {
  if (typeof value !== 'string' && !isList(value)) return value;
  const [from, to, more] = severalOf(value);
  if (from === undefined || to === undefined || more !== undefined) {
    throw invalid('this operator takes two values: as an array, or as a text with a comma between them');
  }
  return { from, to };
}

const between: Operator = (operand, value) => {
  const { from, to } = rangeOf(value);
  return clause(`${operand.sql} BETWEEN ? AND ?`, operand.read(from).low, operand.read(to).high);
};

const behind: Operator = (operand, value) => clause(`${operand.sql} > ?`, operand.read(oneOf(value)).high);
const inFront: Operator = (operand, value) => clause(`${operand.sql} < ?`, operand.read(oneOf(value)).low);

const only =
  (kinds: readonly Operand['kind'][], name: string, operator: Operator): Operator =>
  (operand, value) => {
    if (!kinds.includes(operand.kind)) throw invalid(`${name} does not go with this field`);
    return operator(operand, value);
  };

/** The thirteen operators on a field; a missing value is equal to nothing, and different from everything. */
export const operators = {
  isEqualTo: (operand, value) => equals(operand, operand.read(oneOf(value))),
  isNotEqualTo: (operand, value) => differs(operand, operand.read(oneOf(value))),
  isTimestampAfter: only(['timestamp'], 'isTimestampAfter', behind),
  isTimestampBefore: only(['timestamp'], 'isTimestampBefore', inFront),
  isTimestampBetween: only(['timestamp'], 'isTimestampBetween', between),
  exists: ({ sql }) => clause(`coalesce(${sql}, '') <> ''`),
  doesNotExist: ({ sql }) => clause(`coalesce(${sql}, '') = ''`),
  isGreaterThan: only(['ordered', 'timestamp'], 'isGreaterThan', behind),
  isLessThan: only(['ordered', 'timestamp'], 'isLessThan', inFront),
  isBetween: only(['ordered', 'timestamp'], 'isBetween', between),
  hasAnyOf: (operand, value) => anyOf(severalOf(value).map((one) => equals(operand, operand.read(one)))),
  hasAllOf: (operand, value) => allOf(severalOf(value).map((one) => equals(operand, operand.read(one)))),
  hasNoneOf: (operand, value) => allOf(severalOf(value).map((one) => differs(operand, operand.read(one)))),
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;

export function isOperator(value: unknown): value is OperatorName {
  return typeof value === 'string' && Object.hasOwn(operators, value);
}

/** Returns true unless the operator only tests whether a value exists. */
export function needsValue(name: OperatorName): boolean {
  return name !== 'exists' && name !== 'doesNotExist';
}
