import { expect, test } from 'vitest';
import * as z from 'zod';
import { FatalError } from '../../src/model/fatal-error.ts';
import {
  anyJsonColumn,
  type ColumnReaders,
  enumColumn,
  flagColumn,
  jsonColumn,
  jsonObjectColumn,
  nullableColumn,
  numberColumn,
  optionalColumn,
  textColumn,
} from '../../src/storage/columns.ts';
import { parseJson, tryParseJson } from '../../src/storage/json.ts';
import { prepareQuery, select, selectOne } from '../../src/storage/sql.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';

function fruit() {
  const file = openSqlite(':memory:');
  file.exec(`CREATE TABLE fruit (run INTEGER, seq INTEGER, name, content);
    INSERT INTO fruit VALUES (1, 1, 'apple', '{"colour":"red"}'), (1, 2, NULL, '{"colour":7}'), (1, 3, x'00', 'Ada@example.com');`);
  return file;
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

const colour = jsonColumn(z.object({ colour: z.string() }));

test('a row is read by its columns', () => {
  const columns = {
    a: numberColumn,
    b: textColumn,
    yes: flagColumn,
    no: flagColumn,
    none: nullableColumn(textColumn),
    absent: optionalColumn(numberColumn),
    word: enumColumn(['x', 'y']),
    list: jsonColumn(z.array(z.number())),
    object: jsonObjectColumn,
    whatever: anyJsonColumn,
  };
  const file = openSqlite(':memory:');
  expect(selectOne(file, columns)`
    SELECT 1 AS a, 'b' AS b, 1 AS yes, 0 AS no, NULL AS none, NULL AS absent, 'y' AS word, '[1,2]' AS list,
      '{"k":[]}' AS object, 'true' AS whatever`).toEqual({
    ...{ a: 1, b: 'b', yes: true, no: false, none: null, absent: undefined, word: 'y' },
    ...{ list: [1, 2], object: { k: [] }, whatever: true },
  });
});

test.for<[string, ColumnReaders, string]>([
  ['a text in place of a number', { name: numberColumn }, 'has a text in place of a number'],
  ['a number in place of a text', { seq: textColumn }, 'has a number in place of a text'],
  ['an unknown word', { name: enumColumn(['pear']) }, 'has a text in place of one of pear'],
  ['a column that the query does not have', { weight: numberColumn }, 'has no value in place of a number'],
])('%s is an error that names file, table, row and column', ([, columns, why]) => {
  const error = errorOf(() => selectOne(fruit(), columns)`SELECT run, seq, name FROM fruit`);
  const [column] = Object.keys(columns);
  const row = column === 'seq' ? 'run 1' : 'run 1, seq 1';
  expect(error.message).toBe(`table fruit, ${row}: the column ${column} ${why}.`);
  expect(error.reason).toBe('input');
  expect(error.place).toEqual({ file: ':memory:' });
  expect(error.next).toContain('Restore this file from a backup');
});

test('a JSON cell of another shape is an error that names its key', () => {
  const read = () =>
    select(fruit(), { what: colour })`SELECT content AS what FROM fruit WHERE run = ${1} AND seq = ${2}`;
  expect(errorOf(read).message).toMatch(
    /^table fruit, run 1, seq 2: the column content has unexpected JSON at colour \(/,
  );
});

test.for([
  [
    'all',
    (file: ReturnType<typeof fruit>) =>
      prepareQuery(file, { content: colour }, 'SELECT seq, content FROM fruit WHERE seq = ?').all(3),
  ],
  [
    'get',
    (file: ReturnType<typeof fruit>) =>
      prepareQuery(file, { content: colour }, 'SELECT seq, content FROM fruit WHERE seq = ?').get(3),
  ],
  [
    'iterate',
    (file: ReturnType<typeof fruit>) => [
      ...prepareQuery(file, { content: colour }, 'SELECT seq, content FROM fruit WHERE seq = ?').iterate(3),
    ],
  ],
] as const)('broken JSON is an error of `%s` that quotes nothing of it', ([, read]) => {
  const { message } = errorOf(() => read(fruit()));
  expect(message).toBe('table fruit, seq 3: the column content is not valid JSON.');
});

test('bytes and empty columns are named as such', () => {
  const message = (seq: number) =>
    errorOf(() => selectOne(fruit(), { name: textColumn })`SELECT name FROM fruit WHERE seq = ${seq}`)
      .message;
  expect(message(2)).toBe('table fruit, seq 2: the column name has no value in place of a text.');
  expect(message(3)).toBe('table fruit, seq 3: the column name has bytes in place of a text.');
});

test('the JSON of a file is read by its schema, or is an error with a place', () => {
  const schema = z.object({ rows: z.array(z.object({ line: z.number() })) });
  const place = { file: 'run/facts.json', next: 'Make it again.' };
  expect(parseJson('{"rows":[{"line":1}]}', schema, place)).toEqual({ rows: [{ line: 1 }] });
  expect(tryParseJson('{"rows":[]}', schema)).toEqual({ rows: [] });
  for (const broken of ['{', '{"rows":[{"line":"1"}]}']) expect(tryParseJson(broken, schema)).toBeUndefined();
  const error = errorOf(() => parseJson('{"rows":[{"line":"Ada"}]}', schema, place));
  expect(error).toMatchObject({ reason: 'input', place: { file: 'run/facts.json' }, next: 'Make it again.' });
  expect(error.message).toMatch(/^the file has unexpected JSON at rows\.0\.line \(/);
  expect(errorOf(() => parseJson('{', schema, { ...place, part: 'line 3' })).message).toBe(
    'line 3 is not valid JSON.',
  );
});
