import * as z from 'zod';
import { jsonColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { hasRow, replaceRow, runSql, select, selectCount, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';

/** One line of contact-tags.csv. */
export interface TaggedContactRecord {
  readonly contact: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly tags: readonly string[];
}

const tagList = jsonColumn(z.array(z.string()));
const taggedColumns = {
  contact: numberColumn,
  email: nullableColumn(textColumn),
  phone: nullableColumn(textColumn),
  tags: tagList,
};

/** Adds tags to those recorded for a contact in a run; a tag is recorded once, whatever its case. */
export function writeTaggedContact(file: JournalDatabase, run: number, tagged: TaggedContactRecord): void {
  const { contact, email, phone, tags } = tagged;
  const before = selectOne(file, { tags: tagList })`
    SELECT tags FROM tagged WHERE run = ${run} AND contact = ${contact}`;
  const all = [...(before?.tags ?? []), ...tags];
  const unique = all.filter((tag, n) => all.findIndex((each) => sameTag(each, tag)) === n);
  replaceRow(file, 'tagged', { run, contact, email, phone, tags: JSON.stringify(unique) });
}

/** Returns the tagged contacts of a run after contact `after`, by id, at most `limit`. */
export function listTaggedContacts(
  file: JournalDatabase,
  run: number,
  after: number,
  limit: number,
): readonly TaggedContactRecord[] {
  return select(file, taggedColumns)`
    SELECT contact, email, phone, tags FROM tagged
    WHERE run = ${run} AND contact > ${after} ORDER BY contact LIMIT ${limit}`;
}

/** Returns the number of tagged contacts of a run. */
export function countTaggedContacts(file: JournalDatabase, run: number): number {
  return selectCount(file)`SELECT count(*) AS n FROM tagged WHERE run = ${run}`;
}

function sameTag(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns true if the workspace is known to have the tag (lower case). */
export function isKnownTag(file: JournalDatabase, workspace: number, name: string): boolean {
  return hasRow(file)`SELECT 1 FROM tag WHERE workspace = ${workspace} AND name = ${name}`;
}

/** Deletes the record that the workspace has the tag (lower case), so that the tag is looked up again. */
export function deleteKnownTag(file: JournalDatabase, workspace: number, name: string): void {
  runSql(file)`DELETE FROM tag WHERE workspace = ${workspace} AND name = ${name}`;
}

export function storeKnownTag(file: JournalDatabase, workspace: number, name: string): void {
  replaceRow(file, 'tag', { workspace, name });
}
