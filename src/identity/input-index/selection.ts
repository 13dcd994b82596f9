import type { SqliteFile } from '../../storage/sqlite.ts';

/** The rows that a run is about where it is not about all; empty whenever the index is opened. */
export interface Selection {
  select(seq: number): void;
  selectedBetween(from: number, to: number): Set<number>;
  selectedCount(): number;
}

export function selection(file: SqliteFile): Selection {
  const insert = file.prepare<[number]>('INSERT OR IGNORE INTO scratch.selected (seq) VALUES (?)');
  const between = file.prepare<[number, number], { seq: number }>(
    'SELECT seq FROM scratch.selected WHERE seq >= ? AND seq < ? ORDER BY seq',
  );
  const count = file.prepare<[], { n: number }>('SELECT count(*) AS n FROM scratch.selected');
  return {
    select: (seq) => void insert.run(seq),
    selectedBetween: (from, to) => new Set(between.all(from, to).map(({ seq }) => seq)),
    selectedCount: () => count.get()?.n ?? 0,
  };
}
