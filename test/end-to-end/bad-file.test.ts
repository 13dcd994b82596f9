import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sourceFormats } from '../../src/sources/registry.ts';
import { some } from '../long.ts';
import { tar, tarGz, zip } from '../sources/archive/packing.ts';
import type { Builder } from '../sources/builders/builder.ts';
import { builders } from '../sources/builders/index.ts';
import { type Content, given } from './given-file.ts';

const people = Array.from({ length: 20 }, (_, n) => ({
  id: `person${n}@example.com`,
  name: `Ada ${n}`,
  note: 'x',
}));
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06', 'latin1');

async function built(format: string): Promise<Buffer> {
  const builder: Builder | undefined = builders[format];
  if (builder === undefined) throw new Error(`${format} has no builder`);
  return Buffer.from(await builder.build(people));
}

// Of several files, and of none: they have tests of their own.
const special = ['dump', 'workspace'];
const formats = sourceFormats.map(({ name }) => name).filter((name) => !special.includes(name));

// Empty files and folders: the shared suite has them for every format.
it.concurrent.each(formats)('an image given to %s is refused', async (format) => {
  const { code, says } = await given('check', { format, file: 'people', content: png });
  expect(says).toMatch(/^DIR\/people is (a PNG image, not text|not a workbook|not a SQLite file).*\n\S/);
  expect(code).toBe(2);
});

interface Case {
  readonly name: string;
  readonly file: string;
  readonly content: () => Content | Promise<Content>;
  readonly options?: object;
  readonly says: string;
}

const cutOff = (what: string) => `${what}\nCopy or export it again.`;
const malign = (what: string) =>
  `DIR/people.${what}, as malicious archives do.\nDo not use it; ask where it came from.`;
const member = async (format: string) => ({
  name: `people.${builders[format]?.extension}`,
  content: await built(format),
});
const aBomb = Buffer.alloc(70e6, 'a');
const tooGreedy = (name: string) =>
  `DIR/${name} unpacks to more than 250 times its size, like an archive made to fill the disk.\nIf you trust it, set "maxUnpacked" to the size it should have.`;

const truncated: readonly (Case & { format: string })[] = ['csv', 'sql', 'ndjson'].flatMap((format) => [
  {
    name: `a gz of ${format} that is cut off`,
    format,
    file: 'people.gz',
    content: async () => gzipSync(await built(format)).subarray(0, -20),
    says: cutOff('DIR/people.gz is cut off: its gzip data is incomplete.'),
  },
  {
    name: `a zip of ${format} that is cut off`,
    format,
    file: 'people.zip',
    content: async () => zip(await member(format)).subarray(0, -60),
    says: cutOff('DIR/people.zip is a zip that is cut off: its directory is missing.'),
  },
  {
    name: `a tar.gz of ${format} that is cut off`,
    format,
    file: 'people.tar.gz',
    content: async () => tarGz(await member(format)).subarray(0, -20),
    says: cutOff('DIR/people.tar.gz is cut off: its gzip data is incomplete.'),
  },
]);

const archives: readonly Case[] = [
  {
    name: 'a zip that unpacks to more than is stated',
    file: 'people.zip',
    content: () => zip({ name: 'people.csv', content: Buffer.alloc(3e6, 'a') }),
    options: { maxUnpacked: '1MB' },
    says: 'DIR/people.zip unpacks to more than 1MB.\nSet "maxUnpacked: 2MB" if it is meant to be that large.',
  },
  {
    name: 'a zip that is made to fill the disk',
    file: 'people.zip',
    content: () => zip({ name: 'people.csv', content: aBomb }),
    says: tooGreedy('people.zip'),
  },
  {
    name: 'a zip that states less than it unpacks to',
    file: 'people.zip',
    content: () => zip({ name: 'people.csv', content: aBomb, statedSize: 100 }),
    says: cutOff(
      'DIR/people.zip/people.csv is damaged and cannot be unpacked (too many bytes in the stream. expected 100. got at least 16384).',
    ),
  },
  {
    name: 'a gz that is made to fill the disk',
    file: 'people.gz',
    content: () => gzipSync(aBomb),
    says: tooGreedy('people.gz'),
  },
  {
    name: 'a path that climbs out of a zip',
    file: 'people.zip',
    content: () => zip({ name: '../../people.csv', content: 'id,name\n' }),
    says: malign('zip has a file whose path leads out of it (invalid relative path: ../../people.csv)'),
  },
  {
    name: 'an absolute path in a zip',
    file: 'people.zip',
    content: () => zip({ name: '/tmp/people.csv', content: 'id,name\n' }),
    says: malign('zip has a file whose path leads out of it (absolute path: /tmp/people.csv)'),
  },
  {
    name: 'a path that climbs out of a tar',
    file: 'people.tar',
    content: () => tar({ name: '../../people.csv', content: 'id,name\n' }),
    says: malign('tar has a file whose path leads out of it (invalid relative path: ../../people.csv)'),
  },
  {
    name: 'an absolute path in a tar',
    file: 'people.tar',
    content: () => tar({ name: '/tmp/people.csv', content: 'id,name\n' }),
    says: malign('tar has a file whose path leads out of it (absolute path: /tmp/people.csv)'),
  },
  {
    name: 'a link in a tar',
    file: 'people.tar',
    content: () => tar({ name: 'people.csv', content: '', type: '2' }),
    says: 'DIR/people.tar has no file.\nExport it again, or use another file; folders and links in it are ignored.',
  },
];

