import { describe, expect, test } from 'vitest';
import { reading, refusal } from '../reading.ts';

const dump = (text: string, before = '') =>
  `-- phpMyAdmin SQL Dump\n${before}INSERT INTO \`t\` (\`a\`) VALUES ('${text}'),\n('plain');\n`;
const read = (content: Buffer | string, options: object = {}) => reading(content, options, 'sql');

describe('the character set of a dump', () => {
  test('is UTF-8 where nothing speaks against it, without a word', async () => {
    const { cells, facts } = await read(dump('Zoë 李', '/*!40101 SET NAMES utf8mb4 */;\n'));
    expect(cells).toEqual([['Zoë 李'], ['plain']]);
    expect(facts.notes).toEqual([]);
  });

  test.each([
    ['/*!40101 SET NAMES latin1 */;\n', 'windows-1252', '\x80 Zo\xeb', '€ Zoë'],
    ["SET NAMES 'cp1251';\n", 'windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ["SET client_encoding = 'WIN1250';\n", 'windows-1250', '\x8ai\x9aka', 'Šiška'],
    ["SET client_encoding TO 'LATIN9';\n", 'iso-8859-15', '\xa4', '€'],
    ['SET NAMES sjis;\n', 'shift_jis', '\x83\x5c\x95\x5c', 'ソ表'],
  ])('is what it declares (%j), which is said', async (declaration, encoding, bytes, text) => {
    const { cells, broken, facts } = await read(Buffer.from(dump(bytes, declaration), 'latin1'));
    expect(broken).toEqual([]);
    expect(cells).toEqual([[text], ['plain']]);
    expect(facts.notes.join()).toContain(`it is read as ${encoding}`);
  });

  test('is UTF-8 where its bytes are, whatever it declares, which is said', async () => {
    const { cells, facts } = await read(dump('Zoë', 'SET NAMES latin1;\n'));
    expect(cells[0]).toEqual(['Zoë']);
    expect(facts.notes.join()).toContain('declares the character set latin1, but it is UTF-8');
  });

  test('is not taken from the data', async () => {
    const content = dump('Zo\xeb', 'SET NAMES latin1;\n').replace('plain', 'x\nSET NAMES cp1251;');
    expect((await read(Buffer.from(content, 'latin1'))).cells[0]).toEqual(['Zoë']);
  });

  test('that is declared and broken in a row: that row alone is rejected', async () => {
    const { cells, broken, facts } = await read(Buffer.from(dump('Zo\xeb', 'SET NAMES utf8;\n'), 'latin1'));
    expect(cells).toEqual([['plain']]);
    expect(broken).toMatchObject([{ line: 3, raw: "('Zo\\xEB')", problem: { code: 'row.encoding' } }]);
    expect(broken[0]?.problem.reason).toContain('0xEB');
    expect(facts.notes.join()).toContain('1 place is not UTF-8');
  });

  test.each(['latin1', 'windows-1252', 'WIN1252', 'cp1252'])('can be stated: %s', async (charset) => {
    const content = Buffer.from(dump('Zo\xeb', 'SET NAMES utf8;\n'), 'latin1');
    const { cells, facts } = await read(content, { charset });
    expect(cells[0]).toEqual(['Zoë']);
    expect(facts.notes).toEqual([]);
  });

  test('that is stated and does not exist is refused', async () => {
    const error = await refusal(read(dump('x'), { charset: 'utf9' }));
    expect(error.message).toContain('"utf9"');
  });

  test('of a script of SQL Server shows by its mark', async () => {
    const script = "\ufeffUSE [crm]\r\nGO\r\nINSERT [dbo].[t] ([a]) VALUES (N'Zoë 李')\r\nGO\r\n";
    expect((await read(Buffer.from(script, 'utf16le'))).cells).toEqual([['Zoë 李']]);
  });

  test('of bytes in another one can be shown in hexadecimal, too', async () => {
    const content = dump("x'),(_binary '\xff\\0", 'SET NAMES latin1;\n');
    expect((await read(Buffer.from(content, 'latin1'))).cells).toEqual([['x'], ['0xff00'], ['plain']]);
  });
});
