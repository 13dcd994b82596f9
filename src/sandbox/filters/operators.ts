import type { SqlValue } from '../../storage/sql.ts';
import { createValidationError } from '../api-error.ts';
import type { FilterOperand, ValueRange } from './operands.ts';

/** An SQL condition with its parameters. */
export interface SqlClause {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** One text, several, or the two ends of a range. */
export type FilterValue = string | readonly string[] | { readonly from: string; readonly to: string };

type Operator = (operand: FilterOperand, value: FilterValue) => SqlClause;

const clause = (sql: string, ...params: readonly SqlValue[]): SqlClause => ({ sql, params });

export function joinWithAnd(clauses: readonly SqlClause[]): SqlClause {
  return joined(clauses, ' AND ', '1');
}

export function joinWithOr(clauses: readonly SqlClause[]): SqlClause {
  return joined(clauses, ' OR ', '0');
}

/**
 * Joins clauses by halves, in brackets: SQLite refuses expressions deeper than 1,000 levels, and a chain of 1,000
 * clauses is deeper.
 */
function joined(clauses: readonly SqlClause[], word: string, none: string): SqlClause {
  const [only = clause(none), ...others] = clauses;
  if (others.length === 0) return only;
  const half = Math.ceil(clauses.length / 2);
  const left = joined(clauses.slice(0, half), word, none);
  const right = joined(clauses.slice(half), word, none);
  return { sql: `(${left.sql}${word}${right.sql})`, params: [...left.params, ...right.params] };
}

const equals = ({ sql }: FilterOperand, { low, high }: ValueRange): SqlClause =>
  low === high ? clause(`${sql} = ?`, low) : clause(`${sql} BETWEEN ? AND ?`, low, high);

/** Returns the condition that a value differs from the given one; it also holds if there is no value. */
const differs = (operand: FilterOperand, range: ValueRange): SqlClause => {
  const { sql, params } = equals(operand, range);
  return clause(`NOT coalesce(${sql}, 0)`, ...params);
};

/** Returns the value of an operator that takes a single one; throws a 400 for a list or a range. */
export function requireSingleValue(value: FilterValue): string {
  if (typeof value !== 'string') throw createValidationError('this operator takes one value, as text');
  return value;
}

/** Returns the values of an array, or of one text with commas, trimmed; throws a 400 for a range or an empty item. */
export function parseValueList(value: FilterValue): readonly string[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (!isList(items)) throw createValidationError('this operator takes several values, and no range');
  if (items.length === 0) throw createValidationError('this operator needs a value');
  if (items.includes(''))
    throw createValidationError(`"${items.join(',')}" has an empty item between its commas`);
  return items;
}

function isList(value: FilterValue): value is readonly string[] {
  return Array.isArray(value);
}

/**
 * Returns `from` and `to` of a range, or of two values in an array or in one text; throws a 400 for any other number.
 */
function rangeOf(value: FilterValue): { readonly from: string; readonly to: string } {
  if (typeof value !== 'string' && !isList(value)) return value;
  const [from, to, more] = parseValueList(value);
  if (from === undefined || to === undefined || more !== undefined) {
    throw createValidationError(
      'this operator takes two values: as an array, or as a text with a comma between them',
    );
  }
  return { from, to };
}

const between: Operator = (operand, value) => {
  const { from, to } = rangeOf(value);
  return clause(`${operand.sql} BETWEEN ? AND ?`, operand.read(from).low, operand.read(to).high);
};

const behind: Operator = (operand, value) =>
  clause(`${operand.sql} > ?`, operand.read(requireSingleValue(value)).high);
const inFront: Operator = (operand, value) =>
  clause(`${operand.sql} < ?`, operand.read(requireSingleValue(value)).low);

const only =
  (kinds: readonly FilterOperand['kind'][], name: string, operator: Operator): Operator =>
  (operand, value) => {
    if (!kinds.includes(operand.kind)) throw createValidationError(`${name} does not go with this field`);
    return operator(operand, value);
  };

/** The operators on a field as SQL conditions; a missing value equals no value and differs from all. */
export const conditionOperators = {
  isEqualTo: (operand, value) => equals(operand, operand.read(requireSingleValue(value))),
  isNotEqualTo: (operand, value) => differs(operand, operand.read(requireSingleValue(value))),
  isTimestampAfter: only(['timestamp'], 'isTimestampAfter', behind),
  isTimestampBefore: only(['timestamp'], 'isTimestampBefore', inFront),
  isTimestampBetween: only(['timestamp'], 'isTimestampBetween', between),
  exists: ({ sql }) => clause(`coalesce(${sql}, '') <> ''`),
  doesNotExist: ({ sql }) => clause(`coalesce(${sql}, '') = ''`),
  isGreaterThan: only(['ordered', 'timestamp'], 'isGreaterThan', behind),
  isLessThan: only(['ordered', 'timestamp'], 'isLessThan', inFront),
  isBetween: only(['ordered', 'timestamp'], 'isBetween', between),
  hasAnyOf: (operand, value) =>
    joinWithOr(parseValueList(value).map((one) => equals(operand, operand.read(one)))),
  hasAllOf: (operand, value) =>
    joinWithAnd(parseValueList(value).map((one) => equals(operand, operand.read(one)))),
  hasNoneOf: (operand, value) =>
    joinWithAnd(parseValueList(value).map((one) => differs(operand, operand.read(one)))),
} as const satisfies Record<string, Operator>;

export type ConditionOperatorName = keyof typeof conditionOperators;

export function isConditionOperator(value: unknown): value is ConditionOperatorName {
  return typeof value === 'string' && Object.hasOwn(conditionOperators, value);
}

/** Returns true unless the operator only tests whether a value exists. */
export function operatorNeedsValue(name: ConditionOperatorName): boolean {
  return name !== 'exists' && name !== 'doesNotExist';
}
