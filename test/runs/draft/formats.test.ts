import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { zip } from '../../sources/archive/packing.ts';
import { workbook } from '../../sources/builders/xlsx.ts';
import { checked, drafted, removeFolders, sqliteOf } from './drafting.ts';

afterAll(removeFolders);

const people = [
  { id: '1', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone: '+12025550143' },
  { id: '2', first_name: 'Bob', last_name: 'Byrne', email: 'bob@example.com', phone: '+12025550144' },
];
const columns = ['id', 'first_name', 'last_name', 'email', 'phone'];
const csv = [columns, ...people.map((person) => Object.values(person))]
  .map((cells) => cells.join(','))
  .join('\n');
const quoted = people.map(
  (person) =>
    `(${Object.values(person)
      .map((value) => `'${value}'`)
      .join(',')})`,
);

const inputs: readonly {
  readonly file: string;
  readonly content: string | Uint8Array;
  readonly format: string;
  readonly options: object;
}[] = [
  { file: 'people.csv', content: csv, format: 'csv', options: { encoding: 'utf-8', delimiter: ',' } },
  {
    file: 'people.txt',
    content: csv.replaceAll(',', ';'),
    format: 'csv',
    options: { encoding: 'utf-8', delimiter: ';' },
  },
  { file: 'people.csv', content: csv.replaceAll(',', '\t'), format: 'tsv', options: { encoding: 'utf-8' } },
  {
    file: 'people.csv',
    content: Buffer.from(`\ufeff${csv}`, 'utf16le'),
    format: 'csv',
    options: { encoding: 'utf-16le', delimiter: ',' },
  },
  { file: 'people.json', content: JSON.stringify(people), format: 'json', options: {} },
  {
    file: 'people.json',
    content: JSON.stringify({ count: 2, data: { people } }, null, 2),
    format: 'json',
    options: { at: 'data.people' },
  },
  {
    file: 'people.json',
    content: people.map((each) => JSON.stringify(each)).join('\n'),
    format: 'ndjson',
    options: {},
  },
  { file: 'people', content: `${JSON.stringify(people[0])}\n`, format: 'ndjson', options: {} },
  {
    file: 'people.csv.gz',
    content: gzipSync(csv),
    format: 'csv',
    options: { encoding: 'utf-8', delimiter: ',' },
  },
  {
    file: 'people.zip',
    content: zip({ name: 'export/people.csv', content: csv }),
    format: 'csv',
    options: { encoding: 'utf-8', delimiter: ',' },
  },
  {
    file: 'people.xlsx',
    content: workbook({ sheets: { People: [columns, ...people.map((each) => Object.values(each))] } }),
    format: 'xlsx',
    options: {},
  },
  {
    file: 'backup',
    content: `-- a dump\nINSERT INTO people (${columns.join(',')}) VALUES ${quoted.join(',')};\n`,
    format: 'sql',
    options: {},
  },
  {
    file: 'people.db',
    content: sqliteOf(
      `CREATE TABLE people (${columns.join(',')}); INSERT INTO people VALUES ${quoted.join(',')};`,
    ),
    format: 'sqlite',
    options: {},
  },
];

describe('a draft', () => {
  it.each(inputs)('finds out that $file is $format $options', async ({ file, content, format, options }) => {
    const made = await drafted(content, file);
    expect(made.draft).toMatchObject({ format, options, rows: file === 'people' ? 1 : 2, todos: [] });
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping).toMatchObject({
      key: 'id',
      contact: {
        firstName: { from: 'first_name' },
        lastName: { from: 'last_name' },
        email: { from: 'email' },
        phone: { from: 'phone' },
      },
    });
  });

  it('reads an address book', async () => {
    const card = (given: string, family: string) =>
      `BEGIN:VCARD\nVERSION:3.0\nUID:${given}\nN:${family};${given};;;\nFN:${given} ${family}\nEMAIL;TYPE=work:${given}@example.com\nTEL;TYPE=home:+12025550143\nTEL;TYPE=cell:+12025550144\nCATEGORIES:a,b\nEND:VCARD\n`;
    const made = await drafted(card('Ada', 'Lovelace') + card('Bob', 'Byrne'), 'book.vcf');
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(made.draft.format).toBe('vcard');
    expect(pipeline.import.mapping.mapping).toMatchObject({
      key: 'UID',
      contact: {
        firstName: { from: 'N.given' },
        lastName: { from: 'N.family' },
        email: { from: 'EMAIL' },
        phone: { from: ['TEL.cell', 'TEL', 'TEL.2'] },
      },
      tags: { from: 'CATEGORIES[]' },
    });
  });

  it('reads nested JSON: values in lists, tags as a list', async () => {
    const nested = people.map(({ email, phone, ...rest }) => ({
      ...rest,
      emails: [{ value: email, primary: true }],
      phone: [{ value: phone }],
      labels: ['vip', 'blog'],
      company: { id: 7, name: 'Acme' },
      created_at: 1_700_000_000,
    }));
    const made = await drafted(JSON.stringify(nested), 'nested.json');
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping).toMatchObject({
      contact: { email: { from: 'emails[0].value' }, phone: { from: 'phone[0].value' } },
      customFields: { Company: { from: 'company.name', type: 'text' } },
      tags: { from: 'labels[]' },
    });
  });

  it.each([
    ['an empty file', '', 'is empty'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'is an old workbook'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 2, 3, 4, 5, 6, 7]), 'has no text'],
  ])('refuses %s', async (_what, content, says) => {
    await expect(drafted(content, 'contacts.csv')).rejects.toThrow(says);
  });
});