describe('an archive', () => {
  it.concurrent.each([
    ...some(truncated, 2),
    ...archives.map((one) => ({ cut: false, format: 'csv', ...one })),
  ])('$name', async ({ format, file, content, options = {}, says }) => {
    const found = await given('import', { format, file, content: await content(), options });
    // Nothing was begun, and nothing is left on the disk.
    expect(found).toMatchObject({ says, code: 2, rejected: null, spooled: [] });
  });

  it.concurrent('with a link to a folder, and a file under its name, gives that file', async () => {
    const link = { name: 'link', content: '', type: '2' };
    const content = tar(link, { name: 'link/people.csv', content: await built('csv') });
    const found = await given('import', { format: 'csv', file: 'people.tar', content });
    expect(found).toMatchObject({ code: 0, says: '', rejected: [] });
  });
});

const pgDump = `--\n-- PostgreSQL database dump\n--\n\nCREATE TABLE public.people (name text, note text, __proto__ text);\n\nCOPY public.people (name, note, __proto__) FROM stdin;\n${people.map(({ id, name, note }) => `${name}\t${note}\t${id}\n`).join('')}`;
const deep = '['.repeat(1e6) + ']'.repeat(1e6);
const aRecord = '{"__proto__":"ada@example.com","name":{"full":"Ada"}}';
const upTo = (text: string, words: string) => text.slice(0, text.indexOf(words) + words.length);

describe('is refused', () => {
  it.concurrent.each([
    {
      name: 'a dump cut off before its rows',
      format: 'sql',
      content: async () => upTo(`${await built('sql')}`, 'CREATE TABLE `people` (\n  `name`'),
      says: cutOff('DIR/people is cut off in the statement that begins in line 3, before any table.'),
    },
    {
      name: 'a workbook with a password',
      format: 'xlsx',
      content: () =>
        Buffer.concat([
          Buffer.from('d0cf11e0a1b11ae1', 'hex'),
          Buffer.alloc(3_000),
          Buffer.from('EncryptedPackage', 'utf16le'),
        ]),
      says: 'DIR/people is protected with a password.\nOpen it in a spreadsheet program and save it as .xlsx without one.',
    },
    {
      name: 'a SQLite file cut short',
      format: 'sqlite',
      content: async () => (await built('sqlite')).subarray(0, 5_000),
      says: 'DIR/people is cut off: it has 5000 bytes of at least 8192.\nCopy it again.',
    },
    {
      name: 'JSON nested a million deep',
      format: 'json',
      content: () => `{"a":${deep}}`,
      says: 'DIR/people is nested more than 100 levels deep in line 1.\nExport it in a flatter shape.',
    },
    {
      name: 'JSON cut off between records',
      format: 'json',
      content: () => `[\n${aRecord},\n`,
      says: 'DIR/people is cut off in line 3.\nCopy or export it again.',
    },
  ])('$name', async ({ format, content, says }) => {
    const found = await given('import', { format, file: 'people', content: await content() });
    expect(found).toMatchObject({ says, code: 2, rejected: null });
  });
});

/** The dump without the line that says that it is complete. */
const unclosed = async () => `${await built('sql')}`.replace(/^-- Dump completed.*\n/m, '');

const insertTo = (words: string) => async () => upTo(`${await built('sql')}`, words);

describe('a dump that breaks off: what came before is imported, and it ends with 2', () => {
  it.concurrent.each([
    {
      name: 'in an INSERT',
      content: insertTo('Ada 15'),
      where: 'in line 25, in the rows of people',
      rejected: [['25', 'sql.cutOff']],
    },
    {
      name: 'in a line of a COPY',
      content: () => upTo(pgDump, 'Ada 15'),
      where: 'in line 23, in the rows of people',
      rejected: [['23', 'sql.cutOff']],
    },
    {
      name: 'before the end of a COPY',
      content: () => pgDump,
      where: 'in line 28, in the rows of people',
      rejected: [['28', 'sql.cutOff']],
    },
    {
      name: 'in a comment',
      content: async () => `${await unclosed()}/* and so`,
      where: 'in the statement that begins in line 30',
      rejected: [],
    },
    {
      name: 'in a CREATE',
      content: async () => `${await unclosed()}CREATE TABLE \`notes\` (\n  \`id`,
      where: 'in the statement that begins in line 30',
      rejected: [],
    },
  ])('$name', async ({ content, where, rejected }) => {
    const options = { table: 'people' };
    const found = await given('import', { format: 'sql', file: 'people', content: await content(), options });
    expect(found).toMatchObject({ code: 2, rejected });
    expect(found.says).toContain(
      `The dump is cut off ${where}: the rest is missing. Every row before that was processed.\nExport the input again, then: `,
    );
    const checked = await given('check', {
      format: 'sql',
      file: 'people',
      content: await content(),
      options,
    });
    expect(checked.code).toBe(2);
  });
});

describe('costs a row', () => {
  it.concurrent.each([
    {
      name: 'a record of JSON nested a million deep',
      format: 'json',
      content: () => `[${aRecord},\n{"a":${deep}}]`,
      options: { maxRowBytes: 10_000_000 },
      rejected: [['2', 'row.tooDeep']],
    },
    {
      name: 'a line of NDJSON nested a million deep',
      format: 'ndjson',
      content: () => `${aRecord}\n{"a":${deep}}\n`,
      options: { maxRowBytes: 10_000_000 },
      rejected: [['2', 'row.tooDeep']],
    },
  ])('$name', async ({ format, content, options = {}, rejected }) => {
    const found = await given('import', { format, file: 'people', content: await content(), options });
    expect(found).toMatchObject({ code: 3, rejected });
  });
});

it.concurrent.each([
  ['with a mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['without one, the other way round', (text: string) => Buffer.from(text, 'utf16le').swap16()],
])('NDJSON in UTF-16 is read, %s', async (_, encoded) => {
  const content = encoded(`${await built('ndjson')}`);
  const found = await given('import', { format: 'ndjson', file: 'people', content });
  expect(found).toMatchObject({ code: 0, says: '', rejected: [] });
});
