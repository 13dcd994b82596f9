import * as z from 'zod';

/** What a pipeline needs to know of a format that exports are written in. */
export interface WritableFormat {
  readonly name: string;
  readonly options: z.ZodObject;
  readonly keepsGiven: boolean;
}

const none = z.strictObject({});

/** Every format that an export can name. */
export const writableFormats: readonly WritableFormat[] = [
  { name: 'csv', options: none, keepsGiven: false },
  { name: 'ndjson', options: none, keepsGiven: true },
  { name: 'xlsx', options: none, keepsGiven: false },
  { name: 'parquet', options: none, keepsGiven: true },
  { name: 'sqlite', options: none, keepsGiven: true },
];

const everything: readonly string[] = ['ndjson', 'sqlite'];

/** Whether columns can be chosen; the other formats write everything, in a layout of their own. */
export function hasColumns(format: string): boolean {
  return !everything.includes(format);
}

/** Whether an export in a format keeps everything the interface gave. */
export function keepsGiven(format: string): boolean {
  return writableFormats.some((each) => each.name === format && each.keepsGiven);
}
