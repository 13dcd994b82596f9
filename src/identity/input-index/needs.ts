import type { SqliteFile } from '../../storage/sqlite.ts';

/** What rows that are sent need in the workspace, and which rows will not be sent. */
export interface RowNeeds {
  /** Notes that a row has values for these custom fields; in the input's order. */
  addFields(names: readonly string[], seq: number): void;
  /** The custom fields that rows before `end` have values for. */
  fieldsBefore(end: number): ReadonlySet<string>;
  /** Notes that the mapping rejects a row, or that the row cannot be read. */
  addRejected(seq: number): void;
  /** Which of the rows from `from` on, before `to`, are rejected. */
  rejectedBetween(from: number, to: number): ReadonlySet<number>;
}

export function rowNeeds(file: SqliteFile): RowNeeds {
  const insertField = file.prepare<[string, number]>('INSERT OR IGNORE INTO field (name, seq) VALUES (?, ?)');
  const fields = file.prepare<[number], { name: string }>('SELECT name FROM field WHERE seq < ?');
  const insertRejected = file.prepare<[number]>('INSERT OR IGNORE INTO rejected (seq) VALUES (?)');
  const rejected = file.prepare<[number, number], { seq: number }>(
    'SELECT seq FROM rejected WHERE seq >= ? AND seq < ?',
  );
  // A mapping has a few custom fields, and a file millions of rows.
  const known = new Set<string>();
  return {
    addFields(names, seq) {
      for (const name of names) {
        if (known.has(name)) continue;
        known.add(name);
        insertField.run(name, seq);
      }
    },
    fieldsBefore: (end) => new Set(fields.all(end).map(({ name }) => name)),
    addRejected: (seq) => void insertRejected.run(seq),
    rejectedBetween: (from, to) => new Set(rejected.all(from, to).map(({ seq }) => seq)),
  };
}
