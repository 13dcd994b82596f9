import type { Contact } from '../model/contact.ts';
import { createScratch, finishScratch, guarded, removeDatabase, type SqliteFile } from '../storage/sqlite.ts';
import { comparableEmail, comparablePhone } from './comparable.ts';
import type { IdentifyBy } from './look-up.ts';

/** Who was in the workspace when the contact list was read; a fresh read decides what stands there now. */
export interface Snapshot {
  readonly count: number;
  /** All contacts that the identifiers lead to, those of the e-mail first, each by its id in ascending order. */
  find(identifiers: { readonly email: string | null; readonly phone: string | null }): readonly Listed[];
  /** Phones that more than so many contacts share. */
  sharedPhones(moreThan: number): Iterable<string>;
  /** Whether more than so many contacts share this phone. */
  isSharedPhone(phone: string, moreThan: number): boolean;
  /** How many e-mails and phones lead to several contacts. */
  duplicates(): number;
  /** Closes the file and removes it: the next run takes its own. */
  close(): void;
}

/** A contact that an identifier leads to. */
export interface Listed {
  readonly by: IdentifyBy;
  readonly id: number;
}

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
  const insert = file.prepare('INSERT OR REPLACE INTO contact (id, email, phone) VALUES (?, ?, ?)');
  const write = file.transaction((contacts: readonly Contact[]) => {
    for (const { id, email, phone } of contacts) {
      insert.run(id, comparableEmail(email), comparablePhone(phone));
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
  return file.prepare<[], { n: number }>('SELECT count(*) AS n FROM contact').get()?.n ?? 0;
}

function snapshotIn(file: SqliteFile): Snapshot {
  const byEmail = file.prepare<[string], { id: number }>(
    'SELECT id FROM contact WHERE email = ? ORDER BY id',
  );
  const byPhone = file.prepare<[string], { id: number }>(
    'SELECT id FROM contact WHERE phone = ? ORDER BY id',
  );
  const nextShared = file.prepare<[string, number], { phone: string }>(
    'SELECT phone FROM contact WHERE phone > ? GROUP BY phone HAVING count(*) > ? ORDER BY phone LIMIT 500',
  );
  // Counted no further than it takes to know.
  const someWithPhone = file.prepare<[string, number], { n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM contact WHERE phone = ? LIMIT ?)',
  );
  return {
    count: countOf(file),
    find({ email, phone }) {
      const address = comparableEmail(email);
      const digits = comparablePhone(phone);
      const ofEmail = address === null ? [] : byEmail.all(address);
      const ofPhone = digits === null ? [] : byPhone.all(digits);
      return [
        ...ofEmail.map(({ id }): Listed => ({ by: 'email', id })),
        ...ofPhone.map(({ id }): Listed => ({ by: 'phone', id })),
      ];
    },
    *sharedPhones(moreThan) {
      // By pages: an open statement would keep everybody else from the file between two phones.
      for (let done = ''; ; ) {
        const page = nextShared.all(done, moreThan);
        for (const { phone } of page) yield phone;
        const last = page.at(-1);
        if (last === undefined) return;
        done = last.phone;
      }
    },
    isSharedPhone(phone, moreThan) {
      const digits = comparablePhone(phone);
      return digits !== null && (someWithPhone.get(digits, moreThan + 1)?.n ?? 0) > moreThan;
    },
    duplicates: () => severalBy(file, 'email') + severalBy(file, 'phone'),
    close: () => remove(file),
  };
}

function severalBy(file: SqliteFile, column: IdentifyBy): number {
  const several = `SELECT 1 FROM contact WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1`;
  return file.prepare<[], { n: number }>(`SELECT count(*) AS n FROM (${several})`).get()?.n ?? 0;
}
