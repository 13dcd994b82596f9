import { type JournalFile, keptContent } from '../../journal/index.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { pages } from './earlier-rows.ts';

/** A cell that so many rows share says nothing of which of them a row was. */
const mostSharing = 500;

/** Above so many comparisons of raw lines with rows nobody waits for them: these rows are listed as missing then. */
const mostComparisons = 2_000_000;

const tables = `
CREATE TABLE earlier_cell (id INTEGER NOT NULL, cell TEXT NOT NULL) STRICT;
CREATE TABLE earlier_raw (id INTEGER PRIMARY KEY, raw TEXT NOT NULL) STRICT;
CREATE TABLE now_cell (seq INTEGER NOT NULL, cell TEXT NOT NULL, value TEXT NOT NULL) STRICT;
CREATE TABLE similar (id INTEGER NOT NULL, seq INTEGER NOT NULL, shared INTEGER NOT NULL) STRICT;
`;

/**
 * Pairs open rows with rows of the input that nobody else is, where at least half of the filled cells are the same: these
 * are the same row, with a cell corrected. Rows that have a key are never paired so: another key is another row.
 */
export function pairSimilar(scratch: SqliteFile, journal: JournalFile): void {
  scratch.exec(tables);
  fillEarlier(scratch, journal);
  scratch.exec(`
    INSERT INTO now_cell (seq, cell, value)
      SELECT now.seq, json_array(trim(j.value ->> 0), trim(j.value ->> 1)), trim(j.value ->> 1)
      FROM now, json_each(now.cells) AS j
      WHERE now.earlier IS NULL AND trim(coalesce(j.value ->> 1, '')) <> '';
    CREATE INDEX now_cell_cell ON now_cell (cell);
    CREATE INDEX now_cell_seq ON now_cell (seq);
    CREATE INDEX earlier_cell_cell ON earlier_cell (cell);
    CREATE INDEX earlier_cell_id ON earlier_cell (id);
    DELETE FROM now_cell WHERE cell IN (SELECT cell FROM now_cell GROUP BY cell HAVING count(*) > ${mostSharing})
      AND cell NOT IN (SELECT cell FROM earlier_cell GROUP BY cell HAVING count(*) <= 3);
    INSERT INTO similar (id, seq, shared)
      SELECT e.id, n.seq, count(*) AS shared FROM earlier_cell e JOIN now_cell n USING (cell)
      GROUP BY e.id, n.seq
      HAVING shared * 2 >= (SELECT count(*) FROM earlier_cell c WHERE c.id = e.id);
  `);
  if (count(scratch, 'earlier_raw') * count(scratch, 'now_cell') <= mostComparisons) {
    scratch.exec(`
      INSERT INTO similar (id, seq, shared)
        SELECT r.id, n.seq, count(*) AS shared FROM earlier_raw r JOIN now_cell n ON instr(r.raw, n.value) > 0
        GROUP BY r.id, n.seq
        HAVING shared * 2 >= (SELECT count(*) FROM now_cell c WHERE c.seq = n.seq);
    `);
  }
  // The most alike first, then the nearest; each row is one row's counterpart at the most.
  scratch.exec(`
    INSERT OR IGNORE INTO pair (id, seq)
      SELECT s.id, s.seq FROM similar s JOIN earlier e ON e.id = s.id JOIN now n ON n.seq = s.seq
      ORDER BY s.shared DESC, abs(e.line - n.line), e.id, s.seq;
  `);
}

function fillEarlier(scratch: SqliteFile, journal: JournalFile): void {
  const next = scratch.prepare<[number], { id: number; run: number; seq: number }>(
    `SELECT id, run, seq FROM earlier WHERE open = 1 AND met = 0 AND key IS NULL AND id > ? ORDER BY id LIMIT 500`,
  );
  const cell = scratch.prepare(
    'INSERT INTO earlier_cell (id, cell) VALUES (?, json_array(trim(?), trim(?)))',
  );
  const text = scratch.prepare('INSERT INTO earlier_raw (id, raw) VALUES (?, ?)');
  for (const { id, run, seq } of pages((after: { readonly id: number } | undefined) =>
    next.all(after?.id ?? 0),
  )) {
    const { cells, raw } = keptContent(journal, run, seq);
    for (const [column, value] of cells ?? []) if ((value ?? '').trim() !== '') cell.run(id, column, value);
    if (raw !== null && raw !== '') text.run(id, raw);
  }
}

function count(scratch: SqliteFile, table: string): number {
  return scratch.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
}
