import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import { sourceFormats } from '../../src/sources/registry.ts';
import { folder, open, readingOf } from './reading.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/formats', import.meta.url));
const script = fileURLToPath(new URL('write-fixtures.mjs', import.meta.url));

/** Under which format each file is read; the others go by their ending. */
const formatOf: Readonly<Record<string, string>> = {
  'people.csv.gz': 'csv',
  'people.zip': 'csv',
  'people.vcf': 'vcard',
};

/** Where a card has what the other formats have under their own columns. */
const cardColumns: Readonly<Record<string, string>> = {
  id: 'UID',
  first_name: 'N.given',
  last_name: 'N.family',
  email: 'EMAIL',
  phone: 'TEL',
  company: 'ORG',
  city: 'ADR.city',
  country: 'ADR.country',
  segments: 'CATEGORIES',
  note: 'NOTE',
  created_at: 'REV',
  score: 'X-SCORE',
};

function formatFor(name: string): string {
  return formatOf[name] ?? name.slice(name.lastIndexOf('.') + 1);
}

async function peopleIn(name: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const format = formatFor(name);
  const { rows, broken } = await readingOf(open(join(fixtures, name), {}, format));
  expect(broken).toEqual([]);
  return rows.map((row) => personIn(row, format));
}

/** An empty cell, a null and none are the same here. */
function personIn(row: Row, format: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(cardColumns).map(([column, card]) => [
      column,
      row.cell(format === 'vcard' ? card : column) ?? '',
    ]),
  );
}

const names = readdirSync(fixtures).sort();

test('every format that reads a file of its own has one', () => {
  // jsonl is ndjson by another name; a dump is any of these.
  const without = ['jsonl', 'dump', 'workspace'];
  const wanted = sourceFormats.map(({ name }) => name).filter((name) => !without.includes(name));
  expect(names.map(formatFor)).toEqual(expect.arrayContaining(wanted));
});

test.each(names)('%s holds the same people', async (name) => {
  const people = await peopleIn(name);
  expect(people).toHaveLength(20);
  expect(people[3]).toEqual({
    id: '4',
    first_name: 'Mei',
    last_name: 'García',
    email: 'person3@example.com',
    phone: '+12025550103',
    company: 'Company 3 Ltd',
    city: 'Accra',
    country: 'GH',
    segments: 'vip;newsletter',
    note: 'First line\nsecond line',
    created_at: '2019-03-04 08:15:03',
    score: '111',
  });
  expect(people).toEqual(await peopleIn('people.csv'));
});

test('they are what the script writes', () => {
  const written = folder();
  execFileSync(process.execPath, [script, written]);
  expect(readdirSync(written).sort()).toEqual(names);
  // How a library packs, its version decides.
  for (const name of names.filter((one) => !/\.(gz|zip|xlsx|sqlite)$/.test(one)))
    expect(readFileSync(join(written, name), 'utf8'), name).toBe(readFileSync(join(fixtures, name), 'utf8'));
});
