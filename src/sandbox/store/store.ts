import type { SqliteFile, Statement } from '../../storage/sqlite.ts';
import { type CommentStore, createCommentStore } from './comments.ts';
import { type ContactRow, type ContactStore, createContactStore } from './contacts.ts';
import { createMessageStore, type MessageRow, type MessageStore } from './messages.ts';
import { openDatabase } from './open.ts';
import {
  type ChannelStore,
  type ClosingNoteStore,
  type CustomFieldStore,
  createChannelStore,
  createClosingNoteStore,
  createCustomFieldStore,
  createUserStore,
  type TemplateRow,
  type UserRow,
  type UserStore,
} from './settings.ts';
import { createTagStore, type TagStore } from './tags.ts';

export type SqlValue = string | number | null;

/** All rows of a query; the texts used last stay prepared. */
export type Query<Row> = (sql: string, params: readonly SqlValue[]) => readonly Row[];

interface Queries {
  readonly contacts: Query<ContactRow>;
  readonly customFields: Query<{ readonly id: number; readonly name: string }>;
  readonly users: Query<UserRow>;
  readonly templates: Query<TemplateRow>;
  readonly messages: Query<MessageRow>;
}

/** The whole workspace, in one database. */
export interface Store {
  readonly sandboxId: string;
  readonly contacts: ContactStore;
  readonly customFields: CustomFieldStore;
  readonly tags: TagStore;
  readonly comments: CommentStore;
  readonly users: UserStore;
  readonly closingNotes: ClosingNoteStore;
  readonly messages: MessageStore;
  readonly channels: ChannelStore;
  /** Queries whose text varies. */
  readonly queries: Queries;
  /** All of `change` or nothing of it. */
  transaction<T>(change: () => T): T;
  /** The same for a change that waits in between; nothing else may use the store meanwhile. */
  longTransaction(change: () => Promise<void>): Promise<void>;
  isSeeded(): boolean;
  markSeeded(): void;
  close(): void;
}

const mostPrepared = 100;

export function openStore(file: string | undefined): Store {
  const { db, sandboxId } = openDatabase(file);
  const seeded = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'seeded'");
  return {
    sandboxId,
    contacts: createContactStore(db),
    customFields: createCustomFieldStore(db),
    tags: createTagStore(db),
    comments: createCommentStore(db),
    users: createUserStore(db),
    closingNotes: createClosingNoteStore(db),
    messages: createMessageStore(db),
    channels: createChannelStore(db),
    queries: {
      contacts: createQuery(db),
      customFields: createQuery(db),
      users: createQuery(db),
      templates: createQuery(db),
      messages: createQuery(db),
    },
    transaction: (change) => (db.inTransaction ? change() : db.transaction(change).immediate()),
    async longTransaction(change) {
      db.exec('BEGIN IMMEDIATE');
      try {
        await change();
        db.exec('COMMIT');
      } finally {
        if (db.inTransaction) db.exec('ROLLBACK');
      }
    },
    isSeeded: () => seeded.get() !== undefined,
    markSeeded: () => {
      db.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('seeded', '1')");
    },
    close: () => {
      db.close();
    },
  };
}

function createQuery<Row>(db: SqliteFile): Query<Row> {
  const prepared = new Map<string, Statement<SqlValue[], Row>>();
  return (sql, params) => {
    const found = prepared.get(sql) ?? db.prepare<SqlValue[], Row>(sql);
    prepared.delete(sql);
    prepared.set(sql, found);
    const oldest = prepared.keys().next();
    if (prepared.size > mostPrepared && oldest.done !== true) prepared.delete(oldest.value);
    return found.all(...params);
  };
}
