import type { FilterKind } from '../../datatypes/index.ts';
import type { FilterCondition, FilterValue } from '../../workspace/index.ts';

/** A filter operator, named as in the API. */
export type FilterOperatorName = FilterCondition['operator'];

const choices: readonly FilterOperatorName[] = [
  'isEqualTo',
  'isNotEqualTo',
  'exists',
  'doesNotExist',
  'hasAnyOf',
  'hasAllOf',
  'hasNoneOf',
];
const ordered: readonly FilterOperatorName[] = [...choices, 'isGreaterThan', 'isLessThan', 'isBetween'];
const timestamps: readonly FilterOperatorName[] = [
  ...ordered,
  'isTimestampAfter',
  'isTimestampBefore',
  'isTimestampBetween',
];

const operatorsOf: Readonly<Record<FilterKind, readonly FilterOperatorName[]>> = {
  plain: choices,
  flag: choices,
  number: ordered,
  ordered,
  timestamp: timestamps,
};

/** The contact fields that every workspace can filter by, with the kind of their values. */
export const filterKindsByContactField: Readonly<Record<string, FilterKind>> = {
  id: 'number',
  firstName: 'plain',
  lastName: 'plain',
  email: 'plain',
  phone: 'plain',
  language: 'plain',
  countryCode: 'plain',
  profilePic: 'plain',
  lifecycle: 'plain',
  tags: 'plain',
  assignee: 'plain',
  status: 'plain',
  isBlocked: 'flag',
  created_at: 'timestamp',
};

const takesSeveral: readonly FilterOperatorName[] = ['hasAnyOf', 'hasAllOf', 'hasNoneOf'];
const takesRange: readonly FilterOperatorName[] = ['isBetween', 'isTimestampBetween'];

/** Returns the form in which an operator takes several values; undefined where it takes one value. */
export function getMultiValueKind(operator: FilterOperatorName): 'list' | 'range' | undefined {
  if (takesSeveral.includes(operator)) return 'list';
  return takesRange.includes(operator) ? 'range' : undefined;
}

/**
 * Returns the single values of a filter value. None if the operator takes no value, or if the value is one text with
 * several values: only the workspace knows their separator.
 */
export function listFilterValues(operator: FilterOperatorName, value: FilterValue): readonly string[] {
  if (isFilterValueList(value)) return value;
  if (typeof value === 'object') return [value.from, value.to];
  return getMultiValueKind(operator) === undefined && needsValue(operator) ? [value] : [];
}

function needsValue(operator: FilterOperatorName): boolean {
  return operator !== 'exists' && operator !== 'doesNotExist';
}

/** Returns true if a filter value is a list, which is sent as an array. */
export function isFilterValueList(value: FilterValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Returns the reason why an operator or its value does not fit the kind of a field; undefined where both fit. */
export function findFilterMistake(
  field: string,
  kind: FilterKind,
  operator: FilterOperatorName,
  value: FilterValue,
): string | undefined {
  const fitting = operatorsOf[kind];
  if (!fitting.includes(operator)) {
    return `${operator} cannot be used with ${field}; use ${fitting.join(', ')}`;
  }
  const wrong = listFilterValues(operator, value).find((each) => !fits(kind, each));
  if (wrong === undefined) return undefined;
  return `${field} is ${kind === 'flag' ? 'true or false' : 'a number'}, never ${JSON.stringify(wrong)}`;
}

function fits(kind: FilterKind, value: string): boolean {
  if (kind === 'flag') return value === 'true' || value === 'false';
  return kind !== 'number' || (value.trim() !== '' && Number.isFinite(Number(value)));
}
