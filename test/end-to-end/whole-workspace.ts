import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Planted, readPlanted, type Thing } from './export/planted.ts';

/** Everything that the sandbox of a work dir holds, but what no two workspaces share: ids and times. */
export interface WholeWorkspace extends Omit<Planted, 'contacts'> {
  /** Each with its comments and closing note, in the order of their texts. */
  readonly contacts: readonly Thing[];
}

interface Behind {
  readonly contact: number;
  readonly text: string | null;
}

export function wholeWorkspace(folder: string): WholeWorkspace {
  const file = join(folder, '.longshore', 'sandbox.db');
  const { contacts, ...others } = readPlanted(file);
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const all = (sql: string): readonly Behind[] => db.prepare<[], Behind>(sql).all();
    const comments = all('SELECT contact, text FROM comments ORDER BY id');
    const closings = all(
      `SELECT id AS contact, closingCategory || ': ' || closingSummary AS text FROM contacts`,
    );
    return {
      ...others,
      contacts: contacts
        .map(({ id, created_at: _, ...contact }) => ({
          ...contact,
          comments: comments.filter((comment) => comment.contact === id).map(({ text }) => text),
          closing: closings.find((closing) => closing.contact === id)?.text ?? null,
        }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    };
  } finally {
    db.close();
  }
}
