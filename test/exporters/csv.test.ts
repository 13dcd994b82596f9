import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csvExporter } from '../../src/exporters/csv-exporter.ts';
import type { ExportRecord } from '../../src/model/export-record.ts';
import { written } from './writing.ts';

async function textOf(
  normals: readonly ExportRecord['normal'][],
  names: readonly string[],
  options: unknown = {},
): Promise<string> {
  const columns = names.map((name) => ({ name, type: 'text', path: [name] }) as const);
  const records = normals.map((normal) => ({ normal, given: {} }));
  const place = await written(csvExporter, [{ table: { kind: 'contacts', columns }, records }], options);
  return readFileSync(join(place.folder, 'contacts.csv'), 'utf8');
}

test('columns stand in their order, and an empty text is told from no value', async () => {
  const text = await textOf(
    [
      { b: '', a: 'x', c: 1 },
      { b: null, a: 'y' },
    ],
    ['b', 'a'],
  );
  expect(text).toBe('b,a\n"",x\n,y\n');
});

test('a row of one column that is empty is still a row', async () => {
  expect(await textOf([{ a: null }, { a: 'x' }], ['a'])).toBe('a\n""\nx\n');
});

test('a delimiter and the mark of UTF-8 can be stated', async () => {
  const text = await textOf([{ a: 'x;y', b: 'x,y' }], ['a', 'b'], { delimiter: ';', bom: true });
  expect(text).toBe('\uFEFFa;b\n"x;y";x,y\n');
});

test.each(['"', '\n', '', ';;'])('the delimiter %j is refused', async (delimiter) => {
  await expect(textOf([], ['a'], { delimiter })).rejects.toThrow('expected one character');
});

test('what a spreadsheet would run is defused, also in a heading and behind a delimiter', async () => {
  const text = await textOf([{ '=a': '=1+1', b: '+60123456789' }], ['=a', 'b'], { delimiter: '\t' });
  expect(text).toBe("'=a\tb\n'=1+1\t+60123456789\n");
});

test('whatever some reader takes for the end of a line is quoted', async () => {
  const text = await textOf([{ a: 'x\ry', b: 'x\ny' }], ['a', 'b']);
  expect(text).toBe('a,b\n"x\ry","x\ny"\n');
});
