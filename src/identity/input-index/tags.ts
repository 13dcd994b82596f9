import type { SqliteFile } from '../../storage/sqlite.ts';

/** Spellings that are not asked about twice in a row; the table knows the others. */
const mostRecent = 1_000;

/** The distinct tag names of the input, without regard to case. */
export interface TagNames {
  /** Takes the tags of a row, in the input's order; the first spelling stays. */
  add(names: readonly string[], seq: number): void;
  /** Those that the rows before `end` name, in the order in which they first came. */
  before(end: number): Iterable<string>;
  /** The first spelling of a name; the name itself where it never came. */
  spelling(name: string): string;
}

export function tagNames(file: SqliteFile): TagNames {
  const insert = file.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO tag (folded, name, seq) VALUES (?, ?, ?)',
  );
  const next = file.prepare<[number, number], { number: number; name: string }>(
    'SELECT number, name FROM tag WHERE number > ? AND seq < ? ORDER BY number LIMIT 500',
  );
  const first = file.prepare<[string], { name: string }>('SELECT name FROM tag WHERE folded = ?');
  const recent = new Set<string>();
  return {
    add(names, seq) {
      for (const name of names) {
        if (recent.has(name)) continue;
        if (recent.size >= mostRecent) recent.clear();
        recent.add(name);
        insert.run(folded(name), name, seq);
      }
    },
    spelling: (name) => first.get(folded(name))?.name ?? name,
    *before(end) {
      // By pages: an open statement would keep everybody else from the file between two names.
      for (let done = 0; ; ) {
        const page = next.all(done, end);
        for (const { name } of page) yield name;
        const last = page.at(-1);
        if (last === undefined) return;
        done = last.number;
      }
    },
  };
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
