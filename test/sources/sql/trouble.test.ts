import { describe, expect, test } from 'vitest';
import { createRowLine, formatRowPlace } from '../../../src/model/row-place.ts';
import { liveBytes } from '../../live-bytes.ts';
import { file, never, open, reading, refusal } from '../reading.ts';

const read = (dump: string | Buffer, options: object = {}) => reading(dump, options, 'sql');

describe('a dump that breaks off', () => {
  const create = '-- MySQL dump\nCREATE TABLE `t` (a int, b text);\n';
  const head = `${create}INSERT INTO \`t\` VALUES `;

  test.each([
    ['in a string', `${head}(1,'x'),\n(2,'y`, 4, "(2,'y"],
    ['in a tuple', `${head}(1,'x'),\n(2,`, 4, '(2,'],
    ['behind a comma', `${head}(1,'x'),\n`, 4, ''],
    ['behind a tuple', `${head}(1,'x')`, createRowLine(3, 2), ''],
    ['in the columns of the next INSERT', `${head}(1,'x');\nINSERT INTO t (a,`, 4, ''],
    ['before the VALUES of the next INSERT', `${head}(1,'x');\nINSERT INTO t `, 4, ''],
  ])('%s: what was whole is there, the break is a row and a note', async (_, dump, line, raw) => {
    const { cells, broken, facts } = await read(dump);
    expect(cells).toEqual([['1', 'x']]);
    expect(broken).toEqual([
      {
        kind: 'broken',
        line,
        raw,
        problem: { code: 'sql.cutOff', column: null, reason: expect.stringContaining('rows are missing') },
      },
    ]);
    expect(facts.truncated).toContain(`is cut off in ${formatRowPlace({ line })}`);
  });

  test.each([
    ['in a line', 'COPY t (a, b) FROM stdin;\n1\tx\n2\ty', 4, '2\ty'],
    ['behind a line', 'COPY t (a, b) FROM stdin;\n1\tx\n', 4, ''],
  ])('in a COPY, %s', async (_, copy, line, raw) => {
    const { cells, broken, facts } = await read(`-- PostgreSQL database dump\n${copy}`);
    expect(cells).toEqual([['1', 'x']]);
    expect(broken).toMatchObject([{ line, raw, problem: { code: 'sql.cutOff' } }]);
    expect(facts.truncated).toContain(`is cut off in line ${line}`);
  });

  test.each([
    ['in a statement without rows', 'LOCK TABLES `t` WRI', 'begins in line 4'],
    ['in a comment', '/* and so', 'begins in line 4'],
    ['in the name of a table', 'INSERT INTO `othe', 'begins in line 4'],
    ['in a routine', 'CREATE PROCEDURE p() BEGIN SELECT 1; ', 'begins in line 4'],
    ['in a CREATE', 'CREATE TABLE `u` (\n  a int,', 'begins in line 4'],
    ['between two statements', '', 'does not end with "-- Dump completed"'],
  ])('%s: no row is broken', async (_, end, note) => {
    const { cells, broken, facts } = await read(`${head}(1,'x');\n${end}`);
    expect(cells).toEqual([['1', 'x']]);
    expect(broken).toEqual([]);
    expect(facts.truncated).toContain(note);
  });

  test('behind the tuples of an INSERT: they are read', async () => {
    const { cells, broken, facts } = await read(`${head}(1,'x') ON DUPLICATE KEY UPD`);
    expect({ cells, broken }).toEqual({ cells: [['1', 'x']], broken: [] });
    expect(facts.truncated).toContain('begins in line 3');
  });

  test('in another table: the table that is read is whole', async () => {
    const { broken, facts } = await read(`${head}(1,'x');\nINSERT INTO u VALUES (1,'`, { table: 't' });
    expect(broken).toEqual([]);
    expect(facts.truncated).toContain('is cut off in line 4, in the rows of u');
  });

  test('not so a whole one, nor one whose writer says nothing at the end', async () => {
    expect(
      (await read(`${head}(1,'x');\n-- Dump completed on 2024-01-01\n`)).facts.truncated,
    ).toBeUndefined();
    expect((await read('insert into t (a) values (1);\n')).facts.truncated).toBeUndefined();
    expect((await read('insert into t (a) values (1); -- done')).facts.truncated).toBeUndefined();
  });
});

