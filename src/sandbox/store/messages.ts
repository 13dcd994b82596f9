import { jsonObjectColumn, numberColumn, type TypedRow } from '../../storage/columns.ts';
import { insertRow, runSql, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

/** The columns of a stored message; `body` is the message without its own id and the id of its contact. */
export const messageRowColumns = { id: numberColumn, contact: numberColumn, body: jsonObjectColumn };
export type MessageRow = TypedRow<typeof messageRowColumns>;

export function createMessageStore(db: SqliteConnection) {
  return {
    byId: (contact: number, id: number) =>
      selectOne(db, messageRowColumns)`SELECT * FROM messages WHERE id = ${id} AND contact = ${contact}`,
    add: (contact: number, id: number | undefined, body: object) =>
      insertRow(db, 'messages', { id: id ?? null, contact, body: JSON.stringify(body) }),
    move: (from: number, to: number) =>
      runSql(db)`UPDATE messages SET contact = ${to} WHERE contact = ${from}`,
    count: () => selectCount(db)`SELECT count(*) AS n FROM messages`,
  };
}

/** Returns a message as the interface shows it (specification: Message). */
export function toMessageView({ id, contact, body }: MessageRow): object {
  return { messageId: id, contactId: contact, ...body };
}
