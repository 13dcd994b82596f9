import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { parseInputSettings } from '../../../src/app/draft/input/stated.ts';
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

  it.each(inputs)(
    'takes $format for $file where that is stated',
    async ({ file, content, format, options }) => {
      const { draft } = await drafted(content, file, { format });
      expect(draft).toMatchObject({ format, options, rows: file === 'people' ? 1 : 2, todos: [] });
    },
  );

  it('takes another format where that is stated', async () => {
    const bracket = `[]${csv}`;
    await expect(drafted(bracket, 'people.csv')).rejects.toThrow();
    const asCsv = await drafted(bracket, 'people.csv', { format: 'csv' });
    expect(asCsv.draft).toMatchObject({ format: 'csv', rows: 2 });
    expect(asCsv.draft.pipeline.text).toContain('format: csv');
    const withTabs = await drafted(csv.replaceAll(',', '\t'), 'people.csv', { format: 'csv' });
    expect(withTabs.draft).toMatchObject({ format: 'csv', options: { delimiter: '\t' }, rows: 2 });
    await expect(drafted(csv, 'people.csv', { format: 'xlsx' })).rejects.toThrow('people.csv');
    await expect(drafted(csv, 'people.csv', { format: 'xlsx', delimiter: ';' })).rejects.toThrow(
      '--delimiter cannot be used with',
    );
  });

  it('reads one table of a dump as SQL, all of its tables as a dump', async () => {
    const tables = `CREATE TABLE firms (id INT, name TEXT);\nINSERT INTO firms VALUES (1, 'Acme');
CREATE TABLE people (${columns.join(',')});\nINSERT INTO people VALUES ${quoted.join(',')};\n`;
    expect((await drafted(tables, 'crm.sql')).draft.format).toBe('dump');
    const one = await drafted(tables, 'crm.sql', { format: 'sql', table: 'people' });
    expect(one.draft).toMatchObject({ format: 'sql', options: { table: 'people' }, rows: 2 });
    expect((await drafted(tables, 'crm.sql', { format: 'dump' })).draft.format).toBe('dump');
  });

  it('knows the formats of pipelines alone', () => {
    expect(parseInputSettings({ format: 'ndjson' })).toEqual({ format: 'ndjson' });
    expect(() => parseInputSettings({ format: 'cvs' })).toThrow(
      '--format: no format "cvs"; did you mean "csv"?',
    );
    expect(() => parseInputSettings({ format: 'workspace' })).toThrow('--format: no format "workspace"');
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

  it('shows that the list of tags is mapped, and keeps the own number of a person', async () => {
    const made = await drafted(
      [
        '{"id":1,"name":"Ada Quill","email":"ada@example.com","external_id":"000009","organization_id":7,"tags":["vip"]}',
        '{"id":2,"name":"Ben Reed","email":"ben@example.com","external_id":"000018","organization_id":8,"tags":["vip","new"]}',
      ].join('\n'),
      'users.ndjson',
    );
    const fields = new Map(made.draft.columns.map(({ name, field }) => [name, field]));
    expect(fields.get('tags')).toBe('tags');
    expect(fields.get('external_id')).toBe('customFields.external_id');
    expect(made.draft.mapping.text).toMatch(/external_id: \{ from: external_id, type: text,/);
    expect(made.draft.leftOut).toContainEqual({ column: 'organization_id', why: 'ids of other records' });
    expect((await checked(made)).wrong).toEqual([]);
  });

  it('keeps all e-mails of a JSON array in one field, however many there are', async () => {
    const some = [4, 1].map((count, n) => ({
      ...{ id: n, first_name: 'Ada', last_name: 'Lee' },
      emails: Array.from({ length: count }, (_, at) => ({ value: `a${n}${at}@example.com` })),
    }));
    const made = await drafted(JSON.stringify(some), 'nested.json');
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping.customFields).toMatchObject({
      'All emails': { from: 'emails[].value', type: 'text', join: ', ' },
    });
  });

  it.each([
    ['an empty file', '', 'is empty'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'is an old workbook'],
    [
      'columns of a fixed width',
      [
        'CUSTNO  NAME                EMAIL                   PHONE         CITY',
        '1001    Anna Alt            anna@example.com        +4930555120   Berlin',
        '1002    Bernd Neu           bernd@example.com       +4930555121   Bad Tolz',
        '1003    Carla Ost                                   +4930555122   Ulm',
        '1004    Dirk West           dirk@example.com                      Ulm',
      ].join('\n'),
      'has columns of a fixed width',
    ],
    [
      'a printed query with a line below its header',
      [
        'CUSTNO NAME      EMAIL             PHONE       CITY',
        '------ --------- ----------------- ----------- --------',
        '1001   Anna Alt  anna@example.com  +4930555120 Berlin',
        '1002   Bernd Neu bernd@example.com +4930555121 Bad Tolz',
        '1003   Carla Ost                   +4930555122 Koln',
        '1004   Dirk West dirk@example.com              Ulm',
        '',
        '4 rows selected.',
      ].join('\n'),
      'has columns of a fixed width',
    ],
    [
      'a file of which no row can be read',
      'Id,Name,Email\n"1","Jim "Bo" Smith","j@example.com"\n"2","Ann "A" Lee","a@example.com"\n',
      'has no row that can be read. There is a quote inside a cell',
    ],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 2, 3, 4, 5, 6, 7]), 'has no text'],
  ])('refuses %s', async (_what, content, says) => {
    await expect(drafted(content, 'contacts.csv')).rejects.toThrow(says);
  });

  it('reads a folder in which a text of a fixed width is beside the tables', async () => {
    const made = await drafted(
      {
        'export/contacts.csv': 'id,name,email\n1,Ada Lee,ada@example.com\n2,Bo Lee,bo@example.com\n',
        'export/notes.csv': 'id,contact_id,body\n7,1,Called\n8,2,Wrote\n',
        'export/readme.txt': `TABLE     ROWS  FROM\n${'contacts     2  the CRM\n'.repeat(5)}`,
      },
      'export',
    );
    expect(made.draft.format).toBe('dump');
  });
});
