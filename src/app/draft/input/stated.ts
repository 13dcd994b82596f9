import { countryCodeOf } from '../../../datatypes/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { didYouMean } from '../../../model/nearest.ts';
import { sourceFormats } from '../../../sources/registry.ts';

/** What the user says of an input beforehand, in place of what would be found or asked. */
export interface Stated {
  /** As a pipeline names it. */
  readonly format?: string;
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

/** The same as it is typed after the flags of draft. */
export type TypedOfInput = { readonly [K in keyof Stated]?: string | undefined };

export type Readable = Exclude<keyof Stated, 'format' | 'key' | 'country'>;

/** What the option is called in each format that has it. */
export const optionOf: Readonly<Record<Readable, Readonly<Record<string, string>>>> = {
  header: { csv: 'header', tsv: 'header', xlsx: 'headerRow' },
  sheet: { xlsx: 'sheet' },
  table: { sql: 'table', sqlite: 'table', dump: 'table' },
  delimiter: { csv: 'delimiter' },
  encoding: { csv: 'encoding', tsv: 'encoding', vcard: 'encoding', sql: 'charset', dump: 'encoding' },
};

/** The formats of files, as pipelines name them. */
export const fileFormats: readonly string[] = sourceFormats.flatMap(({ name, live }) =>
  live === true ? [] : name,
);

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

/**
 * What the flags say of the input. Throws a FatalError('usage') for a format that there is not, a header that is no line and a
 * country that is none.
 */
export function statedIn(typed: TypedOfInput): Stated {
  const { format, key, country, header, sheet, table, delimiter, encoding } = typed;
  return {
    ...(format !== undefined && { format: formatIn(format) }),
    ...(key !== undefined && { key: key === 'none' ? false : key }),
    ...(country !== undefined && { country: countryIn(country) }),
    ...(header !== undefined && { header: header === 'none' ? false : lineIn(header) }),
    ...(sheet !== undefined && { sheet }),
    ...(table !== undefined && { table }),
    ...(delimiter !== undefined && { delimiter: /^(?:tab|\\t)$/i.test(delimiter) ? '\t' : delimiter }),
    ...(encoding !== undefined && { encoding }),
  };
}

function formatIn(format: string): string {
  if (fileFormats.includes(format)) return format;
  const meant = didYouMean(format, fileFormats);
  throw new FatalError('usage', `--format: no format "${format}"${meant === '' ? '.' : meant}`, {
    next: `Choose one of these: ${fileFormats.join(', ')}.`,
  });
}

function lineIn(header: string): number {
  const line = Number(header);
  if (Number.isSafeInteger(line) && line > 0) return line;
  throw new FatalError('usage', `--header needs a line number or none, not "${header}".`, {
    next: 'Give the line number of the column names, for example --header 2.',
  });
}

function countryIn(country: string): string {
  const code = countryCodeOf(country);
  if (code !== undefined) return code;
  throw new FatalError('usage', `--country needs a country code, not "${country}".`, {
    next: 'Give an ISO code, for example US, GB or DE.',
  });
}
