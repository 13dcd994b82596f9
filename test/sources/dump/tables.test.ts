import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { tarGz, zip } from '../archive/packing.ts';
import { file, folder, never, open, readingOf, refusal } from '../reading.ts';
import { folderOf, openDump } from './folders.ts';

const csv = 'id,name\n1,Ada\n';
const cells = async (...call: Parameters<typeof openDump>) => (await readingOf(openDump(...call))).cells;
const refused = (...call: Parameters<typeof openDump>) => refusal(openDump(...call).inspect(never));

const sqlDump = `-- MySQL dump
CREATE TABLE \`Contact\` (id int, name text);
INSERT INTO \`Contact\` VALUES (1,'Ada'),(2,'Bob');
CREATE TABLE \`note\` (id int, parent int);
INSERT INTO \`note\` VALUES (7,2);
-- Dump completed
`;

function sqliteFile(): string {
  const path = join(folder(), 'crm.db');
  const database = new Database(path);
  database.exec(
    'CREATE TABLE contact (id, name); INSERT INTO contact VALUES (3, $$Cleo$$)'.replaceAll('$$', "'"),
  );
  database.close();
  return path;
}

describe('a table is', () => {
  const files = [
    { name: 'export/contacts.csv', content: csv },
    { name: 'export/notes.csv', content: 'id\n7\n' },
  ];
  test.each([
    ['folder', () => folderOf(Object.fromEntries(files.map(({ name, content }) => [name, content])))],
    ['zip', () => file(zip(...files), 'export.zip')],
    ['tar.gz', () => file(tarGz(...files), 'export.tar.gz')],
  ])('a file of a %s, by its name without folder and ending', async (_, path) => {
    expect(await cells(path(), { table: 'contacts' })).toEqual([['1', 'Ada']]);
    expect(await cells(path(), { table: 'notes' })).toEqual([['7']]);
  });

  test.each<[string, string, unknown]>([
    ['a.csv', csv, [['1', 'Ada']]],
    ['a.tsv', 'id\tname\n1\tAda\n', [['1', 'Ada']]],
    ['a.txt', 'id;name\n1;Ada\n', [['1', 'Ada']]],
    ['a.json', '[{"id":"1","name":"Ada"}]', [['1', 'Ada']]],
    [
      'a.json',
      '{"id":"1","name":"Ada"}\n{"id":"2","name":"Bob"}\n',
      [
        ['1', 'Ada'],
        ['2', 'Bob'],
      ],
    ],
    ['a.ndjson', '{"id":"1","name":"Ada"}\n', [['1', 'Ada']]],
    ['a.vcf', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n', [['Ada']]],
  ])('%s, of any format', async (name, content, expected) => {
    expect(await cells({ [name]: content, 'other.pdf': '%PDF' }, { table: 'a' })).toEqual(expected);
  });

  test('one of a SQL dump or of a SQLite file, alone or among other files', async () => {
    expect(await cells(file(sqlDump, 'dump.sql'), { table: 'note' })).toEqual([['7', '2']]);
    expect(await cells(sqliteFile(), { table: 'contact' })).toEqual([['3', 'Cleo']]);
    const both = { 'crm.sql': sqlDump, 'users.csv': csv };
    expect(await cells(both, { table: 'note' })).toEqual([['7', '2']]);
    expect(await cells(both, { table: 'users' })).toEqual([['1', 'Ada']]);
  });

  test('known by how its file begins, where a dump is one file of any name', async () => {
    expect(await cells(file(sqlDump, 'backup'), { table: 'note' })).toEqual([['7', '2']]);
    expect((await refused(file('just words', 'backup'))).message).toContain('no file of a supported format');
  });

  test('meant exactly, else without regard to case', async () => {
    expect(await cells({ 'Contact.csv': csv, 'contact.csv': 'id\n9\n' }, { table: 'contact' })).toEqual([
      ['9'],
    ]);
    expect(await cells({ 'Contact.csv': csv }, { table: 'CONTACT' })).toEqual([['1', 'Ada']]);
    expect(await cells(file(sqlDump, 'dump.sql'), { table: 'contact' })).toHaveLength(2);
    const error = await refused({ 'Contact.csv': csv, 'contact.csv': csv }, { table: 'CONTACT' });
    expect(error.message).toContain('twice: Contact in Contact.csv and contact in contact.csv');
  });

  test('left open where there is only one', async () => {
    expect(await cells({ 'people.csv': csv })).toEqual([['1', 'Ada']]);
    const error = await refused({ 'people.csv': csv, 'notes.csv': 'id\n1\n2\n' });
    expect(error.message).toContain('several tables: notes (2 rows), people (1 row)');
  });
});

describe('tables', () => {
  test('states which file a table is, and how it is read', async () => {
    const files = { 'a/Contact.csv': 'id|name\n1|Ada;x\n', 'b/Contact.csv': csv, 'extract.dat': '1;Zoë\n' };
    const tables = {
      contacts: { file: 'a/Contact.csv', delimiter: '|' },
      people: { file: 'extract.dat', format: 'csv', header: ['id', 'name'] },
    };
    expect(await cells(files, { table: 'contacts', tables })).toEqual([['1', 'Ada;x']]);
    expect(await cells(files, { table: 'people', tables })).toEqual([['1', 'Zoë']]);
  });

  test('decides which of two files a table is', async () => {
    const files = { 'a/contacts.csv': csv, 'b/contacts.csv': 'id\n2\n' };
    const error = await refused(files, { table: 'contacts' });
    expect(error).toMatchObject({
      reason: 'input',
      message: expect.stringContaining(
        '"contacts" twice: contacts in a/contacts.csv and contacts in b/contacts.csv',
      ),
      next: 'Choose the file: tables: { "contacts": { file: "a/contacts.csv" } }.',
    });
    const tables = { contacts: { file: 'b/contacts.csv' } };
    expect(await cells(files, { table: 'contacts', tables })).toEqual([['2']]);
  });

  test('says how to name the file, where none resembles the table', async () => {
    const files = { 'Kontakte.csv': csv, 'Firmen.csv': 'id\n2\n' };
    const stated = { table: 'contacts', tables: { contacts: { file: 'contacts.csv' } } };
    expect(await refused(files, stated)).toMatchObject({
      message: expect.stringMatching(/has no file contacts\.csv\.$/),
      next: 'Set its file: tables: { "contacts": { file: "…" } }, with one of these: Firmen.csv, Kontakte.csv.',
    });
  });

  test.each<[string, object, RegExp]>([
    [
      'a file that is not there',
      { a: { file: 'b.csv' } },
      /has no file b\.csv.*tables: \{ "a": \{ file: "crm_a\.csv" \} \}/s,
    ],
    [
      'a file that nothing there resembles',
      { a: { file: 'nosuch.csv' } },
      /has no file nosuch\.csv.*contacts\.csv/s,
    ],
    [
      'two of one name',
      { a: { file: 'twice.csv' } },
      /several files twice\.csv.*x\/twice\.csv, y\/twice\.csv/s,
    ],
    ['a name without a format', { a: { file: 'odd.dat' } }, /of unknown format.*format: csv/s],
  ])('that names %s is refused', async (_, tables, words) => {
    const files = {
      'contacts.csv': csv,
      'crm_a.csv': csv,
      'x/twice.csv': csv,
      'y/twice.csv': csv,
      'odd.dat': csv,
    };
    const { message, next } = await refused(files, { table: 'a', tables });
    expect(`${message} ${next}`).toMatch(words);
  });

  test('is not needed where "table" names another one', async () => {
    const files = { 'hubspot_contacts.csv': csv, 'x.csv': csv };
    const tables = { contacts: { file: 'contacts.csv' } };
    expect((await refused(files, { table: 'contacts', tables })).next).toBe(
      'Set its file: tables: { "contacts": { file: "hubspot_contacts.csv" } }, or choose one of these: hubspot_contacts.csv, x.csv.',
    );
    expect(await cells(files, { table: 'hubspot_contacts', tables })).toEqual(
      await cells({ 'contacts.csv': csv }, { table: 'contacts' }),
    );
  });

  test.each<[object, string]>([
    [{ a: { file: 'a.csv', delimitre: ';' } }, 'delimitre'],
    [{ a: { file: 'a.dat', format: 'cvs' } }, 'unknown file format'],
  ])('with an option that is none of the format is refused at once', (tables, words) => {
    expect(() => open('/x', { tables }, 'dump')).toThrow(words);
  });
});

describe('what all tables are read with', () => {
  test('reaches the formats that know it', async () => {
    const latin = Buffer.from('id,name\n1,Zo\xeb\n2,none\n', 'latin1');
    const options = { table: 'a', encoding: 'windows-1252', nulls: ['none'] };
    expect(await cells({ 'a.csv': latin }, options)).toEqual([
      ['1', 'Zoë'],
      ['2', null],
    ]);
    const sql = Buffer.from("INSERT INTO a (id, name) VALUES (1,'Zo\xeb'),(2,'none');\n", 'latin1');
    expect(await cells(file(sql, 'a.sql'), options)).toEqual([
      ['1', 'Zoë'],
      ['2', null],
    ]);
    const long = { 'a.csv': `id,name\n1,${'x'.repeat(300)}\n` };
    const { broken } = await readingOf(openDump(long, { table: 'a', maxRowBytes: 256 }));
    expect(broken.map(({ problem }) => problem.code)).toEqual(['row.tooLarge']);
  });
});

describe('refused with what to do', () => {
  test('an unknown table, with those that are there', async () => {
    const error = await refused({ 'contacts.csv': csv, 'notes.csv': csv }, { table: 'contcats' });
    expect(error).toMatchObject({
      message: expect.stringContaining('no table "contcats"; it has: contacts, notes.'),
      next: 'Did you mean "contacts"?',
    });
    const other = await refused({ 'contacts.csv': csv }, { table: 'zzz' });
    expect(other.next).toContain('tables: {');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a folder without a file', {}, 'it is empty'],
    ['a folder without a file that is read', { 'a.pdf': '%PDF' }, 'it has a.pdf'],
  ])('%s', async (_, files, words) => {
    const error = await refused(files, { table: 'a' });
    expect(error.message).toContain(words);
    expect(error.next).toContain('tables: {');
  });

  test('a path that climbs out of the archive, and an archive that was cut off', async () => {
    const climbing = zip({ name: '../../contacts.csv', content: csv });
    expect((await refused(file(climbing, 'x.zip'), { table: 'contacts' })).reason).toBe('input');
    for (const whole of [
      zip({ name: 'contacts.csv', content: csv }),
      tarGz({ name: 'contacts.csv', content: csv }),
    ]) {
      const error = await refused(file(whole.subarray(0, whole.length - 30), 'x'), { table: 'contacts' });
      expect(error.reason).toBe('input');
      expect(error.next).toBeTruthy();
    }
  });

  test('a SQL dump that breaks off gives what is whole, a rejected row, and says so', async () => {
    const cut = sqlDump.slice(0, sqlDump.indexOf('Bob'));
    const {
      cells: whole,
      broken,
      facts,
    } = await readingOf(openDump(file(cut, 'dump.sql'), { table: 'contact' }));
    expect(whole).toEqual([['1', 'Ada']]);
    expect(broken.map(({ problem }) => problem.code)).toEqual(['sql.cutOff']);
    expect(facts.truncated).toContain('is cut off in line');
  });
});

describe('only what is asked for is read', () => {
  const files = { 'contacts.csv': csv, 'broken.csv': 'id,"name\n1,2\n', 'Thumbs.db': 'no database' };

  test('a broken file of another table does no harm, and one that may have tables is named', async () => {
    const { facts, cells: read } = await readingOf(openDump(files, { table: 'contacts' }));
    expect(read).toEqual([['1', 'Ada']]);
    expect(facts.notes).toEqual([expect.stringContaining('Thumbs.db is left out')]);
    expect((await refused(files, { table: 'broken' })).message).toContain('never closed');
  });

  test('the fingerprint is of the files that are used, and of the options', async () => {
    const path = folderOf({ 'contacts.csv': csv, 'notes.csv': 'id\n1\n' });
    const print = async (options: object) => (await openDump(path, options).inspect(never)).fingerprint;
    const first = await print({ table: 'contacts' });
    writeFileSync(join(path, 'notes.csv'), 'id\n2\n');
    expect(await print({ table: 'contacts' })).toBe(first);
    expect(await print({ table: 'contacts', nulls: ['x'] })).not.toBe(first);
    expect(await print({ table: 'notes' })).not.toBe(first);
    writeFileSync(join(path, 'contacts.csv'), `${csv}2,Bob\n`);
    expect(await print({ table: 'contacts' })).not.toBe(first);
  });

  test('of an archive, one file that holds tables can be named', async () => {
    const path = file(
      zip({ name: 'a/one.sql', content: sqlDump }, { name: 'b/two.sql', content: sqlDump }),
      'x.zip',
    );
    expect((await refused(path, { table: 'note' })).message).toContain(
      'note in a/one.sql and note in b/two.sql',
    );
    expect(await cells(path, { table: 'note', member: 'two.sql' })).toEqual([['7', '2']]);
  });
});
