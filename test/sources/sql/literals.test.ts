import { describe, expect, test } from 'vitest';
import { reading } from '../reading.ts';

const heads = {
  mysql: '-- MySQL dump 10.13\n',
  postgres: '-- PostgreSQL database dump\nSET standard_conforming_strings = on;\n',
  sqlite: 'PRAGMA foreign_keys=OFF;\n',
  sqlserver: 'USE [crm]\nGO\n',
} as const;

const ends = {
  mysql: '-- Dump completed\n',
  postgres: '-- PostgreSQL database dump complete\n',
  sqlite: '',
  sqlserver: '',
} as const;

async function values(writer: keyof typeof heads, written: string) {
  const found = await reading(
    `${heads[writer]}INSERT INTO t VALUES (${written});\n${ends[writer]}`,
    {},
    'sql',
  );
  return { cells: found.cells[0], broken: found.broken, notes: found.facts.notes.join('\n') };
}

describe.each<[keyof typeof heads, string, string | null]>([
  ['mysql', String.raw`'\0\Z\b\n\r\t\\\'\"\%\_\x'`, '\0\u001a\b\n\r\t\\\'"\\%\\_x'],
  ['mysql', String.raw`'it''s \'so\''`, "it's 'so'"],
  ['mysql', String.raw`"say ""hi"" \"there\" it's"`, 'say "hi" "there" it\'s'],
  ['mysql', `'two' ' strings' " in a row"`, 'two strings in a row'],
  ['mysql', "N'Zoë'", 'Zoë'],
  ['mysql', "_utf8'Zoë'", 'Zoë'],
  ['mysql', "_utf8mb4 'Zoë' COLLATE utf8mb4_bin", 'Zoë'],
  ['mysql', "_binary 'text'", 'text'],
  ['mysql', String.raw`_binary '\0a'`, '0x0061'],
  ['mysql', '0xDEADbeef', '0xdeadbeef'],
  ['mysql', "X'00FF'", '0x00ff'],
  ['mysql', "x''", ''],
  ['mysql', "b'1'", '1'],
  ['mysql', "B'0'", '0'],
  ['mysql', "b'1010'", '0x0a'],
  ['mysql', '0b11111111111', '0x07ff'],
  ['mysql', '-12.50', '-12.50'],
  ['mysql', '+7', '+7'],
  ['mysql', '.5', '.5'],
  ['mysql', '1.5e-10', '1.5e-10'],
  ['mysql', '123456789012345678901234567890', '123456789012345678901234567890'],
  ['mysql', 'null', null],
  ['mysql', 'Null', null],
  ['mysql', 'TRUE', 'true'],
  ['mysql', 'DEFAULT', null],
  ['mysql', 'CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP'],
  ['mysql', "FROM_UNIXTIME(1, 'a,b)')", "FROM_UNIXTIME(1, 'a,b)')"],
  ['mysql', "CONCAT('a', 'b,', 1)", 'ab,1'],
  ['mysql', "CAST('2020-01-01' AS DATE)", '2020-01-01'],
  ['mysql', "CONVERT('Zoë' USING utf8mb4)", 'Zoë'],
  ['mysql', '/* why */ 5 /* so */', '5'],
  ['mysql', "('in brackets')", 'in brackets'],
  ['mysql', "TIMESTAMP '2020-01-01 00:00:00'", '2020-01-01 00:00:00'],
  ['postgres', String.raw`'C:\new'`, 'C:\\new'],
  ['postgres', String.raw`E'a\nb\\c\'d''e\tf\x41\101\u00eb\U0001f31f\q'`, "a\nb\\c'd'e\tfAAë🌟q"],
  ['postgres', String.raw`e'\xc3\xab'`, 'ë'],
  ['postgres', "'x'::text", 'x'],
  ['postgres', "'2020-01-01 00:00:00'::timestamp without time zone", '2020-01-01 00:00:00'],
  ['postgres', "'{a,b}'::character varying(20)[]", '{a,b}'],
  ['postgres', "'-1'::integer::text", '-1'],
  ['postgres', 'NULL::character varying', null],
  ['postgres', "U&'Zo\\00eb'", 'Zoë'],
  ['postgres', "$$it's, $tag$ fine$$", "it's, $tag$ fine"],
  ['postgres', '$q$a);$q$', 'a);'],
  ['postgres', String.raw`'\x00ff'`, '\\x00ff'],
  ['postgres', 'false', 'false'],
  ['postgres', "B'101'", '101'],
  ['postgres', "ARRAY['a','b)']", "ARRAY['a','b)']"],
  ['postgres', "now() + '1 day'", "now() + '1 day'"],
  ['sqlite', String.raw`'a\nb'`, 'a\\nb'],
  ['sqlite', String.raw`replace(replace('a\nb\rc','\n',char(10)),'\r',char(13))`, 'a\nb\rc'],
  ['sqlite', String.raw`unistr('tab\u0009, \\ and \0041')`, 'tab\t, \\ and A'],
  // Not of a character: as any expression that is not understood, it is read as written.
  ['sqlite', "char('x')", "char('x')"],
  ['sqlite', 'char(1114112)', 'char(1114112)'],
  ['sqlite', String.raw`unistr('\+FFFFFF')`, String.raw`unistr('\+FFFFFF')`],
  ['sqlserver', "N'O''Brien'", "O'Brien"],
  ['sqlserver', "CAST(N'2020-01-01T00:00:00.000' AS DateTime)", '2020-01-01T00:00:00.000'],
  ['sqlserver', "TO_DATE('01-JAN-20','DD-MON-RR')", '01-JAN-20'],
])('%s: %s', (writer, written, expected) => {
  test.each([
    ['alone', written, [expected]],
    ['between others', `1,${written},'x'`, ['1', expected, 'x']],
    ['with blanks', ` 'y' , ${written} , 2 `, ['y', expected, '2']],
  ])('%s', async (_, list, cells) => {
    const found = await values(writer, list);
    expect(found.broken).toEqual([]);
    expect(found.cells).toEqual(cells);
  });
});

