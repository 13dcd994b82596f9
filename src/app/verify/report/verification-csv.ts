import type { CustomValue } from '../../../model/custom-field.ts';
import { csvText, type ListStyle, pagesOf } from '../../../report/csv-list.ts';
import type { SqliteFile } from '../../../storage/sqlite.ts';
import { type Difference, differencesAfter } from '../result.ts';
import { fieldText } from './verification.ts';

/** The columns of verification.csv. */
export const verificationColumns = [
  '_sheet',
  '_line',
  '_key',
  'contactId',
  'identifier',
  'field',
  'verdict',
  'cause',
  'written',
  'found',
  'before',
] as const;

/** The text of verification.csv chunk by chunk: a line for everything that is not as it was written. */
export function verificationCsv(file: SqliteFile, style: ListStyle): AsyncIterable<string> {
  const pages = pagesOf<Difference>((after, limit) => differencesAfter(file, after, limit));
  return csvText(verificationColumns, pages, cells, style);
}

function cells(each: Difference): readonly string[] {
  const { sheet, line, key, contact, person, kind, name, verdict, cause, want, found, was, changes } = each;
  const identifiers: unknown = JSON.parse(person ?? '[]');
  const [identifier] = Array.isArray(identifiers) ? identifiers.map(String) : [];
  const why = cause === 'normalised' ? `normalised: ${changes[0] ?? ''}` : cause;
  return [
    sheet ?? '',
    line === null ? '' : String(line),
    key ?? '',
    contact === null ? '' : String(contact),
    identifier ?? (contact === null ? '' : `id:${contact}`),
    fieldText(kind, name),
    verdict,
    why,
    text(want),
    text(found),
    text(was),
  ];
}

function text(value: CustomValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
