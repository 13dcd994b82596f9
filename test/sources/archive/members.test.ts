import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type InputMember,
  listInputMembers,
  unpackInputMembers,
} from '../../../src/sources/archive/members.ts';
import { sourceFormats } from '../../../src/sources/registry.ts';
import { file, folder, never, readingOf, refusal } from '../reading.ts';
import { tarGz, zip } from './packing.ts';

const csv = sourceFormats.find(({ name }) => name === 'csv');
const files = [
  { name: 'contacts.csv', content: 'a\n1\n' },
  { name: 'more/accounts.csv', content: 'a\n2\n3\n' },
];
const known = ({ name, bytes }: InputMember) => [name, bytes];
const listed = [
  ['contacts.csv', 4],
  ['more/accounts.csv', 6],
];

async function rowsOf(members: readonly InputMember[]): Promise<unknown> {
  const rows: unknown[] = [];
  for (const { input } of members) if (csv) rows.push((await readingOf(csv.open({}, input))).cells);
  return rows;
}

test('of a folder, with the folders in it and links to files, but nothing hidden', async () => {
  const path = folder();
  mkdirSync(join(path, 'more'));
  mkdirSync(join(path, '.git'));
  for (const { name, content } of files) writeFileSync(join(path, name), content);
  writeFileSync(join(path, '.git/x.csv'), 'x');
  symlinkSync(join(path, 'contacts.csv'), join(path, 'z.csv'));
  symlinkSync(file('secret\n', 'secret.csv'), join(path, 'out.csv'));
  symlinkSync(join(path, 'nosuch.csv'), join(path, 'nowhere.csv'));
  const members = await listInputMembers({ path, spoolDir: folder() }, never);
  expect(members.map(known)).toEqual([...listed, ['z.csv', 4]]);
  expect(await rowsOf(members)).toEqual([[['1']], [['2'], ['3']], [['1']]]);
});

describe('a work dir in the folder', () => {
  const inFolder = async (names: readonly string[], workDir?: string) => {
    const path = folder();
    for (const name of names) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), 'a\n1\n');
    }
    const spoolDir = workDir === undefined ? folder() : join(path, workDir, 'spool');
    return (await listInputMembers({ path, spoolDir }, never)).map(({ name }) => name);
  };

  test('is not read: that of this run, and that of another one', async () => {
    const own = ['contacts.csv', 'wd/spool/x.csv', 'wd/runs/1/contacts.csv'];
    expect(await inFolder(own, 'wd')).toEqual(['contacts.csv']);
    const other = ['contacts.csv', 'old/wd/journal.db', 'old/wd/spool/x', 'old/wd/runs/1/rejects.csv'];
    expect(await inFolder(other)).toEqual(['contacts.csv']);
  });

  test('is no folder that only has a file or a folder of such a name', async () => {
    const names = ['crm/journal.db', 'crm/runs/1.csv', 'wd/spool/x.csv'];
    expect(await inFolder(names)).toEqual(names);
  });

  test('that the folder is itself in hides nothing', async () => {
    const path = folder();
    writeFileSync(join(path, 'contacts.csv'), 'a\n1\n');
    const members = await listInputMembers({ path, spoolDir: join(path, '..', 'spool') }, never);
    expect(members.map(({ name }) => name)).toEqual(['contacts.csv']);
  });
});

describe.each([
  ['zip', zip],
  ['tar.gz', tarGz],
])('of a %s', (_, pack) => {
  test('each is opened by itself, under the name of the archive', async () => {
    const path = file(pack(...files.toReversed()), 'export');
    const members = await listInputMembers({ path, spoolDir: folder() }, never);
    expect(members.map(known)).toEqual(listed);
    expect(await rowsOf(members)).toEqual([[['1']], [['2'], ['3']]]);
  });

  test('several are unpacked in one go and found when they are opened', async () => {
    const path = file(pack(...files), 'export');
    const spoolDir = join(folder(), 'spool');
    const members = await listInputMembers({ path, spoolDir }, never);
    await unpackInputMembers(members, never);
    const there = readdirSync(spoolDir).sort();
    expect(there).toHaveLength(2);
    expect(await rowsOf(members)).toEqual([[['1']], [['2'], ['3']]]);
    expect(readdirSync(spoolDir).sort()).toEqual(there);
    rmSync(join(spoolDir, there[0] ?? ''));
    await unpackInputMembers(members, never);
    expect(readdirSync(spoolDir).sort()).toEqual(there);
  });

  test('links are left out', async () => {
    const link = { name: 'link.csv', content: 'contacts.csv', type: '2' };
    const members = await listInputMembers(
      { path: file(pack(link, ...files), 'export'), spoolDir: folder() },
      never,
    );
    expect(members.map(({ name }) => name.replace(/^.*export\//, ''))).toEqual(files.map(({ name }) => name));
  });

  test('two of one name are refused', async () => {
    const path = file(pack(...files, ...files), 'export');
    const error = await refusal(listInputMembers({ path, spoolDir: folder() }, never));
    expect(error.message).toContain('two files named contacts.csv');
  });
});

test('any other file is its only member', async () => {
  const spoolDir = folder();
  const plain = await listInputMembers({ path: file('a\n1\n', 'one.csv'), spoolDir }, never);
  expect(plain.map(known)).toEqual([['one.csv', 4]]);
  const packed = await listInputMembers({ path: file(gzipSync('a\n1\n'), 'one.csv.gz'), spoolDir }, never);
  expect(packed.map(({ name }) => name)).toEqual(['one.csv']);
  expect(await rowsOf([...plain, ...packed])).toEqual([[['1']], [['1']]]);
});
