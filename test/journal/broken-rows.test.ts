import { expect, test } from 'vitest';
import {
  findRunByNumber,
  type JournalDatabase,
  listRejects,
  listRowsWithProblems,
  registerWorkspace,
} from '../../src/journal/index.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { ended, place, row, runJournal } from './work-dir.ts';

function rejected() {
  const { file, journal, dir } = runJournal();
  const problems = [{ code: 'email.invalid', column: 'E-mail', reason: 'ada@ is no e-mail' }];
  journal.finish(ended(row(0), row(1, { outcome: 'rejected', problems, cells: [['E-mail', 'ada@']] })));
  journal.flush();
  return { file, run: journal.run.number, dir };
}

function brokenBy(file: JournalDatabase, sql: string): void {
  file.exec(sql);
}

function errorOf(work: () => unknown): FatalError {
  try {
    work();
  } catch (error) {
    if (error instanceof FatalError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.for([
  ['no JSON', '\'[{"code":"email.inv\'', 'is not valid JSON'],
  ['JSON of another shape', '\'[{"code":7}]\'', 'has unexpected JSON at 0.code'],
  ['JSON of another kind', "'{}'", 'has unexpected JSON ('],
] as const)('problems of a row that are %s end with its file, table and number', ([, stored, why]) => {
  const { file, run, dir } = rejected();
  brokenBy(file, `UPDATE row SET problems = ${stored} WHERE seq = 1`);
  for (const read of [() => listRejects(file, run, -1, 10), () => listRowsWithProblems(file, run, 0, 10)]) {
    const error = errorOf(read);
    expect(error.message).toContain(`table row, run ${run}, `);
    expect(error.message).toContain('seq 1');
    expect(error.message).toContain(`the column problems ${why}`);
    expect(error.place).toEqual({ file: `${dir}/journal.db` });
    expect(error.next).toContain('backup');
  }
});

test('a column of the wrong type ends with its file, table and number', () => {
  const { file, run, dir } = rejected();
  brokenBy(
    file,
    `DROP VIEW row_problem; CREATE TABLE loose AS SELECT * FROM row; DROP TABLE row; ALTER TABLE loose RENAME TO row;
     CREATE INDEX row_outcome ON row (run, outcome, seq) WHERE outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered');
     UPDATE row SET line = 'three' WHERE seq = 1`,
  );
  const error = errorOf(() => listRejects(file, run, -1, 10));
  expect(error.message).toBe(
    `table row, run ${run}, seq 1: the column line has a text in place of a number.`,
  );
  expect(error.place).toEqual({ file: `${dir}/journal.db` });
});

test('a broken run and a broken workspace are named by their numbers', () => {
  const { file, run } = rejected();
  brokenBy(file, 'UPDATE run SET selection = \'{"kind":"some"}\'');
  expect(errorOf(() => findRunByNumber(file, run)).message).toMatch(
    /^table run, number 1.*: the column selection has unexpected JSON at kind/,
  );
  brokenBy(file, "UPDATE workspace SET users = '[1'");
  expect(errorOf(() => registerWorkspace(file, place)).message).toBe(
    'table workspace, number 1: the column users is not valid JSON.',
  );
});

test('what is remembered of a key is read whole or not at all', () => {
  const { file, journal } = runJournal();
  const known = { key: 'key:7', contact: 3, identifiers: ['email:a@b.c'], created: true, line: 2 };
  journal.finish({ ...ended(), also: [journal.known.remember({ ...known, applied: { email: 'hash' } })] });
  journal.flush();
  expect(journal.known.find('key:7')).toEqual({ ...known, applied: { email: 'hash' } });
  brokenBy(file, 'UPDATE known SET applied = \'{"email":1}\'');
  const { message } = errorOf(() => journal.known.find('key:7'));
  expect(message).toMatch(/^table known, workspace 1.*: the column applied has unexpected JSON at email/);
  expect(message).not.toContain('key:7');
});
