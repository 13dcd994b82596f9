import { parseCountryCode } from '../../../datatypes/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { formatDidYouMean } from '../../../model/nearest.ts';
import { sourceFormats } from '../../../sources/registry.ts';

/** The settings of an input that the user states; they replace detection and questions. */
export interface InputSettings {
  /** The format's name in pipelines. */
  readonly format?: string;
  /** The line of the header; false where there is none. */
  readonly header?: number | false;
  readonly sheet?: string;
  readonly table?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  /** The key column; false where there is none. */
  readonly key?: string | false;
  /** The two-letter country code for phone numbers without a country code. */
  readonly country?: string;
  /** Which person of a row with several people is the contact, as the columns call that person. */
  readonly person?: string;
}

/** The same settings as texts, as typed after the flags of draft. */
export type InputSettingTexts = { readonly [K in keyof InputSettings]?: string | undefined };

export type SourceSettingName = Exclude<keyof InputSettings, 'format' | 'key' | 'country' | 'person'>;

/** For each setting, the name of its option by format; formats without such an option are left out. */
export const sourceOptionNamesBySetting: Readonly<
  Record<SourceSettingName, Readonly<Record<string, string>>>
> = {
  header: { csv: 'header', tsv: 'header', xlsx: 'headerRow' },
  sheet: { xlsx: 'sheet' },
  table: { sql: 'table', sqlite: 'table', dump: 'table', json: 'at' },
  delimiter: { csv: 'delimiter' },
  encoding: { csv: 'encoding', tsv: 'encoding', vcard: 'encoding', sql: 'charset', dump: 'encoding' },
};

/** The names of the file formats, as pipelines state them. */
export const fileFormatNames: readonly string[] = sourceFormats.flatMap(({ name, live }) =>
  live === true ? [] : name,
);

export const sourceSettingNames: readonly SourceSettingName[] = [
  'header',
  'sheet',
  'table',
  'delimiter',
  'encoding',
];

/**
 * Returns the stated settings as options of a format; errors call the input `name`. Throws a FatalError('usage') for
 * settings that the format does not have.
 */
export function toSourceOptions(
  format: string,
  stated: InputSettings,
  name: string,
): Readonly<Record<string, string | number | boolean>> {
  const options: Record<string, string | number | boolean> = {};
  for (const flag of sourceSettingNames) {
    const value = stated[flag];
    if (value === undefined) continue;
    const option = sourceOptionNamesBySetting[flag][format];
    if (option === undefined) {
      const formats = Object.keys(sourceOptionNamesBySetting[flag]).join(', ');
      throw new FatalError('usage', `--${flag} cannot be used with ${name}, which is ${format}.`, {
        next: `Leave it out; it works with ${formats}.`,
      });
    }
    options[option] = value;
  }
  return options;
}

/**
 * Parses the settings of the flags. Throws a FatalError('usage') for an unknown format, an invalid header line or an
 * invalid country.
 */
export function parseInputSettings(typed: InputSettingTexts): InputSettings {
  const { format, key, country, person, header, sheet, table, delimiter, encoding } = typed;
  return {
    ...(format !== undefined && { format: formatIn(format) }),
    ...(key !== undefined && { key: key === 'none' ? false : key }),
    ...(country !== undefined && { country: countryIn(country) }),
    ...(person !== undefined && { person }),
    ...(header !== undefined && { header: header === 'none' ? false : lineIn(header) }),
    ...(sheet !== undefined && { sheet }),
    ...(table !== undefined && { table }),
    ...(delimiter !== undefined && { delimiter: /^(?:tab|\\t)$/i.test(delimiter) ? '\t' : delimiter }),
    ...(encoding !== undefined && { encoding }),
  };
}

function formatIn(format: string): string {
  if (fileFormatNames.includes(format)) return format;
  const meant = formatDidYouMean(format, fileFormatNames);
  throw new FatalError('usage', `--format: no format "${format}"${meant === '' ? '.' : meant}`, {
    next: `Choose one of these: ${fileFormatNames.join(', ')}.`,
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
  const code = parseCountryCode(country);
  if (code !== undefined) return code;
  throw new FatalError('usage', `--country needs a country code, not "${country}".`, {
    next: 'Give an ISO code, for example US, GB or DE.',
  });
}