test('dates of zeros are null, or what nulls says', async () => {
  const dump = `${heads.mysql}INSERT INTO t VALUES ('0000-00-00','0000-00-00 00:00:00','none');\n${ends.mysql}`;
  expect((await reading(dump, {}, 'sql')).cells).toEqual([[null, null, 'none']]);
  const { cells } = await reading(dump, { nulls: ['none'] }, 'sql');
  expect(cells).toEqual([['0000-00-00', '0000-00-00 00:00:00', null]]);
});

describe('what is not given as it is meant is said, with the first line', () => {
  test.each([
    ["0x41), (X'42'", '2 values (the first in line 2) are binary'],
    ['DEFAULT', 'A value (line 2) is DEFAULT, read as null'],
    ['NOW()', 'A value (line 2) is an expression, read as written'],
  ])('%s', async (written, note) => {
    expect((await values('mysql', written)).notes).toContain(note);
  });

  test('and plain values need no note but that of the columns', async () => {
    const { notes } = await values('mysql', "1, 'it\\'s', NULL, TRUE");
    expect(notes.split('\n')).toEqual([expect.stringContaining('"1", "2" and so on')]);
  });

  test('a backslash where nothing says whose it is', async () => {
    const plain = await reading("insert into t (a) values ('x');\n", {}, 'sql');
    expect(plain.facts.notes).toEqual([]);
    const found = await reading("insert into t (a) values ('x\\ty');\n", {}, 'sql');
    expect(found.cells).toEqual([['x\ty']]);
    expect(found.facts.notes.join()).toContain('escapes: standard');
    const stated = await reading("insert into t (a) values ('x\\ty');\n", { escapes: 'standard' }, 'sql');
    expect(stated.cells).toEqual([['x\\ty']]);
    expect(stated.facts.notes).toEqual([]);
  });
});

test.each(['1,,2', ',1', '1,', "'a' 'b", '(1'])('%s is no list of values', async (written) => {
  const { broken, cells } = await values('mysql', written);
  expect(cells).toBeUndefined();
  expect(broken).toMatchObject([
    { line: 2, problem: { code: expect.stringMatching(/^sql\.(syntax|cutOff)$/) } },
  ]);
});
