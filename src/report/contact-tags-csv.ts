import { type JournalFile, type TaggedRecord, taggedAfter } from '../journal/index.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** The columns of the file. */
export const contactTagsColumns = ['contactId', 'email', 'phone', 'tags'];

/** The text of contact-tags.csv piece by piece: a line for every contact that has tags, for a manual import. */
export function contactTagsCsv(file: JournalFile, run: number): AsyncIterable<string> {
  const pages = pagesOf<TaggedRecord>((after, limit) => taggedAfter(file, run, after?.contact ?? -1, limit));
  return csvText(contactTagsColumns, pages, ({ contact, email, phone, tags }) => [
    String(contact),
    email ?? '',
    phone ?? '',
    tags.join(';'),
  ]);
}

/** How many lines contact-tags.csv has. */
export function countTagged(file: JournalFile, run: number): number {
  const counted = file
    .prepare<[number], { n: number }>('SELECT count(*) AS n FROM tagged WHERE run = ?')
    .get(run);
  return counted?.n ?? 0;
}
