import type { RebuildableFile } from '../rebuildable-file.ts';

/** Spellings that are not asked about twice in a row; the table knows the others. */
const mostRecent = 1_000;

/** The distinct tag names of the input, without regard to case. */
export interface TagNames {
  /** The first spelling stays. */
  add(names: readonly string[]): void;
  /** In the order in which they first came. */
  all(): Iterable<string>;
  /** The first spelling of a name; the name itself where it never came. */
  spelling(name: string): string;
}

export function tagNames(file: RebuildableFile): TagNames {
  const insert = file.prepare<[string, string]>('INSERT OR IGNORE INTO tag (folded, name) VALUES (?, ?)');
  const next = file.prepare<[number], { number: number; name: string }>(
    'SELECT number, name FROM tag WHERE number > ? ORDER BY number LIMIT 500',
  );
  const first = file.prepare<[string], { name: string }>('SELECT name FROM tag WHERE folded = ?');
  const recent = new Set<string>();
  return {
    add(names) {
      for (const name of names) {
        if (recent.has(name)) continue;
        if (recent.size >= mostRecent) recent.clear();
        recent.add(name);
        insert.run(folded(name), name);
      }
    },
    spelling: (name) => first.get(folded(name))?.name ?? name,
    *all() {
      // By pages: an open statement would keep everybody else from the file between two names.
      for (let done = 0; ; ) {
        const page = next.all(done);
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
