import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, it, onTestFinished } from 'vitest';
import type { LeftBehindGroup } from '../../src/model/left-behind.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { workbook } from '../sources/builders/xlsx.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './in-process.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, onInvalid: drop }
`;
const columns = ['Id', 'Name', 'Email', 'Phone'];
const north = [
  columns,
  ['1', 'Ada', 'ada@example.com', '12'],
  ['2', 'Bob', 'bob at example', ''],
  ['3', 'Cleo', 'cleo@example.com', ''],
];
const south = [
  columns,
  ['1', 'Dan', 'dan@example.com', '34'],
  ['2', 'Eve', 'eve at example', ''],
  ['3', 'Cleo', 'cleo@example.com', ''],
];

type Line = Readonly<Record<string, string>>;

/** A project whose source is a workbook, a workspace, and the command in it. */
async function project(source: string) {
  const folder = temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(async () => {
    await sandbox.close();
    folder.remove();
  });
  const path = (name: string) => join(folder.path, name);
  writeFileSync(path('people.xlsx'), workbook({ sheets: { Nord: north, Süd: south, Leer: [] } }));
  writeFileSync(path('mapping.yaml'), mapping);
  writeFileSync(
    path('p.yaml'),
    `pipeline: p\nimport:\n  source: { format: xlsx, path: people.xlsx, ${source} }\n  mapping: mapping.yaml\n`,
  );
  const workDir = path('work');
  const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
  return {
    sandbox,
    path,
    type: (...words: readonly string[]) => run([...words, '--work-dir', workDir], env),
    runs: () => readdirSync(join(workDir, 'runs')).sort(),
    text: (name: string) => readFileSync(join(workDir, 'runs', name), 'utf8'),
    lines: (name: string): readonly Line[] =>
      parse(readFileSync(join(workDir, 'runs', name), 'utf8'), { columns: true }),
  };
}

const places = (lines: readonly Line[]) => lines.map(({ _sheet, _line }) => [_sheet, _line]);

it('check, plan and the import name the sheet of a row where several sheets are one input', async () => {
  const at = await project('sheets: [Nord, Süd]');
  const check = await at.type('check', at.path('p.yaml'));
  expect(check.stdout).toContain('row 3 of the sheet Nord, row 3 of the sheet Süd');
  expect(check.stdout).toContain('row 2 of the sheet Nord: Phone');
  expect(check.stdout).toContain('row 4 of the sheet Nord: the same person as in row 4 of the sheet Süd');
  expect(check.stdout).not.toMatch(/\blines? \d/);
  const plan = await at.type('plan', at.path('p.yaml'));
  expect(plan.stdout).toContain('row 2 of the sheet Nord: Phone');
  expect(plan.stdout).not.toMatch(/\blines? \d/i);
  const imported = await at.type('import', at.path('p.yaml'));
  expect(imported.stdout).toContain('row 2 of the sheet Nord: Phone');
  expect(imported.stdout).not.toMatch(/\blines? \d/);
  const [id = ''] = at.runs();
  expect(at.text(`${id}/report.html`)).toContain('of the sheet Nord');
  expect((await at.type('status', id)).stdout).not.toMatch(/\blines? \d/);
});

it('lists have the sheet of a row, and retry --from reads it: the row keeps its key', async () => {
  const at = await project('sheets: [Nord, Süd]');
  await at.type('import', at.path('p.yaml'));
  const [id = ''] = at.runs();
  const rejected = at.lines(`${id}/rejects.csv`);
  expect(places(rejected)).toEqual([
    ['Nord', '3'],
    ['Süd', '3'],
  ]);
  expect(places(at.lines(`${id}/dropped.csv`))).toEqual(
    expect.arrayContaining([
      ['Nord', '2'],
      ['Süd', '2'],
    ]),
  );
  expect(places(at.lines(`${id}/contacts.csv`))).toContainEqual(['Süd', '2']);
  const corrected = rejected.map((line) => ({ ...line, Email: `${line.Name}@example.com` }));
  writeFileSync(at.path('corrected.csv'), stringify(corrected, { header: true }));
  expect(await at.type('retry', id, '--from', at.path('corrected.csv'))).toMatchObject({ code: 0 });
  const [, retry = ''] = at.runs();
  expect(at.lines(`${retry}/contacts.csv`)).toMatchObject([
    { _sheet: 'Nord', _line: '3', _key: 'Nord/2' },
    { _sheet: 'Süd', _line: '3', _key: 'Süd/2' },
  ]);
  await at.type('import', at.path('p.yaml'));
  const names = at.sandbox.contacts().map(({ firstName }) => firstName);
  expect(names.sort()).toEqual(['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']);
  await at.type('undo', id, '--yes');
  expect(places(at.lines(`${at.runs().at(-1)}/undo-kept.csv`))).toContainEqual(['Süd', '2']);
});

it('lists of one sheet have no column for it, and lines are lines', async () => {
  const at = await project('sheet: Nord');
  expect((await at.type('check', at.path('p.yaml'))).stdout).toContain('line 2: Phone');
  await at.type('import', at.path('p.yaml'));
  const [id = ''] = at.runs();
  for (const name of ['rejects.csv', 'dropped.csv', 'contacts.csv'])
    expect(at.text(`${id}/${name}`).split('\n', 1)[0]).not.toContain('_sheet');
});

it('forget removes the lines of the person, and not those of the same row of another sheet', async () => {
  const at = await project('sheets: [Nord, Süd]');
  await at.type('import', at.path('p.yaml'));
  const [id = ''] = at.runs();
  expect(await at.type('forget', 'Nord/2', '--yes')).toMatchObject({ code: 0 });
  expect(at.lines(`${id}/rejects.csv`)).toMatchObject([{ Name: 'Eve', _sheet: 'Süd', _line: '3' }]);
});

it.each([
  ['a sheet', 'sheet: Nord', [{ value: 'Süd', n: 1 }]],
  ['all sheets with cells', 'sheets: [Nord, Süd]', undefined],
])(
  'check, plan, the import and status say which sheets are not read: %s is read',
  async (_, source, unread) => {
    const at = await project(source);
    const unreadOf = ({ leftBehind }: { readonly leftBehind: readonly LeftBehindGroup[] }) =>
      leftBehind.find(({ kind }) => kind === 'notRead')?.values;
    const printed = async (command: string, of: string) =>
      unreadOf(JSON.parse((await at.type(command, of, '--json')).stdout));
    for (const command of ['check', 'plan', 'import'])
      expect([command, await printed(command, at.path('p.yaml'))]).toEqual([command, unread]);
    const [id = ''] = at.runs();
    expect(await printed('status', id)).toEqual(unread);
    expect(at.text(`${id}/report.html`).includes('that are not read: 1')).toBe(unread !== undefined);
  },
);