describe('row.ragged', () => {
  test('says how many values there are for how many columns', async () => {
    const { broken, cells } = await read('INSERT INTO t (a, b) VALUES (1,2),(3),\n(4,5,6),(7,8);');
    expect(cells).toEqual([
      ['1', '2'],
      ['7', '8'],
    ]);
    expect(broken).toMatchObject([
      {
        line: createRowLine(1, 2),
        raw: '(3)',
        problem: { code: 'row.ragged', reason: 'The row has 1 value for 2 columns.' },
      },
      {
        line: 2,
        raw: '(4,5,6)',
        problem: { code: 'row.ragged', reason: 'The row has 3 values for 2 columns.' },
      },
    ]);
  });

  test('in a COPY, too', async () => {
    const { broken, cells } = await read('COPY t (a, b) FROM stdin;\n1\t2\n3\n4\t5\t6\n\\.\n');
    expect(cells).toEqual([['1', '2']]);
    expect(broken.map(({ line, raw }) => [line, raw])).toEqual([
      [3, '3'],
      [4, '4\t5\t6'],
    ]);
  });
});

describe('row.tooLarge', () => {
  const large = 'x'.repeat(3_000_000);

  test.each([
    ['a tuple', `INSERT INTO t (a, b) VALUES (1,'y'),\n(2,'${large}'),\n(3,'z');`, 2],
    [
      'a tuple of quotes',
      `INSERT INTO t (a, b) VALUES (1,'y'),\n(2,'${"''); ".repeat(500_000)}'),\n(3,'z');`,
      2,
    ],
    ['a line of COPY', `COPY t (a, b) FROM stdin;\n1\ty\n2\t${large}\n3\tz\n\\.\n`, 3],
    [
      'a line of COPY that ends in CR LF',
      `COPY t (a, b) FROM stdin;\r\n1\ty\r\n2\t${large}\r\n3\tz\r\n\\.\r\n`,
      3,
    ],
  ])('%s: its beginning is kept, its neighbours are read', async (_, dump, line) => {
    const { cells, broken } = await read(dump);
    expect(cells).toEqual([
      ['1', 'y'],
      ['3', 'z'],
    ]);
    expect(broken).toMatchObject([{ line, problem: { code: 'row.tooLarge' } }]);
    expect(broken[0]?.raw).toHaveLength(64 * 1024);
    expect(dump).toContain(broken[0]?.raw);
  });

  test('maxRowBytes counts bytes as UTF-8', async () => {
    const dump = `INSERT INTO t (a) VALUES ('${'é'.repeat(200)}'),('${'e'.repeat(200)}');`;
    expect((await read(dump, { maxRowBytes: 300 })).broken).toHaveLength(1);
    expect((await read(dump, { maxRowBytes: 500 })).broken).toEqual([]);
  });

  test('is not held in memory', async () => {
    const piece = 'x'.repeat(1_000_000);
    const { SqlDumpScanner } = await import('../../../src/sources/sql/scanner.ts');
    const { resolveSqlDialect } = await import('../../../src/sources/sql/dialect.ts');
    const scanner = new SqlDumpScanner({
      dialect: resolveSqlDialect('mysql', 'auto'),
      fixedEscapes: false,
      maxRowBytes: 1_000_000,
      wanted: null,
    });
    scanner.push("INSERT INTO t VALUES (1,'");
    const before = liveBytes();
    for (let n = 0; n < 400; n += 1) expect(scanner.push(piece)).toEqual([]);
    expect(liveBytes() - before).toBeLessThan(50e6);
    expect(scanner.push("'),(2,'y');")).toMatchObject([{ problem: 'tooLarge' }, { text: "(2,'y')" }]);
  });
});

