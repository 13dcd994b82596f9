import type { SqliteFile } from '../../storage/sqlite.ts';

/** An internal comment (specification: Comment). */
export interface Comment {
  readonly contactId: number;
  readonly text: string;
  /** Unix seconds. */
  readonly created_at: number;
}

export interface CommentStore {
  add(comment: Comment): void;
  /** In the order they came. */
  of(contact: number): readonly Comment[];
  move(from: number, to: number): void;
  count(): number;
}

export function createCommentStore(db: SqliteFile): CommentStore {
  const insert = db.prepare<[number, string, number]>(
    'INSERT INTO comments (contact, text, created_at) VALUES (?, ?, ?)',
  );
  const of = db.prepare<[number], Comment>(
    'SELECT contact AS contactId, text, created_at FROM comments WHERE contact = ? ORDER BY id',
  );
  const move = db.prepare<[number, number]>('UPDATE comments SET contact = ? WHERE contact = ?');
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM comments');
  return {
    add: (comment) => {
      insert.run(comment.contactId, comment.text, comment.created_at);
    },
    of: (contact) => of.all(contact),
    move: (from, to) => {
      move.run(to, from);
    },
    count: () => count.get()?.n ?? 0,
  };
}
