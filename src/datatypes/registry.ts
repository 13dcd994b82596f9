import * as z from 'zod';
import { checkboxDataType } from './checkbox.ts';
import { type DataType, defineDataType } from './data-type.ts';
import { dateDataType } from './date.ts';
import { emailDataType } from './email.ts';
import { listDataType } from './list.ts';
import { numberDataType } from './number.ts';
import { timeDataType } from './time.ts';
import { urlDataType } from './url.ts';

const options = z.object({
  maxLength: z
    .int()
    .positive()
    .optional()
    .describe('The longest text that is accepted, in UTF-16 units; a longer one is <field>.tooLong.'),
});

/** The type text: any cell, unchanged; at most `maxLength` UTF-16 units. */
const text = defineDataType({
  options,
  reader: ({ maxLength }) => ({
    readsEmpty: false,
    read(cell) {
      if (maxLength !== undefined && cell.length > maxLength) {
        const reason = `The text has ${cell.length} characters; at most ${maxLength} are allowed.`;
        return { ok: false, problem: 'tooLong', reason };
      }
      return { ok: true, value: cell };
    },
  }),
  same: (readBack, wanted) => readBack === String(wanted),
  filterKind: 'plain',
  guess: { last: true, rule: () => ({ options: {}, words: 'text', others: 0 }) },
});

/**
 * Every data type by name, the more general first: a draft tries them in reverse order, those with `guess.last` after
 * all others.
 */
export const dataTypes = {
  text,
  number: numberDataType,
  email: emailDataType,
  url: urlDataType,
  list: listDataType,
  date: dateDataType,
  time: timeDataType,
  checkbox: checkboxDataType,
} satisfies Readonly<Record<string, DataType>>;

export type DataTypeName = keyof typeof dataTypes;

/** The names of the data types of custom fields: four shown by the specification, four from its formatting rules. */
export const dataTypeNames = Object.keys(dataTypes).filter((name): name is DataTypeName => isDataType(name));

/** Returns the data type of a name; undefined for an unknown one. */
export function findDataType(name: string): DataType | undefined {
  return isDataType(name) ? dataTypes[name] : undefined;
}

function isDataType(name: string): name is DataTypeName {
  return Object.hasOwn(dataTypes, name);
}
