import * as z from 'zod';
import { checkbox } from './checkbox.ts';
import { type DataType, defineDataType } from './data-type.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { list } from './list.ts';
import { number } from './number.ts';
import { time } from './time.ts';
import { url } from './url.ts';

const options = z.object({
  maxLength: z
    .int()
    .positive()
    .optional()
    .describe('The longest text that is accepted, in UTF-16 units; a longer one is <field>.tooLong.'),
});

/** Text, as it stands. */
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

/** Every data type by its name, the more general first: of several that a column could be of, a draft takes the last. */
export const dataTypes = {
  text,
  number,
  email,
  url,
  list,
  date,
  time,
  checkbox,
} satisfies Readonly<Record<string, DataType>>;

export type DataTypeName = keyof typeof dataTypes;

/** The data types of custom fields: the four the specification shows and the four more that its formatting rules name. */
export const dataTypeNames = Object.keys(dataTypes).filter((name): name is DataTypeName => isDataType(name));

/** The data type of that name, or undefined where the workspace uses one that we do not know. */
export function dataTypeOf(name: string): DataType | undefined {
  return isDataType(name) ? dataTypes[name] : undefined;
}

function isDataType(name: string): name is DataTypeName {
  return Object.hasOwn(dataTypes, name);
}
