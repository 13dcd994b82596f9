import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Contact } from '../../model/contact.ts';
import { toContactRecordJson } from '../../model/contact-record.ts';
import { toMessageRecordsJson } from '../../model/message-record.ts';
import type { ExistingWorkspaceCopy, LiveWorkspace, LiveWorkspaceInput } from '../../model/ports.ts';
import type { User } from '../../model/user.ts';
import { flagColumn, nullableColumn, numberColumn, textColumn } from '../../storage/columns.ts';
import { prepareQuery, runSql, selectCount, selectOne } from '../../storage/sql.ts';
import {
  openOrCreateDatabase,
  removeDatabase,
  type SqliteConnection,
  tryOpenDatabase,
  withStorageErrors,
} from '../../storage/sqlite.ts';

/** A copied contact. */
interface CopiedContact {
  readonly id: number;
  /** The contact as a JSON object. */
  readonly json: string;
  /** The messages as a JSON array; null if they are not copied. */
  readonly messages: string | null;
}

/** A copied contact with its number in the copy, from 1. */
export interface CopiedContactRow extends CopiedContact {
  readonly seq: number;
}

/** The progress of a copy. */
interface CopyState extends ExistingWorkspaceCopy {
  /** The cursor of the next page; null before the first page and after the last. */
  readonly cursor: string | null;
  readonly whole: boolean;
}

const stateColumns = {
  begunAt: numberColumn,
  run: nullableColumn(textColumn),
  cursor: nullableColumn(textColumn),
  whole: flagColumn,
};
const copiedRow = {
  seq: numberColumn,
  id: numberColumn,
  json: textColumn,
  messages: nullableColumn(textColumn),
};

const tables = `
CREATE TABLE contact (
  seq      INTEGER PRIMARY KEY,
  id       INTEGER NOT NULL UNIQUE,
  json     TEXT NOT NULL,
  messages TEXT
) STRICT;
CREATE TABLE state (
  begun_at INTEGER NOT NULL,
  run      TEXT,
  cursor   TEXT,
  whole    INTEGER NOT NULL
) STRICT;
`;

const layout = { version: 1, tables };

/** Returns the path of a workspace's copy in the spool folder, one for each `purpose`. */
export function resolveContactCopyPath(spoolDir: string, purpose: string): string {
  const name = createHash('sha256').update(purpose).digest('hex').slice(0, 16);
  return join(spoolDir, `workspace-${name}.db`);
}

/** Stores the id of the run that reads the copy at `path`; does nothing if there is no copy. */
export function bindContactCopyToRun(path: string, run: string): void {
  const copy = ContactCopyFile.open(path);
  copy?.bind(run);
  copy?.close();
}

/** A copy of a workspace's contacts on disk. It has each contact once, is written page by page, and can be resumed. */
export class ContactCopyFile {
  readonly path: string;
  readonly #db: SqliteConnection;

  private constructor(path: string, db: SqliteConnection) {
    this.path = path;
    this.#db = db;
  }

  /** Creates an empty copy, and removes an existing one; a page lost in a power failure is copied again. */
  static create(path: string, begunAt: number): ContactCopyFile {
    return withStorageErrors(path, () => {
      removeDatabase(path);
      const db = openOrCreateDatabase(path, layout);
      runSql(db)`INSERT INTO state (begun_at, whole) VALUES (${begunAt}, 0)`;
      return new ContactCopyFile(path, db);
    });
  }

  /** Opens the copy at a path; returns undefined if there is no usable one. */
  static open(path: string): ContactCopyFile | undefined {
    const db = tryOpenDatabase(path, layout);
    return db && new ContactCopyFile(path, db);
  }

