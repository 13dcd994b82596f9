import { type ContactRow, contactRowsBetween, type JournalFile, type RunRecord } from '../journal/index.ts';
import { csvText } from './csv-list.ts';
import { rowWindows } from './row-windows.ts';

/** The columns of the file. */
export const contactsColumns = ['_line', '_key', 'contactId', 'identifier', 'outcome'];

/** The text of contacts.csv chunk by chunk: a line for every row that came to a contact. */
export function contactsCsv(file: JournalFile, run: RunRecord): AsyncIterable<string> {
  const windows = rowWindows(file, run, (from, to) => contactRowsBetween(file, run, from, to));
  return csvText(contactsColumns, windows, ({ line, key, contact, identifier, outcome }: ContactRow) => [
    String(line),
    key ?? '',
    contact === null ? '' : String(contact),
    identifier ?? '',
    outcome,
  ]);
}
