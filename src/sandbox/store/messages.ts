import type { SqliteFile } from '../../storage/sqlite.ts';

export interface MessageRow {
  readonly id: number;
  readonly contact: number;
  /** JSON object: the message without its id and its contact's. */
  readonly body: string;
}

export interface MessageStore {
  byId(contact: number, id: number): MessageRow | undefined;
  add(contact: number, id: number | undefined, body: object): number;
  move(from: number, to: number): void;
  count(): number;
}

export function createMessageStore(db: SqliteFile): MessageStore {
  const byId = db.prepare<[number, number], MessageRow>(
    'SELECT * FROM messages WHERE id = ? AND contact = ?',
  );
  const insert = db.prepare<[number | null, number, string]>(
    'INSERT INTO messages (id, contact, body) VALUES (?, ?, ?)',
  );
  const move = db.prepare<[number, number]>('UPDATE messages SET contact = ? WHERE contact = ?');
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM messages');
  return {
    byId: (contact, id) => byId.get(id, contact),
    add: (contact, id, body) => Number(insert.run(id ?? null, contact, JSON.stringify(body)).lastInsertRowid),
    move: (from, to) => {
      move.run(to, from);
    },
    count: () => count.get()?.n ?? 0,
  };
}

/** A message as the interface shows it (specification: Message). */
export function messageOf(row: MessageRow): object {
  const body: object = JSON.parse(row.body);
  return { messageId: row.id, contactId: row.contact, ...body };
}