  get state(): CopyState {
    const row = selectOne(this.#db, stateColumns)`
      SELECT begun_at AS begunAt, run, cursor, whole FROM state`;
    if (row === undefined) throw new Error(`${this.path} has no description`);
    return row;
  }

  count(): number {
    return selectCount(this.#db)`SELECT count(*) AS n FROM contact`;
  }

  /**
   * Adds a page and the cursor of the next one; keeps contacts already copied. Returns the number of new
   * ones.
   */
  add(contacts: readonly CopiedContact[], next: string | null): number {
    return withStorageErrors(this.path, () => this.#add(contacts, next));
  }

  /** Marks the copy as complete and makes it durable. */
  finish(): void {
    withStorageErrors(this.path, () => {
      this.#db.pragma('synchronous = FULL');
      runSql(this.#db)`UPDATE state SET whole = 1`;
      // The database becomes a single file.
      this.#db.pragma('journal_mode = DELETE');
    });
  }

  /** Stores the id of the run that reads the copy. */
  bind(run: string): void {
    withStorageErrors(this.path, () => runSql(this.#db)`UPDATE state SET run = ${run}`);
  }

  /** Returns the rows after number `seq`, in order, up to the limits of `most`; empty at the end. */
  after(
    seq: number,
    most: { readonly rows: number; readonly characters: number },
  ): readonly CopiedContactRow[] {
    const rows: CopiedContactRow[] = [];
    let characters = 0;
    const select = prepareQuery(
      this.#db,
      copiedRow,
      'SELECT seq, id, json, messages FROM contact WHERE seq > ? ORDER BY seq LIMIT ?',
    );
    for (const row of select.iterate(seq, most.rows)) {
      rows.push(row);
      characters += row.json.length + (row.messages?.length ?? 0);
      if (characters >= most.characters) break;
    }
    return rows;
  }

  close(): void {
    this.#db.close();
  }

  #add(contacts: readonly CopiedContact[], next: string | null): number {
    const insert = this.#db.prepare<[number, number, string, string | null]>(
      'INSERT INTO contact (seq, id, json, messages) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
    return this.#db.transaction(() => {
      const before = this.count();
      let seq = before + 1;
      for (const { id, json, messages } of contacts) seq += insert.run(seq, id, json, messages).changes;
      runSql(this.#db)`UPDATE state SET cursor = ${next}`;
      return seq - before - 1;
    })();
  }
}

/**
 * The number of pages whose messages are read concurrently, so that a contact with many messages does not
 * block the others.
 */
const pagesUnderWay = 4;

const progressEveryMs = 10_000;

interface CopyPage {
  readonly contacts: readonly CopiedContact[];
  readonly next: string | null;
}

/** Copies the missing contacts of a workspace, page by page; resumes after the last stored page. */
export async function copyWorkspaceContacts(
  live: LiveWorkspaceInput,
  file: ContactCopyFile,
  { messages }: { readonly messages: boolean },
  signal: AbortSignal,
): Promise<void> {
  const workspace = await live.open();
  try {
    const { cursor } = file.state;
    if (cursor !== null) live.tell(`Copying continues after ${formatContactCount(file.count(), live.name)}.`);
    const told = new CopyProgress(live, file.count());
    const make = await recordMaker(workspace, messages);
    for await (const { contacts, next } of pagesInOrder(workspace, cursor, make)) {
      signal.throwIfAborted();
      told.more(file.add(contacts, next));
    }
    file.finish();
  } finally {
    await workspace.close();
  }
}

type MakeRecord = (contact: Contact) => Promise<CopiedContact>;

async function recordMaker(workspace: LiveWorkspace, messages: boolean): Promise<MakeRecord> {
  const fieldNames = await workspace.customFields();
  const users = new Map<string, User>();
  if (messages) for (const user of await workspace.users()) users.set(String(user.id), user);
  return async (contact) => ({
    id: contact.id,
    json: toContactRecordJson(contact, fieldNames),
    messages: messages ? toMessageRecordsJson(await workspace.messages(contact.id), contact, users) : null,
  });
}

/** Yields the pages in order; reads the messages of a few pages concurrently. */
async function* pagesInOrder(
  workspace: LiveWorkspace,
  cursor: string | null,
  make: MakeRecord,
): AsyncGenerator<CopyPage, void, void> {
  const underWay: Promise<CopyPage>[] = [];
  let failed: { readonly error: unknown } | undefined;
  for await (const listed of errorAsLastItem(workspace.contacts(cursor ?? undefined))) {
    if ('error' in listed) {
      failed = listed;
      continue;
    }
    const { items, next } = listed;
    const page = Promise.all(items.map(make)).then((contacts) => ({ contacts, next }));
    // Avoids an unhandled rejection: the error is thrown when the page is awaited.
    page.catch(() => undefined);
    underWay.push(page);
    const first = underWay.length < pagesUnderWay ? undefined : underWay.shift();
    if (first !== undefined) yield await first;
  }
  for (const page of underWay) yield await page;
  if (failed !== undefined) throw failed.error;
}

/**
 * Yields the items of a list; if the list throws, yields the error as the last item, so that no item is lost.
 */
async function* errorAsLastItem<T>(
  list: AsyncIterable<T>,
): AsyncGenerator<T | { readonly error: unknown }, void, void> {
  try {
    yield* list;
  } catch (error) {
    yield { error };
  }
}

/** Reports the progress of copying at intervals. */
class CopyProgress {
  readonly #live: LiveWorkspaceInput;
  #count: number;
  #at: number;

  constructor(live: LiveWorkspaceInput, count: number) {
    this.#live = live;
    this.#count = count;
    this.#at = live.clock.now();
  }

  more(contacts: number): void {
    this.#count += contacts;
    const now = this.#live.clock.now();
    if (now - this.#at < progressEveryMs) return;
    this.#at = now;
    this.#live.tell(`Copied ${formatContactCount(this.#count, this.#live.name)} so far.`);
  }
}

/** Formats a number of contacts of a workspace: `12,345 contacts of https://…`. */
export function formatContactCount(count: number, name: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'contact' : 'contacts'} of ${name}`;
}
