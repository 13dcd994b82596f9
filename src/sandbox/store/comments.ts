import { numberColumn, textColumn } from '../../storage/columns.ts';
import { insertRow, runSql, select, selectCount } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

/** An internal comment (specification: Comment). */
export interface Comment {
  readonly contactId: number;
  readonly text: string;
  /** Unix seconds. */
  readonly created_at: number;
}

const commentRow = { contactId: numberColumn, text: textColumn, created_at: numberColumn };

export function createCommentStore(db: SqliteConnection) {
  return {
    add: ({ contactId: contact, text, created_at }: Comment) =>
      void insertRow(db, 'comments', { contact, text, created_at }),
    /** In the order in which they were added. */
    of: (contact: number): readonly Comment[] => select(db, commentRow)`
      SELECT contact AS contactId, text, created_at FROM comments WHERE contact = ${contact} ORDER BY id`,
    move: (from: number, to: number) =>
      runSql(db)`UPDATE comments SET contact = ${to} WHERE contact = ${from}`,
    count: () => selectCount(db)`SELECT count(*) AS n FROM comments`,
  };
}
