import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { profileColumns } from '../../../src/app/preview/columns.ts';
import { traceSelectedRow } from '../../../src/app/preview/current-row.ts';
import { previewInput } from '../../../src/app/preview/look.ts';
import { listMatchingRows, type RowsPage } from '../../../src/app/preview/matching-rows.ts';
import { createSeededPositionGenerator } from '../../../src/app/preview/spread-rows.ts';
import { hiddenCell } from '../../../src/model/hidden-cell.ts';
import { sourceFormats } from '../../../src/sources/registry.ts';
import { workbook } from '../../sources/builders/xlsx.ts';
import { removeInputs, there, unstopped, written } from './given.ts';

afterAll(removeInputs);

const fixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url));
const few = { rows: 3, spread: createSeededPositionGenerator(0.3) };

const look = (given: Parameters<typeof previewInput>[0], options = few) =>
  previewInput(given, options, unstopped);

describe('a look at an input', () => {
  const files = readdirSync(join(fixtures, 'formats'));
  // A workspace is no file, and a dump is a folder; "jsonl" is another name of ndjson.
  const seen = new Set<string>(['workspace', 'dump', 'jsonl']);

  it.each(files)('shows the rows of %s', async (name) => {
    const found = await look(there(join(fixtures, 'formats', name)));
    seen.add(found.format);
    expect(found.columns.length).toBeGreaterThan(3);
    expect(found.first).toHaveLength(3);
    for (const { cells } of found.first) expect(cells).toHaveLength(found.columns.length);
    expect(found.first.some(({ cells }) => cells.some((cell) => cell?.includes('@')))).toBe(true);
    expect(found.spread).toMatchObject({ from: 'rows read' });
    expect(found.read.ofRows).toBeGreaterThanOrEqual(3);
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  it('and there is a fixture of every format', () => {
    expect([...seen].sort()).toEqual(sourceFormats.map(({ name }) => name).sort());
  });

  it('shows the tables of a dump, and how they hang together', async () => {
    const { format, tables, lists, detected } = await look(there(join(fixtures, 'hubspot')));
    expect(format).toBe('dump');
    expect(tables?.main).toBe('contacts');
    expect(tables?.all.map(({ name }) => name).sort()).toEqual([
      'companies',
      'contacts',
      'note-contacts',
      'notes',
      'owners',
      'workspace',
    ]);
    expect(Object.keys(tables?.joins ?? {}).length + lists.length).toBeGreaterThan(0);
    expect(detected).toContainEqual({ option: 'table', value: 'contacts', flag: 'table', how: 'found' });
  });

  it('hides passwords and tokens, wherever rows are shown', async () => {
    const text = `name,email,password_hash,api_token\n${Array.from({ length: 9 }, (_, n) => `Ada ${n},ada${n}@example.com,$2y$10$${n},\n`).join('')}`;
    const given = written('users.csv', text);
    const found = await look(given);
    expect(JSON.stringify(found)).not.toContain('$2y$');
    expect(found.first[0]?.cells).toEqual(['Ada 0', 'ada0@example.com', hiddenCell, '']);
    const columns: unknown[] = [];
    await profileColumns(given, (soFar) => columns.push(soFar), unstopped);
    expect(JSON.stringify(columns)).not.toContain('$2y$');
    const mapping = { file: 'm.yaml', text: 'mapping: m\nkey: email\ncontact: { email: { from: email } }\n' };
    const row = await traceSelectedRow(given, mapping, { number: 0 }, unstopped);
    expect(row?.cells).toContainEqual(['password_hash', hiddenCell]);
    const query = { problem: null, cell: null, search: '', from: 0, limit: 5 };
    const pages: RowsPage[] = [];
    await listMatchingRows(given, mapping, query, (page) => pages.push(page), unstopped);
    expect(pages.at(-1)?.rows).toHaveLength(5);
    const cell = { column: 'password_hash', text: '$2y$10$3' };
    await listMatchingRows(given, mapping, { ...query, cell }, (page) => pages.push(page), unstopped);
    expect(pages.at(-1)?.rows).toHaveLength(1);
    expect(JSON.stringify([row, pages])).not.toContain('$2y$');
  });

  it('says what was found, and follows what is stated in its place', async () => {
    const text = 'An export\nName;Email\nAda;ada@example.com\nBob;bob@example.com\n';
    const found = await look(written('stated.csv', text));
    expect(found.detected).toEqual([
      { option: 'header', value: 2, flag: 'header', how: 'found' },
      { option: 'delimiter', value: ';', flag: 'delimiter', how: 'found' },
      { option: 'encoding', value: 'utf-8', flag: 'encoding', how: 'found' },
    ]);
    expect(found.columns).toEqual(['Name', 'Email']);
    const stated = await look(written('stated.csv', text, { stated: { header: 3, delimiter: '@' } }));
    expect(stated.columns).toEqual(['Ada;ada', 'example.com']);
    expect(stated.detected.filter(({ how }) => how === 'stated').map(({ flag }) => flag)).toEqual([
      'header',
      'delimiter',
    ]);
    const as = { format: 'csv', options: { header: false } };
    const piped = await look(written('stated.csv', text, { as }));
    expect(piped.detected).toContainEqual({ option: 'header', value: false, flag: 'header', how: 'stated' });
  });

  it('names the sheets of a workbook and reads the one that is stated', async () => {
    const sheets = {
      Notes: [['Only', 'words']],
      People: [
        ['Name', 'Email'],
        ['Ada', 'ada@example.com'],
      ],
    };
    const given = written('sheets.xlsx', workbook({ sheets }), { stated: { sheet: 'People' } });
    const found = await look(given);
    expect(found.sheets).toEqual(['Notes', 'People']);
    expect(found.first.map(({ cells }) => cells)).toEqual([['Ada', 'ada@example.com']]);
  });

  it('says which lines are wrong, and why', async () => {
    const lines = ['Name,Email', 'Ada,ada@example.com', 'Bob', 'C"yd,cyd@example.com', 'Dee,dee@example.com'];
    const bytes = Buffer.concat([Buffer.from(`${lines.join('\n')}\nÉva,`), Buffer.from([0xff, 0xfe, 10])]);
    const { problems, broken, first } = await look(
      written('wrong.csv', bytes, { stated: { encoding: 'utf-8' } }),
    );
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [3, 'row.ragged'],
      [4, 'row.quote'],
      [6, 'row.encoding'],
    ]);
    expect(problems[0]).toMatchObject({ raw: 'Bob', reason: expect.any(String) });
    expect([broken, first.length]).toEqual([3, 2]);
  });

  it('says that a quote is never closed, and shows the rows without quotes', async () => {
    const { problems, first } = await look(
      written('open.csv', 'Name,Email\n"Ada,ada@example.com\nBob,bob@example.com\n'),
    );
    expect(problems[0]).toMatchObject({ line: null, code: 'file.refused' });
    expect(problems[0]?.reason).toContain('line 2');
    expect(first).toHaveLength(2);
  });
});

