import { describe, expect, test } from 'vitest';
import { reading } from '../reading.ts';
import { recordsOf } from './scanning.ts';

/** The rows of every table of a dump, whatever the pieces; the dump has no more than these. */
function tables(dump: string): Record<string, readonly string[]> {
  const found: Record<string, string[]> = {};
  for (const { block, text, problem } of recordsOf(dump, [7])) {
    const { name } = block.table;
    found[name] = [...(found[name] ?? []), problem === null ? text : problem];
  }
  return found;
}

describe('ways to insert', () => {
  test.each([
    'INSERT INTO t VALUES (1)',
    'insert into `t` values (1)',
    'INSERT t VALUES (1)',
    'INSERT INTO "t" (a) VALUES (1)',
    'INSERT INTO ONLY public.t (a) VALUES (1)',
    'INSERT IGNORE INTO t (a) VALUE (1)',
    'INSERT LOW_PRIORITY IGNORE INTO t VALUES (1)',
    'INSERT DELAYED t(a)VALUES(1)',
    'INSERT OR REPLACE INTO "t" VALUES(1)',
    'REPLACE INTO t VALUES (1)',
    'INSERT INTO t AS x (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2, b = (3)',
    'INSERT INTO t PARTITION (p0) VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a)',
    'INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES (1) RETURNING a',
    'INSERT INTO t VALUES ROW(1) AS new',
    '/* before */ INSERT /* in */ INTO -- between\n t # and\n VALUES /* here */ (1) /* behind */',
    '/*!40000 INSERT INTO t VALUES (1) */',
    '/*M!100100 INSERT INTO t VALUES (1) */',
  ])('%s', (statement) => {
    expect(tables(`SELECT 1;\n${statement};\nINSERT INTO u VALUES (2);\n`)).toEqual({
      t: ['(1)'],
      u: ['(2)'],
    });
  });

  test('of SQL Server, without terminators', () => {
    const dump =
      "USE [crm]\nGO\nSET IDENTITY_INSERT [dbo].[t x] ON \n\nINSERT [dbo].[t x] ([a], [b]]c]) VALUES (1, N'GO; it''s')\nINSERT [dbo].[t x] ([a], [b]]c]) VALUES (2, NULL)\nGO\nALTER TABLE [dbo].[t x] ADD CONSTRAINT [it's] DEFAULT (1) FOR [a]\nGO\nINSERT [u] VALUES (3)";
    expect(tables(dump)).toEqual({ 'crm.t x': ["(1, N'GO; it''s')", '(2, NULL)'], 'crm.u': ['(3)'] });
    expect(recordsOf(dump, [5], 'crm.u').map(({ text }) => text)).toEqual(['(3)']);
    expect(recordsOf(dump, [5])[0]?.block.columns).toEqual(['a', 'b]c']);
  });

  test('of SQL Server, with procedures that insert', () => {
    const dump =
      'USE [crm]\nGO\nCREATE PROCEDURE [dbo].[p] AS\nBEGIN\nSET @a = 1;\nINSERT INTO [dbo].[t] VALUES (9)\nEND\nGO\nINSERT [dbo].[t] VALUES (1)\nGO\nSET NOCOUNT OFF';
    for (const size of [1, 6, 1000])
      expect(recordsOf(dump, [size]).map(({ line, text }) => [line, text])).toEqual([[9, '(1)']]);
  });

  test('of Oracle, with lines for the client', () => {
    const dump =
      "REM INSERTING into CONTACTS; it's\nSET DEFINE OFF;\nInsert into CONTACTS (ID,NAME) values (1,'Ada');\n/\nPROMPT Don't stop\nInsert into CONTACTS (ID,NAME) values (2,'Bob');\n";
    expect(tables(dump)).toEqual({ CONTACTS: ["(1,'Ada')", "(2,'Bob')"] });
  });
});

