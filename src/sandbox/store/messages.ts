import { z } from 'zod';
import { change, insert, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

const messageBody = z.looseObject({});

export interface MessageRow {
  readonly id: number;
  readonly contact: number;
  /** JSON object: the message without its id and its contact's. */
  readonly body: string;
}

export function createMessageStore(db: SqliteFile) {
  return {
    byId: (contact: number, id: number) =>
      selectOne<MessageRow>(db)`SELECT * FROM messages WHERE id = ${id} AND contact = ${contact}`,
    add: (contact: number, id: number | undefined, body: object) =>
      insert(db, 'messages', { id: id ?? null, contact, body: JSON.stringify(body) }),
    move: (from: number, to: number) =>
      change(db)`UPDATE messages SET contact = ${to} WHERE contact = ${from}`,
    count: () => selectCount(db)`SELECT count(*) AS n FROM messages`,
  };
}

/** A message as the interface shows it (specification: Message). */
export function messageOf(row: MessageRow): object {
  return { messageId: row.id, contactId: row.contact, ...messageBody.parse(JSON.parse(row.body)) };
}
