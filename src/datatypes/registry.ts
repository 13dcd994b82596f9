import type { DataTypeName } from '../model/custom-field.ts';
import { checkbox } from './checkbox.ts';
import type { DataType } from './data-type.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { list } from './list.ts';
import { number } from './number.ts';
import { text } from './text.ts';
import { time } from './time.ts';
import { url } from './url.ts';

/** Every data type by its name; the compiler demands that none of the model's names is missing. */
export const dataTypes: Readonly<Record<DataTypeName, DataType>> = {
  text,
  number,
  email,
  url,
  list,
  date,
  time,
  checkbox,
};

/** The data type of that name, or undefined where the workspace uses one that we do not know. */
export function dataTypeOf(name: string): DataType | undefined {
  return Object.values(dataTypes).find((dataType) => dataType.name === name);
}