describe('what is between the rows does not disturb them', () => {
  test.each([
    ['comments with quotes', "-- don't\n# can't\n/* won't; */\n"],
    ['a minus before a minus is no comment in MySQL', 'SELECT 5--3;\n'],
    ['a string with everything in it', `SELECT '; \\' -- /* INSERT INTO t VALUES (9);' ";" \`;\`;\n`],
    [
      'other terminators',
      'DELIMITER $$\nCREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (9); END$$\nDELIMITER ;\n',
    ],
    [
      'a terminator of two characters',
      'delimiter //\nSELECT 4 / 2; INSERT INTO t VALUES (9) //\ndelimiter ;\n'.replace(
        'INSERT INTO t VALUES (9) ',
        '',
      ),
    ],
    [
      'a routine without other terminators',
      'CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN IF a THEN CASE b WHEN 1 THEN INSERT INTO t VALUES (9); END CASE; END IF; INSERT INTO t VALUES (9); END;\n',
    ],
    [
      'a table whose name and columns sound like a routine',
      'CREATE TABLE event (begin date, trigger text, "case" int);\n',
    ],
    ['locks', 'LOCK TABLES `t` WRITE;\n/*!40000 ALTER TABLE `t` DISABLE KEYS */;\n'],
    ['the mark of a sandbox', '/*M!999999\\- enable the sandbox mode */ \n'],
    ['lines for psql', "\\restrict it's\n"],
    ['a mark of UTF-8 within, where files were joined', '\ufeff'],
  ])('%s', (_, between) => {
    const dump = `-- MySQL dump\nINSERT INTO t VALUES (1);\n${between}INSERT INTO t VALUES (2);\n`;
    expect(tables(dump)).toEqual({ t: ['(1)', '(2)'] });
  });

  test.each([
    ['comments within comments', "/* a /* b */ it's */\n"],
    [
      'a function in dollar quotes',
      "CREATE FUNCTION f() RETURNS int AS $f$ BEGIN; INSERT INTO t VALUES (9); it's $$ ; $f$ LANGUAGE x;\n",
    ],
    [
      'a function with a body of statements',
      'CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC INSERT INTO t VALUES (9); SELECT 1; END;\n',
    ],
  ])('of PostgreSQL: %s', (_, between) => {
    const dump = `-- PostgreSQL database dump\nINSERT INTO t VALUES (1);\n${between}INSERT INTO t VALUES (2);\n`;
    expect(tables(dump)).toEqual({ t: ['(1)', '(2)'] });
  });

  test('an E string of a table that is passed over, where pieces part in it', () => {
    const dump =
      "-- PostgreSQL database dump\nINSERT INTO t VALUES (E'a\\'; b');\nINSERT INTO u VALUES ('x');\n";
    for (const size of [1, 2, 3, 5, 8])
      expect(recordsOf(dump, [size], 'u').map(({ text }) => text)).toEqual(["('x')"]);
  });
});

describe('columns', () => {
  const columns = async (dump: string) => (await reading(dump, { table: 't' }, 'sql')).facts.columns;

  test('of a CREATE TABLE, without its keys', async () => {
    const create = `CREATE TABLE IF NOT EXISTS \`t\` (
      \`id\` int(11) NOT NULL AUTO_INCREMENT COMMENT 'a, (b',
      name varchar(100) DEFAULT 'x'')', -- the name, of course
      \`primary\` enum('a','b)') CHECK (\`id\` > (1)),
      key text, \`KEY\` int,
      "say ""hi""" decimal(10,2) /*!80023 INVISIBLE */,
      PRIMARY KEY (\`id\`), UNIQUE KEY \`u\` (\`name\`(10)), KEY by_name (name), INDEX (name), FULLTEXT KEY f (name),
      CONSTRAINT c FOREIGN KEY (id) REFERENCES o (id) ON DELETE CASCADE
    ) ENGINE=InnoDB;`;
    expect(await columns(`${create}\nINSERT INTO t VALUES (1,2,3,4,5,6);`)).toEqual([
      'id',
      'name',
      'primary',
      'key',
      'KEY',
      'say "hi"',
    ]);
  });

  test('of a column list; what an INSERT leaves out is null, whatever the order', async () => {
    const dump =
      'CREATE TABLE t (a int, b int, c int);\nINSERT INTO t (c, a) VALUES (3, 1);\nSELECT 1;\nINSERT INTO t VALUES (4, 5, 6);\nINSERT INTO t (d) VALUES (7);';
    const { facts, rows } = await reading(dump, {}, 'sql');
    expect(facts.columns).toEqual(['a', 'b', 'c', 'd']);
    expect(rows.map((row) => row.entries())).toEqual([
      [
        ['a', '1'],
        ['b', null],
        ['c', '3'],
        ['d', null],
      ],
      [
        ['a', '4'],
        ['b', '5'],
        ['c', '6'],
        ['d', null],
      ],
      [
        ['a', null],
        ['b', null],
        ['c', null],
        ['d', '7'],
      ],
    ]);
    expect(rows[0]?.cell('b')).toBeNull();
    expect(rows[0]?.cell('e')).toBeUndefined();
  });

  test('of nothing: they are numbered, and that is said', async () => {
    const { facts, rows, broken } = await reading("INSERT INTO t VALUES (1,'x'),(2);", {}, 'sql');
    expect(facts.columns).toEqual(['1', '2']);
    expect(rows.map((row) => row.cell('2'))).toEqual(['x']);
    expect(broken).toMatchObject([{ problem: { code: 'row.ragged' } }]);
    expect(facts.notes.join()).toContain('the columns of t');
  });

  test('of bytes and bits by their type, however they are written', async () => {
    const dump = Buffer.from(
      "-- MySQL dump\nSET NAMES utf8mb4;\nCREATE TABLE t (id binary(2), flag bit(1), photo longblob, name text);\nINSERT INTO t VALUES ('~\\0','\\0','?',NULL),(0x7e00,b'1','text','ë');\n-- Dump completed\n",
    );
    dump[dump.indexOf('~')] = 0xff;
    dump[dump.indexOf('?')] = 0xfe;
    const { cells, broken, facts } = await reading(dump, {}, 'sql');
    expect(broken).toEqual([]);
    expect(cells).toEqual([
      ['0xff00', '0', '0xfe', null],
      ['0x7e00', '1', 'text', 'ë'],
    ]);
    expect(facts.notes.join()).toContain('(the first in line 4) are binary');
  });
});

