import type { Contact } from '../model/contact.ts';
import type { Identifier } from '../model/identifier.ts';
import { numberColumn, textColumn } from '../storage/columns.ts';
import { iteratePages, queryPageSize } from '../storage/pages.ts';
import { hasRow, runSql, select, selectCount } from '../storage/sql.ts';
import {
  createScratchDatabase,
  removeDatabase,
  type SqliteConnection,
  shrinkScratchCache,
  withStorageErrors,
} from '../storage/sqlite.ts';
import { toComparableEmail, toComparablePhone } from './comparable.ts';

/**
 * The ids, e-mails and phones of the workspace's contacts when the list was read; for current values, read the contact.
 */
export type ContactSnapshot = ReturnType<typeof snapshotIn>;

export type SnapshotResult =
  | { readonly kind: 'taken'; readonly snapshot: ContactSnapshot }
  /** The list has more than `mostPages` pages. */
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
 * Reads the contact list into a file at `path`, replacing any file there; if the list has more than `mostPages` pages,
 * gives up and removes the file. If the list changes meanwhile and lists a contact twice, the later entry is kept.
 */
export async function takeContactSnapshot(
  path: string,
  pages: AsyncIterable<readonly Contact[]>,
  { mostPages }: { readonly mostPages: number },
): Promise<SnapshotResult> {
  const file = createScratchDatabase(path);
  try {
    const isWhole = await fill(file, pages, mostPages);
    if (!isWhole) return { kind: 'tooLarge', contactsSeen: discard(file) };
    withStorageErrors(path, () => file.exec(indexes));
    shrinkScratchCache(file, ['main']);
    return { kind: 'taken', snapshot: snapshotIn(file) };
  } catch (error) {
    remove(file);
    throw error;
  }
}

/** Writes the pages into the file; stops and returns false after one page more than `mostPages`. */
async function fill(
  file: SqliteConnection,
  pages: AsyncIterable<readonly Contact[]>,
  mostPages: number,
): Promise<boolean> {
  file.exec(tables);
  const write = file.transaction((contacts: readonly Contact[]) => {
    for (const { id, email, phone } of contacts) {
      runSql(file)`REPLACE INTO contact (id, email, phone)
        VALUES (${id}, ${toComparableEmail(email)}, ${toComparablePhone(phone)})`;
    }
  });
  let read = 0;
  for await (const contacts of pages) {
    withStorageErrors(file.name, () => write(contacts));
    read += 1;
    if (read > mostPages) return false;
  }
  return true;
}

function discard(file: SqliteConnection): number {
  const count = countOf(file);
  remove(file);
  return count;
}

function remove(file: SqliteConnection): void {
  file.close();
  removeDatabase(file.name);
}

function countOf(file: SqliteConnection): number {
  return selectCount(file)`SELECT count(*) AS n FROM contact`;
}

/** SQLite takes a negative limit for no limit. */
const everyOne = -1;

function snapshotIn(file: SqliteConnection) {
  const count = countOf(file);
  return {
    count,
    /**
     * Returns the ids of the contacts with this e-mail or phone, in ascending order, at most `most` of them. An
     * identifier of kind `id` has none.
     */
    idsUnder({ kind, value }: Identifier, most = everyOne): readonly number[] {
      if (count === 0 || kind === 'id') return [];
      const ids = select(file, { id: numberColumn });
      const [email, phone] =
        kind === 'email' ? [toComparableEmail(value), null] : [null, toComparablePhone(value)];
      const found =
        phone === null
          ? ids`SELECT id FROM contact WHERE email = ${email} ORDER BY id LIMIT ${most}`
          : ids`SELECT id FROM contact WHERE phone = ${phone} ORDER BY id LIMIT ${most}`;
      return found.map(({ id }) => id);
    },
    /** Yields the phones that more than `moreThan` contacts share. */
    *sharedPhones(moreThan: number): Generator<string> {
      const pages = iteratePages(
        (last?: { phone: string }) => select(file, { phone: textColumn })`
          SELECT phone FROM contact WHERE phone > ${last?.phone ?? ''}
          GROUP BY phone HAVING count(*) > ${moreThan} ORDER BY phone LIMIT ${queryPageSize}`,
      );
      for (const page of pages) for (const { phone } of page) yield phone;
    },
    /** Returns true if more than `moreThan` contacts share this phone; counts no further than needed. */
    isSharedPhone: (phone: string, moreThan: number): boolean =>
      hasRow(
        file,
      )`SELECT 1 FROM contact WHERE phone = ${toComparablePhone(phone)} LIMIT 1 OFFSET ${moreThan}`,
    /** Returns the number of e-mails and phones that several contacts have. */
    duplicates: (): number =>
      selectCount(file)`SELECT count(*) AS n FROM
        (SELECT 1 FROM contact WHERE email IS NOT NULL GROUP BY email HAVING count(*) > 1)` +
      selectCount(file)`SELECT count(*) AS n FROM
        (SELECT 1 FROM contact WHERE phone IS NOT NULL GROUP BY phone HAVING count(*) > 1)`,
    /** Closes and removes the file, because each run takes its own snapshot. */
    close: (): void => remove(file),
  };
}
