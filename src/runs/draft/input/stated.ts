import { FatalError } from '../../../model/fatal-error.ts';

/** What the user says of an input beforehand, in place of what would be found or asked. */
export interface Stated {
  /** The line of the header; false where there is none. */
  readonly header?: number | false;
  readonly sheet?: string;
  readonly table?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  /** The key column; false where there is none. */
  readonly key?: string | false;
  /** The country of phone numbers without a country code, as its two letters. */
  readonly country?: string;
}

export type Readable = Exclude<keyof Stated, 'key' | 'country'>;

/** What the option is called in each format that has it. */
export const optionOf: Readonly<Record<Readable, Readonly<Record<string, string>>>> = {
  header: { csv: 'header', xlsx: 'headerRow' },
  sheet: { xlsx: 'sheet' },
  table: { sql: 'table', sqlite: 'table', dump: 'table' },
  delimiter: { csv: 'delimiter' },
  encoding: { csv: 'encoding', vcard: 'encoding', sql: 'charset', dump: 'encoding' },
};

export const readable: readonly Readable[] = ['header', 'sheet', 'table', 'delimiter', 'encoding'];

/** What is stated as options of a format. Throws a FatalError('usage') for what the format does not have. */
export function statedOptions(
  format: string,
  stated: Stated,
  name: string,
): Readonly<Record<string, string | number | boolean>> {
  const options: Record<string, string | number | boolean> = {};
  for (const flag of readable) {
    const value = stated[flag];
    if (value === undefined) continue;
    const option = optionOf[flag][format];
    if (option === undefined) {
      const formats = Object.keys(optionOf[flag]).join(', ');
      throw new FatalError('usage', `--${flag} cannot be used with ${name}, which is ${format}.`, {
        next: `Leave it out; it works with ${formats}.`,
      });
    }
    options[option] = value;
  }
  return options;
}
