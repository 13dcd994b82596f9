import { type DataTypeName, dataTypeNames, dataTypes, type GuessedRule } from '../../../datatypes/index.ts';
import { isNamedForBirthDate } from '../columns/header-words.ts';
import type { ColumnProfile } from './column-profile.ts';

/** The type of a column's values, and the rule that reads them as a custom field. */
export interface ColumnType extends GuessedRule {
  readonly kind: DataTypeName | 'phone' | 'empty';
  readonly type: DataTypeName;
}

const few = 0.05;

/** The types in the order in which they are tried. */
const inOrder = dataTypeNames.toReversed().toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

function isLast(type: DataTypeName): boolean {
  return dataTypes[type].guess?.last === true;
}

/** The type of a plain text, which fits any cell. */
export const plainTextType: ColumnType = {
  kind: 'text',
  type: 'text',
  options: {},
  words: 'text',
  others: 0,
};

/** Returns the type that all or nearly all values of a column have; plain text where they have none in common. */
export function findColumnType(column: ColumnProfile): ColumnType {
  if (column.filled === 0) return { ...plainTextType, kind: 'empty' };
  const others = 1 - column.share('international');
  if (others <= few) return { ...plainTextType, kind: 'phone', words: 'phone numbers', others };
  for (const type of inOrder) {
    const rule = dataTypes[type].guess?.rule(column, column.waysAs(type));
    // Numbers behind an apostrophe were meant to stay as they are written: codes, often with leading zeros.
    if (rule !== undefined && !(type === 'number' && column.isGuarded)) {
      const options =
        type === 'date' && isNamedForBirthDate(column.name)
          ? { ...rule.options, birthDate: true }
          : rule.options;
      return { kind: type, type, ...rule, options };
    }
  }
  return plainTextType;
}