describe('sql.syntax', () => {
  test.each([
    [
      'a tuple that is not closed',
      'INSERT INTO t (a) VALUES (1),(2;\nINSERT INTO t (a) VALUES (3);',
      [[createRowLine(1, 2), '(2']],
    ],
    [
      'something else than a tuple',
      'INSERT INTO t (a) VALUES (1), 2;\nINSERT INTO t (a) VALUES (3);',
      [[createRowLine(1, 2), '2;\nINSERT INTO t (a) VALUES (3);']],
    ],
    [
      'a comma too few',
      'INSERT INTO t (a) VALUES (1) (2);\nINSERT INTO t (a) VALUES (3);',
      [[createRowLine(1, 2), '(2);\nINSERT INTO t (a) VALUES (3);']],
    ],
  ])('%s: a row with its text, and on behind the statement', async (_, dump, expected) => {
    const { cells, broken } = await read(dump);
    expect(cells).toEqual([['1'], ['3']]);
    expect(broken.map(({ line, raw }) => [line, raw])).toEqual(expected);
    expect(broken[0]?.problem.code).toBe('sql.syntax');
  });

  test('the same number of items comes when the table is read among others', async () => {
    const dump =
      'INSERT INTO u (a) VALUES (1),(2;\nINSERT INTO t (a) VALUES (3), x;\nINSERT INTO u (a) VALUES (4);\n';
    expect((await read(dump, { table: 'u' })).cells).toEqual([['1'], ['4']]);
    expect((await read(dump, { table: 't' })).cells).toEqual([['3']]);
  });
});

test.each([
  ['INSERT INTO t (a) SELECT a FROM u', 'sql.rowless'],
  ['INSERT INTO t SET a = 1', 'sql.rowless'],
])('%s makes rows only in a database: a broken row', async (statement, code) => {
  const { cells, broken } = await read(
    `INSERT INTO t (a) VALUES (1);\n${statement};\nINSERT INTO t (a) VALUES (2);`,
  );
  expect(cells).toEqual([['1'], ['2']]);
  expect(broken).toMatchObject([{ line: 2, raw: statement, problem: { code } }]);
});

test('a COPY in another format than pg_dump writes is a broken row, and its lines are passed over', async () => {
  const { cells, broken } = await read(
    'COPY t (a) FROM stdin WITH (FORMAT csv);\n"it\'s"\n;\n\\.\nINSERT INTO t (a) VALUES (2);',
  );
  expect(cells).toEqual([['2']]);
  expect(broken).toMatchObject([{ line: 1, problem: { code: 'sql.rowless' } }]);
});

describe('refused', () => {
  test.each([
    ['nothing of a dump', 'Dear Ada,\nhow are you?\n', 'has no CREATE TABLE, INSERT or COPY'],
    [
      'a dump cut off in its first statement',
      '-- MySQL dump 10.13\n\nCREATE TABLE `t` (\n  `id` int',
      'is cut off in the statement that begins in line 3, before any table',
    ],
    ["pg_dump's custom format", 'PGDMP\x01\x0e\0', 'custom format'],
    ['a SQLite file', 'SQLite format 3\0\x10\0', 'is a SQLite file'],
  ])('%s', async (_, content, words) => {
    const path = file(content, 'dump.sql');
    const error = await refusal(open(path, {}, 'sql').inspect(never));
    expect(error.reason).toBe('input');
    expect(error.message).toContain(words);
    expect(error.place?.file).toBe(path);
    expect(error.next).toBeTruthy();
  });

  test('several tables without a choice, and a wrong choice: both list them with their rows', async () => {
    const dump =
      'CREATE TABLE `empty` (a int);\nINSERT INTO t (a) VALUES (1),(2);\nINSERT INTO `db`.`u` (a) VALUES (1);\n';
    for (const [options, words] of [
      [{}, 'has several tables: '],
      [{ table: 'v' }, 'has no table "v"'],
    ] as const) {
      const error = await refusal(read(dump, options));
      expect(error.message).toContain(words);
      expect(error.message).toContain('t (2 rows), u (1 row), empty (0 rows)');
      expect(error.next).toContain('table:');
    }
  });
});
