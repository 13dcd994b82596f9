import { mkdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JournalDatabase, pruneRun, toJournalPath } from '../../src/journal/index.ts';
import { journalMigrations } from '../../src/journal/migrations.ts';
import { addRowProblem, removeRowProblems, writeRow } from '../../src/journal/row-record.ts';
import { outcomes } from '../../src/model/outcome.ts';
import { openFile, row, runJournal, workDir } from './work-dir.ts';

/** What the triggers count, without what is zero. */
const kept = (file: JournalDatabase) =>
  file.prepare('SELECT run, outcome, code, n FROM row_count WHERE n <> 0 ORDER BY 1, 2, 3').all();

/** The same, counted in the rows themselves. */
const counted = (file: JournalDatabase) =>
  file
    .prepare(
      `SELECT run, outcome, '' AS code, count(*) AS n FROM row GROUP BY 1, 2
       UNION ALL SELECT run, outcome, value ->> '$.code', count(*) FROM row, json_each(coalesce(row.problems, '[]'))
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    )
    .all();

const problem = (code: string) => ({ code, column: null, reason: 'a reason' });
const code = fc.constantFrom('email.invalid', 'phone.invalid', 'duplicate');
const seq = fc.nat(5);

const write = fc.record({
  seq,
  outcome: fc.constantFrom(...outcomes),
  codes: fc.array(code, { maxLength: 3 }),
});
const change = fc.oneof(
  write.map(
    ({ codes, ...rest }) =>
      (file: JournalDatabase, run: number) =>
        writeRow(file, run, row(rest.seq, { ...rest, problems: codes.map(problem) })),
  ),
  fc
    .record({ seq, code })
    .map((at) => (file: JournalDatabase, run: number) => addRowProblem(file, run, at.seq, problem(at.code))),
  code.map((at) => (file: JournalDatabase, run: number) => removeRowProblems(file, run, at)),
  seq.map(
    (at) => (file: JournalDatabase, run: number) =>
      void file
        .prepare('UPDATE row SET problems = NULL, forgotten = 1 WHERE run = ? AND seq = ?')
        .run(run, at),
  ),
  seq.map(
    (at) => (file: JournalDatabase, run: number) =>
      void file.prepare('DELETE FROM row WHERE run = ? AND seq = ?').run(run, at),
  ),
);

describe('the counts of rows and of their problems', () => {
  it('are those of the rows, however these are written, changed and removed', () => {
    const property = fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const { file, journal } = runJournal();
      for (const apply of changes) apply(file, journal.run.number);
      expect(kept(file)).toEqual(counted(file));
      pruneRun(file, journal.run, 0);
      expect(kept(file)).toEqual([]);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it.each(['[{"code":"em', '{}', '["x"]', '[{}]', '[{"code":7}]'])(
    'stop neither a change nor a removal of a row whose problems are %s',
    (broken) => {
      const { file, journal } = runJournal();
      const { number } = journal.run;
      writeRow(file, number, row(0, { problems: [problem('duplicate')] }));
      writeRow(file, number, row(1));
      for (const stored of [broken, null, broken])
        file.prepare('UPDATE row SET problems = ? WHERE seq = 0').run(stored);
      writeRow(file, number, row(0, { outcome: 'updated' }));
      expect(kept(file)).toEqual(counted(file));
      file.prepare('UPDATE row SET problems = ? WHERE seq = 0').run(broken);
      pruneRun(file, journal.run, 0);
      expect(kept(file)).toEqual([]);
    },
  );

  it('are there for the rows of an older version', () => {
    const dir = workDir();
    mkdirSync(dir);
    const older = new Database(toJournalPath(dir));
    for (const sql of journalMigrations.slice(0, 20)) older.exec(sql);
    older.pragma(`application_id = ${0x4c534852}`);
    older.pragma('user_version = 20');
    const insert = older.prepare(
      'INSERT INTO row (run, seq, line, outcome, problems) VALUES (?, ?, 1, ?, ?)',
    );
    const problems = JSON.stringify([problem('email.invalid'), problem('phone.invalid')]);
    for (const [run, at, outcome, found] of [
      [1, 0, 'created', null],
      [1, 1, 'created', problems],
      [1, 2, 'rejected', problems],
      [2, 0, 'created', problems],
    ])
      insert.run(run, at, outcome, found);
    older.close();
    const file = openFile(dir);
    expect(kept(file)).toHaveLength(9);
    expect(kept(file)).toEqual(counted(file));
  });
});
