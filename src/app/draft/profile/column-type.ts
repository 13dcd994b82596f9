import { type DataTypeName, dataTypeNames, dataTypes, type GuessedRule } from '../../../datatypes/index.ts';
import type { ColumnProfile } from './column-profile.ts';

/** What the values of a column are, and how they are read as a custom field of a type. */
export interface ColumnType extends GuessedRule {
  readonly kind: DataTypeName | 'phone' | 'empty';
  readonly type: DataTypeName;
}

const few = 0.05;

/** The types as they are asked. */
const inOrder = dataTypeNames.toReversed().toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

function isLast(type: DataTypeName): boolean {
  return dataTypes[type].guess?.last === true;
}

/** A text, whatever its cells are. */
export const plainText: ColumnType = { kind: 'text', type: 'text', options: {}, words: 'text', others: 0 };

/** The type that all or nearly all values of a column have. */
export function typeOf(column: ColumnProfile): ColumnType {
  if (column.filled === 0) return { ...plainText, kind: 'empty' };
  const others = 1 - column.share('international');
  if (others <= few) return { ...plainText, kind: 'phone', words: 'phone numbers', others };
  for (const type of inOrder) {
    const rule = dataTypes[type].guess?.rule(column, column.waysAs(type));
    if (rule !== undefined) return { kind: type, type, ...rule };
  }
  return plainText;
}
