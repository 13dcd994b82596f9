import { checkbox } from './checkbox.ts';
import type { DataType } from './data-type.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { list } from './list.ts';
import { number } from './number.ts';
import { text } from './text.ts';
import { time } from './time.ts';
import { url } from './url.ts';

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