describe('backslashes', () => {
  const cell = async (dump: string, options: object = {}) =>
    (await reading(dump, options, 'sql')).cells[0]?.[0];
  const insert = "INSERT INTO `t` (a) VALUES ('C:\\\\new');\n";

  test.each([
    ['escape in MySQL', '', {}, 'C:\\new'],
    ['do not under NO_BACKSLASH_ESCAPES', "SET sql_mode='ANSI,NO_BACKSLASH_ESCAPES';\n", {}, 'C:\\\\new'],
    [
      'do again after it',
      'SET SQL_MODE="NO_BACKSLASH_ESCAPES";\n/*!40101 SET @OLD=@@SQL_MODE, SESSION sql_mode := \'X\' */;\n',
      {},
      'C:\\new',
    ],
    [
      'are left alone by other settings',
      "/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;\nSET @my_sql_mode='NO_BACKSLASH_ESCAPES';\n",
      {},
      'C:\\new',
    ],
    ['do as it is stated', "SET sql_mode='NO_BACKSLASH_ESCAPES';\n", { escapes: 'backslash' }, 'C:\\new'],
    ['do not where it is stated', '', { escapes: 'standard' }, 'C:\\\\new'],
    ['do not in PostgreSQL', '-- PostgreSQL database dump\n', {}, 'C:\\\\new'],
    [
      'do without conforming strings',
      '-- PostgreSQL database dump\nSET standard_conforming_strings = off;\n',
      {},
      'C:\\new',
    ],
  ])('%s', async (_, before, options, expected) => {
    expect(await cell(before + insert, options)).toBe(expected);
  });
});

test('the line is that of the opening bracket, and blank lines, comments and line ends in strings count', () => {
  const dump =
    "\n-- x\r\nINSERT INTO t\nVALUES\n(1,'a\nb'), (2,'c'),\n\n/* \n */ (3,\n'd');\nINSERT INTO t VALUES (4,'e');\n";
  for (const size of [1, 3, 1000])
    expect(recordsOf(dump, [size]).map(({ line }) => line)).toEqual([5, 6, 9, 11]);
});

test('an INSERT of megabytes on one line, with others before and behind', async () => {
  const tuples = Array.from({ length: 60_000 }, (_, n) => `(${n},'person ${n}; it''s (so), \\'ok\\'')`);
  const { rows, broken } = await reading(
    `INSERT INTO \`t\` VALUES (-1,'x');\nINSERT INTO \`t\` VALUES ${tuples.join(',')};\nINSERT INTO \`t\` VALUES (-2,'y');\n`,
    {},
    'sql',
  );
  expect(broken).toEqual([]);
  expect(rows).toHaveLength(60_002);
  expect(rows[59_999]?.entries()).toEqual([
    ['1', '59998'],
    ['2', "person 59998; it's (so), 'ok'"],
  ]);
  expect(rows.at(-1)?.line).toBe(3);
});
