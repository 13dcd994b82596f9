import type { Contact } from '../model/contact.ts';
import type { Identifier } from '../model/identifier.ts';
import { number, text } from '../storage/columns.ts';
import { pageSize, pagesOf } from '../storage/pages.ts';
import { change, exists, select, selectCount } from '../storage/sql.ts';
import { createScratch, finishScratch, guarded, removeDatabase, type SqliteFile } from '../storage/sqlite.ts';
import { comparableEmail, comparablePhone } from './comparable.ts';

/** Who was in the workspace when the contact list was read; a fresh read decides what stands there now. */
export type Snapshot = ReturnType<typeof snapshotIn>;

export type SnapshotTaken =
  | { readonly kind: 'taken'; readonly snapshot: Snapshot }
  /** The list goes on after the most pages that it was worth. */
  | { readonly kind: 'tooLarge'; readonly contactsSeen: number };

const tables = `
CREATE TABLE contact (
  id    INTEGER PRIMARY KEY,
  email TEXT,
  phone TEXT
) STRICT;
`;

const indexes = `
CREATE INDEX contact_email ON contact (email) WHERE email IS NOT NULL;
CREATE INDEX contact_phone ON contact (phone) WHERE phone IS NOT NULL;
`;

/**
 * Reads the contact list into a file at `path`, in place of whatever stands there; gives up where there are more than
 * `mostPages` pages. A contact that shows twice because the list changes meanwhile counts once, as it was seen last.
 */
export async function takeSnapshot(
  path: string,
  pages: AsyncIterable<readonly Contact[]>,
  { mostPages }: { readonly mostPages: number },
): Promise<SnapshotTaken> {
  const file = createScratch(path);
  try {
    const isWhole = await fill(file, pages, mostPages);
    if (!isWhole) return { kind: 'tooLarge', contactsSeen: discard(file) };
    guarded(path, () => file.exec(indexes));
    finishScratch(file, ['main']);
    return { kind: 'taken', snapshot: snapshotIn(file) };
  } catch (error) {
    remove(file);
    throw error;
  }
}

/** Whether the list ended within the most pages; one page more is asked for to know. */
async function fill(
  file: SqliteFile,
  pages: AsyncIterable<readonly Contact[]>,
  mostPages: number,
): Promise<boolean> {
  file.exec(tables);
  const write = file.transaction((contacts: readonly Contact[]) => {
    for (const { id, email, phone } of contacts) {
      change(file)`REPLACE INTO contact (id, email, phone)
        VALUES (${id}, ${comparableEmail(email)}, ${comparablePhone(phone)})`;
    }
  });
  let read = 0;
  for await (const contacts of pages) {
    guarded(file.name, () => write(contacts));
    read += 1;
    if (read > mostPages) return false;
  }
  return true;
}

function discard(file: SqliteFile): number {
  const count = countOf(file);
  remove(file);
  return count;
}

function remove(file: SqliteFile): void {
  file.close();
  removeDatabase(file.name);
}

function countOf(file: SqliteFile): number {
  return selectCount(file)`SELECT count(*) AS n FROM contact`;
}

/** To SQLite a negative limit is none. */
const everyOne = -1;

function snapshotIn(file: SqliteFile) {
  const count = countOf(file);
  return {
    count,
    /** The contacts that an e-mail or a phone leads to by their ids in ascending order, no more than `most`. */
    idsUnder({ kind, value }: Identifier, most = everyOne): readonly number[] {
      if (count === 0 || kind === 'id') return [];
      const ids = select(file, { id: number });
      const [email, phone] =
        kind === 'email' ? [comparableEmail(value), null] : [null, comparablePhone(value)];
      const found =
        phone === null
          ? ids`SELECT id FROM contact WHERE email = ${email} ORDER BY id LIMIT ${most}`
          : ids`SELECT id FROM contact WHERE phone = ${phone} ORDER BY id LIMIT ${most}`;
      return found.map(({ id }) => id);
    },
    /** Phones that more than so many contacts share. */
    *sharedPhones(moreThan: number): Generator<string> {
      const pages = pagesOf(
        (last?: { phone: string }) => select(file, { phone: text })`
          SELECT phone FROM contact WHERE phone > ${last?.phone ?? ''}
          GROUP BY phone HAVING count(*) > ${moreThan} ORDER BY phone LIMIT ${pageSize}`,
      );
      for (const page of pages) for (const { phone } of page) yield phone;
    },
    /** Whether more than so many contacts share this phone; counted no further than it takes to know. */
    isSharedPhone: (phone: string, moreThan: number): boolean =>
      exists(file)`SELECT 1 FROM contact WHERE phone = ${comparablePhone(phone)} LIMIT 1 OFFSET ${moreThan}`,
    /** How many e-mails and phones lead to several contacts. */
    duplicates: (): number =>
      selectCount(file)`SELECT count(*) AS n FROM
        (SELECT 1 FROM contact WHERE email IS NOT NULL GROUP BY email HAVING count(*) > 1)` +
      selectCount(file)`SELECT count(*) AS n FROM
        (SELECT 1 FROM contact WHERE phone IS NOT NULL GROUP BY phone HAVING count(*) > 1)`,
    /** Closes the file and removes it: the next run takes its own. */
    close: (): void => remove(file),
  };
}
