import * as z from 'zod';
import type { AnswerFlaw } from '../../../model/answer.ts';
import type { Contact } from '../../../model/contact.ts';
import {
  anyJsonColumn,
  jsonObjectColumn,
  nullableColumn,
  numberColumn,
  textColumn,
} from '../../../storage/columns.ts';
import { replaceRow, runSql, select, selectCount, selectOne } from '../../../storage/sql.ts';
import {
  openOrCreateDatabase,
  type SqliteConnection,
  tryOpenDatabase,
  withStorageErrors,
} from '../../../storage/sqlite.ts';
import type { Lossless } from '../../../workspace/index.ts';

const schema = z.object({
  /** The cursor of the next page of the contact list; null before the first and after the last. */
  listCursor: z.string().nullable().default(null),
  /** True when all contacts are fetched. */
  listed: z.boolean().default(false),
  /** The number of contacts listed again while the list was read. */
  moved: z.int().default(0),
  /** The order in which the interface lists a contact's messages; null until it is known. */
  order: z.enum(['newest', 'oldest']).nullable().default(null),
  /**
   * The id of the previous export, whose sync state this one continues from; null for a full export, undefined until
   * that is decided.
   */
  follows: z.string().nullable().optional(),
  /** True when the closing notes and templates are fetched. */
  objects: z.boolean().default(false),
  /** The number of messages from earlier exports whose contacts no longer exist. */
  ownerless: z.int().default(0),
  /** The final path of the export's folder, saved before the folder exists; null before it is chosen. */
  folder: z.string().nullable().default(null),
});

/** The state of fetching. */
type StagedState = z.output<typeof schema>;

/** Reads and writes the state of a staging file; a write is a part of the transaction around it. */
function stagedState(db: SqliteConnection) {
  let known: StagedState | undefined;
  return {
    get(): StagedState {
      if (known !== undefined) return known;
      const rows = select(db, { name: textColumn, value: anyJsonColumn })`SELECT name, value FROM state`;
      known = schema.parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
      return known;
    },
    set(changes: Partial<StagedState>): void {
      const now = { ...this.get(), ...changes };
      for (const [name, value] of Object.entries(changes))
        replaceRow(db, 'state', { name, value: JSON.stringify(value) });
      known = now;
    },
  };
}

const version = 2;

