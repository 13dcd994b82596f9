import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { XlsxFileWriter, xlsxExporter } from '../../src/exporters/xlsx/xlsx-exporter.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { cellsOf, unpacked } from './readers/xlsx.ts';
import { samples } from './records.ts';
import { folder, written } from './writing.ts';

const table = { kind: 'contacts', columns: [{ name: 'id', type: 'integer', path: ['id'] }] } as const;

test('a sheet that is full is followed by another with the same header', async () => {
  const path = join(folder(), 'contacts.xlsx');
  const workbook = await XlsxFileWriter.create(path, table, 4);
  for (let from = 0; from < 8; from += 2) {
    await workbook.write([from, from + 1].map((id) => ({ normal: { id }, given: {} })));
  }
  await workbook.finish();
  const parts = await unpacked(path);
  const sheets = [1, 2, 3].map((number) =>
    cellsOf(parts.get(`xl/worksheets/sheet${number}.xml`) ?? '', '').flat(),
  );
  expect(sheets).toEqual([
    ['id', 0, 1, 2],
    ['id', 3, 4, 5],
    ['id', 6, 7],
  ]);
  const names = [...(parts.get('xl/workbook.xml') ?? '').matchAll(/name="([^"]+)" sheetId/g)];
  expect(names.map(([, name]) => name)).toEqual(['contacts', 'contacts (2)', 'contacts (3)']);
  expect(parts.get('xl/_rels/workbook.xml.rels')).toContain('Target="worksheets/sheet3.xml"');
});

test('the header stays in sight, and the parts stand as readers want them', async () => {
  const { folder: place } = await written(xlsxExporter, samples.slice(0, 1));
  const parts = await unpacked(join(place, 'contacts.xlsx'));
  expect([...parts.keys()].sort()).toEqual(
    [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ].sort(),
  );
  expect([...parts.keys()][0]).toBe('[Content_Types].xml');
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<pane ySplit="1" topLeftCell="A2"');
});

test('the same records give the same bytes', async () => {
  const bytes = async () => {
    const { folder: place } = await written(xlsxExporter, samples.slice(0, 1));
    return readFileSync(join(place, 'contacts.xlsx'));
  };
  expect(Buffer.compare(await bytes(), await bytes())).toBe(0);
});

test('columns behind the twenty-sixth have their letters', async () => {
  const columns = Array.from({ length: 703 }, (_, index) => {
    return { name: `c${index}`, type: 'integer', path: [`c${index}`] } as const;
  });
  const records = [{ normal: { c25: 25, c26: 26, c701: 701, c702: 702 }, given: {} }];
  const { folder: place } = await written(xlsxExporter, [{ table: { kind: 'contacts', columns }, records }]);
  const sheet = (await unpacked(join(place, 'contacts.xlsx'))).get('xl/worksheets/sheet1.xml') ?? '';
  const cells = [...sheet.matchAll(/<c r="([A-Z]+)2"><v>(\d+)/g)].map(([, letters, value]) => [
    letters,
    value,
  ]);
  expect(cells).toEqual([
    ['Z', '25'],
    ['AA', '26'],
    ['ZZ', '701'],
    ['AAA', '702'],
  ]);
});

test('more columns than a sheet holds are refused before anything is written', async () => {
  const columns = Array.from({ length: 16_385 }, () => table.columns[0]);
  const request = { folder: folder(), tables: [{ ...table, columns }], options: {} };
  const error = await xlsxExporter.open(request).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FatalError);
  expect(error).toMatchObject({ reason: 'usage', next: expect.stringContaining('columns') });
});