describe('a look at a large file', () => {
  const email = (n: number): string => `person.${n}@example.com`;
  const count = 40_000;
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const note = (n: number): string =>
    n % 7 === 0 ? `"two\nlines, ${n}"` : `called, wants an offer ${n}`.replace(',', '');
  const csv = `Id,Email,Note\n${numbers.map((n) => `${n},${email(n)},${note(n)}`).join('\n')}\n`;
  const ndjson = numbers.map((n) => JSON.stringify({ Id: n, Email: email(n), Note: note(n) })).join('\n');

  it.each([
    ['csv', csv],
    ['tsv', csv.replaceAll(',', '\t')],
    ['ndjson', `${ndjson}\n`],
    ['utf-16', Buffer.from(`\ufeff${csv}`, 'utf16le')],
  ])('of %s reads its beginning, and rows from all over it', async (kind, content) => {
    const found = await look(written(`large-${kind}`, content), {
      rows: 20,
      spread: createSeededPositionGenerator(0.123),
    });
    const { first, spread, read, problems } = found;
    expect(problems).toEqual([]);
    expect(first.map(({ cells }) => cells[0])).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 1}`));
    expect(read.ofRows).toBeNull();
    expect(read.bytes).toBeLessThan(read.ofBytes);
    expect(spread.from).toBe('file');
    expect(spread.rows.length).toBeGreaterThan(15);
    const ids = spread.rows.map(({ cells }) => Number(cells[0]));
    for (const { cells } of spread.rows) expect(cells[1]).toBe(email(Number(cells[0])));
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids);
    expect(Math.max(...ids)).toBeGreaterThan(count * 0.8);
    for (const [n, { at }] of spread.rows.entries())
      expect(Math.abs((ids[n] ?? 0) / count - (at ?? -1))).toBeLessThan(0.05);
  });

  it('of a JSON document takes them from its beginning, and says so', async () => {
    const content = `[${ndjson.replaceAll('}\n', '},\n')}]`;
    const { spread, read, format } = await look(written('large.json', content));
    expect([format, spread.from, spread.rows.length]).toEqual(['json', 'rows read', 3]);
    expect(read.ofRows).toBeNull();
  });
});