const tables = `
CREATE TABLE contact (
  seq    INTEGER PRIMARY KEY,
  id     INTEGER NOT NULL UNIQUE,
  given  TEXT NOT NULL,
  known  INTEGER NOT NULL,                 -- id of its newest message in the previous export; 0 for none
  floor  INTEGER NOT NULL,                 -- id above which its messages are read; 0 for all of them
  reading TEXT NOT NULL,                   -- of its messages: todo, done, gone, unreadable
  cursor TEXT,
  reason TEXT,                             -- why its messages could not be read, or not completely
  flaw   TEXT                              -- the defect of the contact in the answer
) STRICT;
CREATE INDEX contact_todo ON contact (seq) WHERE reading = 'todo';
CREATE TABLE message (
  id      INTEGER PRIMARY KEY,             -- unique: a merge may move a message during the export
  contact INTEGER NOT NULL,                -- seq of the contact
  at      INTEGER,                         -- Unix seconds of its first status
  updated INTEGER NOT NULL,                -- 1 if the previous export had the message
  given   TEXT NOT NULL
) STRICT;
CREATE INDEX message_contact ON message (contact, id);
CREATE TABLE object (
  kind  TEXT NOT NULL,
  seq   INTEGER NOT NULL,
  given TEXT NOT NULL,
  PRIMARY KEY (kind, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const layout = { version, tables };

/**
 * The id of the newest message of a contact in the previous export, and the id above which messages are read (0 for
 * none).
 */
export interface MessageSyncPoint {
  readonly known: number;
  readonly floor: number;
}

/** A contact whose messages are to be read. */
export interface ContactWithMessagesToRead extends MessageSyncPoint {
  readonly seq: number;
  readonly id: number;
  readonly cursor: string | null;
}

/** The columns of a contact whose messages are to be read. */
const toRead = {
  seq: numberColumn,
  id: numberColumn,
  known: numberColumn,
  floor: numberColumn,
  cursor: nullableColumn(textColumn),
};

interface ListedPage {
  readonly next: string | null;
  readonly syncOf: (id: number) => MessageSyncPoint;
  readonly reads: boolean;
  readonly flaws?: readonly AnswerFlaw[];
}

interface Counts {
  readonly contacts: number;
  /** The number of contacts whose messages have been read or cannot be read. */
  readonly read: number;
  readonly messages: number;
}

export interface StagedMessage {
  readonly id: number;
  readonly at: number | null;
  readonly updated: boolean;
  readonly given: string;
}

/** The maximum number of message pages in one commit; a crash loses the uncommitted ones, which are then read again. */
const sharing = 512;

/**
 * The fetched data of an export, in SQLite, with the cursors to continue at; a page and its cursor are
 * committed together.
 */
export class StagedExport {
  readonly path: string;
  readonly db: SqliteConnection;
  readonly state: ReturnType<typeof stagedState>;

  private constructor(path: string, db: SqliteConnection) {
    this.path = path;
    this.db = db;
    // Up to 32 MB of write-ahead log between two checkpoints, because the same pages are rewritten many times.
    db.pragma('wal_autocheckpoint = 8000');
    this.state = stagedState(db);
  }

  static create(path: string): StagedExport {
    return withStorageErrors(path, () => new StagedExport(path, openOrCreateDatabase(path, layout)));
  }

  /** Opens the file of an earlier session; undefined if there is none, or none of this version. */
  static open(path: string): StagedExport | undefined {
    const db = tryOpenDatabase(path, layout);
    if (db === undefined) return undefined;
    db.pragma('synchronous = NORMAL');
    return new StagedExport(path, db);
  }

  /**
   * Adds a page of the contact list; a contact listed before keeps its position. Returns the number of such contacts.
   */
  addContacts(page: readonly Lossless<Contact>[], { next, syncOf, reads, flaws = [] }: ListedPage): number {
    const reading = reads ? 'todo' : 'done';
    return this.#commit(() => {
      let moved = 0;
      for (const [index, { value, given }] of page.entries()) {
        const { known, floor } = syncOf(value.id);
        const seq = this.#nextSeq();
        const { seq: kept } = selectOne(this.db, { seq: numberColumn })`
          INSERT INTO contact (seq, id, given, known, floor, reading, flaw)
          VALUES (${seq}, ${value.id}, ${JSON.stringify(given)}, ${known}, ${floor}, ${reading}, ${flawOf(flaws, index)})
          ON CONFLICT (id) DO UPDATE SET given = excluded.given, flaw = excluded.flaw RETURNING seq` ?? {
          seq,
        };
        if (kept === seq) this.#seq = seq;
        else moved += 1;
      }
      this.#count(page.length - moved, reads ? 0 : page.length - moved, 0);
      this.state.set({ listCursor: next, listed: next === null, moved: this.state.get().moved + moved });
      return moved;
    });
  }

  /** Returns up to `most` contacts after a position whose messages are still to be read, in order. */
  toRead(after: number, most: number): readonly ContactWithMessagesToRead[] {
    return select(this.db, toRead)`
      SELECT seq, id, known, floor, cursor FROM contact WHERE reading = 'todo' AND seq > ${after}
      ORDER BY seq LIMIT ${most}`;
  }

  /**
   * Adds messages of a contact, and the next cursor (null at the end); with a `reason`, the contact is listed as
   * unreadable and the next export reads its messages again.
   */
  addMessages(
    contact: ContactWithMessagesToRead,
    messages: readonly StagedMessage[],
    next: string | null,
    reason: string | null = null,
  ): void {
    this.#share(() => {
      for (const each of messages) this.#addMessage(contact.seq, each);
      runSql(this.db)`
        UPDATE contact SET cursor = ${next}, reason = coalesce(reason, ${reason}), reading = CASE
          WHEN ${next} IS NOT NULL THEN 'todo'
          WHEN coalesce(reason, ${reason}) IS NULL THEN 'done' ELSE 'unreadable' END
        WHERE seq = ${contact.seq}`;
      this.#count(0, next === null ? 1 : 0, messages.length);
    });
  }

  /** Adds messages of earlier exports to their contacts; messages of deleted contacts are only counted. */
  addOldMessages(messages: readonly (StagedMessage & { readonly contactId: number })[]): void {
    this.#commit(() => {
      let lost = 0;
      for (const each of messages) {
        const contact = selectOne(this.db, { seq: numberColumn })`
          SELECT seq FROM contact WHERE id = ${each.contactId}`?.seq;
        if (contact === undefined) lost += 1;
        else this.#addMessage(contact, each);
      }
      if (lost > 0) this.state.set({ ownerless: this.state.get().ownerless + lost });
    });
  }

  #addMessage(contact: number, { id, at, updated, given }: StagedMessage): void {
    runSql(this.db)`
      INSERT INTO message (id, contact, at, updated, given) VALUES (${id}, ${contact}, ${at}, ${updated ? 1 : 0}, ${given})
      ON CONFLICT (id) DO UPDATE SET contact = excluded.contact, at = excluded.at, given = excluded.given`;
  }

  /** Records that the messages of a contact cannot be read. */
  endReading(
    contact: ContactWithMessagesToRead,
    reading: 'gone' | 'unreadable',
    reason: string | null,
  ): void {
    this.#share(() => {
      runSql(this.db)`UPDATE contact SET reading = ${reading}, reason = ${reason} WHERE seq = ${contact.seq}`;
      this.#count(0, 1, 0);
    });
  }

  /** Sets the objects of a kind, in place of the previous ones. */
  setObjects(kind: string, given: readonly object[]): void {
    this.#commit(() => {
      runSql(this.db)`DELETE FROM object WHERE kind = ${kind}`;
      for (const [seq, each] of given.entries())
        replaceRow(this.db, 'object', { kind, seq, given: JSON.stringify(each) });
    });
  }

  /** Returns the objects of a kind, in their order. */
  objects(kind: string): Readonly<Record<string, unknown>>[] {
    const found = select(this.db, { given: jsonObjectColumn })`
      SELECT given FROM object WHERE kind = ${kind} ORDER BY seq`;
    return found.map(({ given }) => given);
  }

  /** Returns the progress from running totals: a message that is listed twice is counted twice. */
  progress(): Counts {
    this.#progress ??= this.counts();
    return this.#progress;
  }

  /** Returns the progress by counting rows. */
  counts(): Counts {
    const count = selectCount(this.db);
    return {
      contacts: count`SELECT count(*) AS n FROM contact`,
      read: count`SELECT count(*) AS n FROM contact WHERE reading <> 'todo'`,
      messages: count`SELECT count(*) AS n FROM message`,
    };
  }

  /** Returns the contacts that could not be read completely, or whose messages could not, with the reason. */
  unreadable(): { readonly contactId: number; readonly reason: string }[] {
    return select(this.db, { contactId: numberColumn, reason: textColumn })`
      SELECT id AS contactId, trim(coalesce(flaw, '') || '; ' || coalesce(reason, ''), '; ') AS reason
      FROM contact WHERE reading = 'unreadable' OR flaw IS NOT NULL ORDER BY seq`;
  }

  /** Returns the times of the first and the last message (Unix seconds); null without one. */
  messageTimestamps(): { readonly from: number | null; readonly to: number | null } {
    const found = selectOne(this.db, {
      from: nullableColumn(numberColumn),
      to: nullableColumn(numberColumn),
    })`
      SELECT min(at) AS "from", max(at) AS "to" FROM message`;
    return found ?? { from: null, to: null };
  }

  /** Returns the number of contacts that no longer existed when their messages were requested. */
  goneCount(): number {
    return selectCount(this.db)`SELECT count(*) AS n FROM contact WHERE reading = 'gone'`;
  }

  /** Commits the message pages that share a transaction. Called at intervals, and before another connection reads. */
  settle(): void {
    this.#shared = 0;
    this.#guarded(() => this.db.inTransaction && this.db.exec('COMMIT'));
  }

  close(): void {
    this.db.close();
  }

  #progress: Counts | undefined;

  #count(contacts: number, read: number, messages: number): void {
    const before = this.#progress;
    // Without running totals there is nothing to update: the first count includes these rows.
    if (before === undefined) return;
    this.#progress = {
      contacts: before.contacts + contacts,
      read: before.read + read,
      messages: before.messages + messages,
    };
  }

  #seq: number | undefined;

  #nextSeq(): number {
    this.#seq ??= selectCount(this.db)`SELECT coalesce(max(seq), 0) AS n FROM contact`;
    return this.#seq + 1;
  }

  #broken: { readonly error: unknown } | undefined;

  /**
   * Runs `work`; after a failure, which may have rolled back pages counted as read, every later call throws the same
   * error.
   */
  #guarded<T>(work: () => T): T {
    if (this.#broken !== undefined) throw this.#broken.error;
    try {
      return withStorageErrors(this.path, work);
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }

  #commit<T>(work: () => T): T {
    const done = this.#guarded(() => this.db.transaction(work)());
    this.settle();
    return done;
  }

  #shared = 0;

  #share(work: () => void): void {
    this.#guarded(() => {
      if (!this.db.inTransaction) this.db.exec('BEGIN IMMEDIATE');
      // A savepoint is not needed: after a failure in `work`, nothing more is committed.
      work();
    });
    this.#shared += 1;
    if (this.#shared >= sharing) this.settle();
  }
}

function flawOf(flaws: readonly AnswerFlaw[], index: number): string | null {
  const reasons = flaws.filter(({ item }) => item === index).map(({ reason }) => reason);
  return reasons.length === 0 ? null : reasons.join('; ');
}
