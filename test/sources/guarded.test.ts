import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { escapeSheetFormula } from '../../src/model/spreadsheet-guard.ts';
import { nastyTexts } from '../end-to-end/export/nasty.ts';
import { workbook } from './builders/xlsx.ts';
import { file, folder, never, open, readingOf } from './reading.ts';

const heading = '=Field, "of" theirs';
// A file holds no NUL, and a record of one empty cell is an empty line.
const table = [['id', heading], ...nastyTexts.map((text, n) => [String(n), text])];
const guarded = table.map((row) => row.map(escapeSheetFormula));

const formats = [
  ['csv', 'contacts.csv', () => Buffer.from(stringify(guarded))],
  ['tsv', 'contacts.tsv', () => Buffer.from(stringify(guarded, { delimiter: '\t' }))],
  [
    'xlsx',
    'contacts.xlsx',
    () => workbook({ sheets: { Contacts: guarded.map((row) => row.map(inWorkbook)) } }),
  ],
] as const;

/** As workbooks spell what XML cannot hold, and what looks like that spelling. */
function inWorkbook(text: string): string {
  const spelt = (character: string): string =>
    `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text.replace(/_(?=x[\da-f]{4}_)/gi, spelt).replace(/(?![\t\n])\p{Cc}/gu, spelt);
}

const manifestOf = (name: string, facts: object = { guarded: true }): string =>
  JSON.stringify({
    pipeline: 'nightly',
    files: [{ name: 'users.csv' }, { name, sha256: 'of before', ...facts }],
  });

/** An export's folder with one file. */
function exported(name: string, content: Buffer, manifest: string | null = manifestOf(name)): string {
  const path = folder();
  writeFileSync(join(path, name), content);
  if (manifest !== null) writeFileSync(join(path, 'manifest.json'), manifest);
  return path;
}

describe.each(formats)('a guarded %s', (format, name, content) => {
  const at = (path: string, options: object = {}) => readingOf(open(join(path, name), options, format));

  test('gives every text back where the manifest says so, and where it is stated', async () => {
    for (const [path, options] of [
      [exported(name, content()), {}],
      [exported(name, content(), null), { guarded: true }],
    ] as const) {
      const { facts, rows } = await at(path, options);
      expect(facts.columns).toEqual(['id', heading]);
      expect(rows.map((row) => row.cell(heading))).toEqual(nastyTexts);
      expect(facts.notes.filter((note) => note.includes('guarded'))).toHaveLength(
        'guarded' in options ? 0 : 1,
      );
    }
  });

  test('keeps its apostrophes where it is stated, and where no manifest speaks of it', async () => {
    const others = [
      [exported(name, content()), { guarded: false }],
      [exported(name, content(), null), {}],
      [exported(name, content(), manifestOf(name, {})), {}],
      [exported(name, content(), manifestOf(name, { guarded: false })), {}],
      [exported(name, content(), manifestOf('other.csv')), {}],
      // Some other program's file of that name.
      [exported(name, content(), '{"name": "app", "files": "all"}'), {}],
      [exported(name, content(), 'no JSON'), {}],
    ] as const;
    for (const [path, options] of others) {
      const { facts } = await at(path, options);
      expect(facts.columns?.[1]).toBe(`'${heading}`);
    }
  });

  test('is another input than the same bytes without a guard', async () => {
    const prints: string[] = [];
    for (const options of [{}, { guarded: true }, { guarded: false }])
      prints.push(
        (await open(join(exported(name, content()), name), options, format).inspect(never)).fingerprint,
      );
    expect(prints[0]).toBe(prints[1]);
    expect(prints[0]).not.toBe(prints[2]);
  });

  test('is known behind a link to its folder, and when it was packed', async () => {
    const path = exported(name, content());
    const link = join(folder(), 'latest');
    symlinkSync(path, link);
    expect((await at(link)).facts.columns?.[1]).toBe(heading);
    if (format === 'xlsx') return;
    const packed = exported(`${name}.gz`, gzipSync(content()), manifestOf(name));
    const { facts } = await readingOf(open(join(packed, `${name}.gz`), {}, format));
    expect(facts.columns?.[1]).toBe(heading);
  });

  test('is known as a table of a dump', async () => {
    const path = exported(name, content());
    const { rows } = await readingOf(open(path, { table: 'contacts' }, 'dump'));
    expect(rows.map((row) => row.cell(heading))).toEqual(nastyTexts);
  });
});

test('what a database calls null is a text in an export, and null elsewhere', async () => {
  const path = exported('contacts.csv', Buffer.from('id,name\n1,\\N\n'));
  expect((await readingOf(open(join(path, 'contacts.csv')))).cells).toEqual([['1', '\\N']]);
  expect((await readingOf(open(file('id,name\n1,\\N\n')))).cells).toEqual([['1', null]]);
  const nulls = { nulls: ['\\N'] };
  expect((await readingOf(open(join(path, 'contacts.csv'), nulls))).cells).toEqual([['1', null]]);
});

test('a manifest that cannot be read stops the run', async () => {
  const path = exported('contacts.csv', Buffer.from('id,name\n1,x\n'), null);
  mkdirSync(join(path, 'manifest.json'));
  await expect(open(join(path, 'contacts.csv')).inspect(never)).rejects.toMatchObject({ reason: 'input' });
});
