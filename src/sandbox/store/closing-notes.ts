import type { SqliteFile } from '../../storage/sqlite.ts';

export interface ClosingNoteRow {
  readonly id: number;
  readonly category: string;
  readonly description: string | null;
}

export interface ClosingNoteStore {
  /** Sorted by category. */
  all(): readonly ClosingNoteRow[];
  has(category: string): boolean;
  add(category: string, description: string | null): void;
}

export function createClosingNoteStore(db: SqliteFile): ClosingNoteStore {
  const all = db.prepare<[], ClosingNoteRow>('SELECT * FROM closing_notes ORDER BY category, id');
  const one = db.prepare<[string], { id: number }>('SELECT id FROM closing_notes WHERE category = ?');
  const insert = db.prepare<[string, string | null]>(
    'INSERT INTO closing_notes (category, description) VALUES (?, ?)',
  );
  return {
    all: () => all.all(),
    has: (category) => one.get(category) !== undefined,
    add: (category, description) => {
      insert.run(category, description);
    },
  };
}
