import { describe, expect, test } from 'vitest';
import { formatNameList, truncateNotes } from '../../src/model/listed.ts';
import { chooseSheets } from '../../src/sources/xlsx/xlsx-source.ts';
import { file, never, open, reading, refusal } from './reading.ts';

const many = 200_000;
const most = 5_000;

test('names in a sentence are few and short', () => {
  expect(formatNameList(['a', 'b'])).toBe('a, b');
  expect(formatNameList(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  expect(formatNameList(['x'.repeat(1e6)]).length).toBe(100);
  expect(truncateNotes(Array.from({ length: 60 }, () => 'x'))).toHaveLength(51);
});

describe('what is said of an input is short', () => {
  const sheets = Array.from({ length: many }, (_, n) => ({ name: `Sheet ${n}`, part: '', visible: true }));

  test('that is a workbook of 200,000 sheets', async () => {
    const holdsTable = () => Promise.resolve(true);
    const { notes } = await chooseSheets(sheets, {}, 'x.xlsx', holdsTable);
    expect(notes.join().length).toBeLessThan(most);
    const error = await refusal(chooseSheets(sheets, { sheet: 'none' }, 'x.xlsx', holdsTable));
    expect(`${error.message}${error.next}`.length).toBeLessThan(most);
  });

  test.each([
    ['columns of one name', 'csv', `${'a,a,b,b,'.repeat(20_000)}\n1\n`, {}],
    ['a column with a name of a megabyte, twice', 'csv', `${'x'.repeat(4e5)},${'x'.repeat(4e5)}\n1,2\n`, {}],
    [
      'arrays',
      'json',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`a${n}`, []]))),
      { at: 'none' },
    ],
    [
      'tables',
      'sql',
      Array.from({ length: 5_000 }, (_, n) => `INSERT INTO t${n} (a) VALUES (1);`).join('\n'),
      {},
    ],
    [
      'a table with a name of a megabyte',
      'sql',
      `INSERT INTO \`${'t'.repeat(9e5)}\` (a) VALUES (1);`,
      { table: 'none' },
    ],
  ])('that has many %s', async (_, format, content, options) => {
    const error = await refusal(open(file(content), options, format).inspect(never));
    expect(`${error.message}${error.next}`.length).toBeLessThan(2 * most);
  });

  test('that is a dump of many statements to be left out', async () => {
    const dump = `INSERT INTO t (a) VALUES (1);\n${'INSERT INTO u SELECT 1;\n'.repeat(20_000)}`;
    expect((await reading(dump, {}, 'sql')).facts.notes.length).toBeLessThan(60);
  });
});
