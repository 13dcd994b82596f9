import { jsonObject, number, type RowOf } from '../../storage/columns.ts';
import { change, insert, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

/** The columns of a stored message; `body` is the message without its id and its contact's. */
export const messageRow = { id: number, contact: number, body: jsonObject };
export type MessageRow = RowOf<typeof messageRow>;

export function createMessageStore(db: SqliteFile) {
  return {
    byId: (contact: number, id: number) =>
      selectOne(db, messageRow)`SELECT * FROM messages WHERE id = ${id} AND contact = ${contact}`,
    add: (contact: number, id: number | undefined, body: object) =>
      insert(db, 'messages', { id: id ?? null, contact, body: JSON.stringify(body) }),
    move: (from: number, to: number) =>
      change(db)`UPDATE messages SET contact = ${to} WHERE contact = ${from}`,
    count: () => selectCount(db)`SELECT count(*) AS n FROM messages`,
  };
}

/** Returns a message as the interface shows it (specification: Message). */
export function messageOf({ id, contact, body }: MessageRow): object {
  return { messageId: id, contactId: contact, ...body };
}
