import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { file, folder, never, open, readingOf, refusal } from '../reading.ts';
import { type Packed, tar, tarGz, zip } from './packing.ts';

const people = 'name,town\nAda,London\n';
const cells = [['Ada', 'London']];
const csv = (name: string, content: string | Buffer = people): Packed => ({ name, content });

async function refusedWith(packed: Buffer, options: object = {}) {
  const spoolDir = join(folder(), 'spool');
  const path = file(packed, 'export');
  const error = await refusal(open(path, options, 'csv', spoolDir).inspect(never));
  expect(error.reason).toBe('input');
  expect(error.place?.file).toContain(path);
  expect(error.next).toBeTruthy();
  let left: string[] = [];
  try {
    left = readdirSync(spoolDir);
  } catch {
    // Nothing was ever put there.
  }
  expect(left).toEqual([]);
  return error;
}

describe('which file of an archive is read', () => {
  const several = [csv('a/people.csv'), csv('b/people.csv', 'x\n1\n'), csv('READ.ME', 'hello')];

  test.each([
    ['zip', zip],
    ['tar.gz', tarGz],
    ['tar', tar],
  ])('the only one that fits, the one that is named, or else they are listed: %s', async (_, pack) => {
    const one = await readingOf(open(file(pack(csv('notes.md', '#'), csv('x/P.CSV')))));
    expect(one.cells).toEqual(cells);
    expect(one.facts.name).toMatch(/\/x\/P\.CSV$/);
    const named = open(file(pack(...several)), { member: 'b/people.csv' });
    expect((await readingOf(named)).cells).toEqual([['1']]);
    const error = await refusedWith(pack(...several));
    expect(error.message).toContain('a/people.csv, b/people.csv');
    expect(error.next).toContain('member: a/people.csv');
  });

  test('a file alone fits whatever its name, and a name without its folders is enough where it is one', async () => {
    expect((await readingOf(open(file(zip(csv('export')))))).cells).toEqual(cells);
    const both = zip(csv('deep/down/people.csv'), csv('deep/other.csv'));
    expect((await readingOf(open(file(both), { member: 'people.csv' }))).cells).toEqual(cells);
    expect((await refusedWith(zip(...several), { member: 'people.csv' })).message).toContain('several');
  });

  test('what a Mac puts beside files is none, nor is a link', async () => {
    const mac = zip(csv('people.csv'), csv('__MACOSX/._people.csv', 'x'), csv('.DS_Store', 'x'));
    expect((await readingOf(open(file(mac)))).cells).toEqual(cells);
    const linked = tar({ ...csv('link.csv', ''), type: '2' }, csv('./people.csv'));
    expect((await readingOf(open(file(linked)))).facts.name).toMatch(/\/people\.csv$/);
  });

  test.each([
    ['none of that name', zip(...several), { member: 'c.csv' }, 'there are: READ.ME'],
    ['none that fits', zip(csv('a.md'), csv('b.md')), {}, 'none of them'],
    ['none at all', zip(), {}, 'has no file'],
    ['two of one name', zip(csv('a.csv'), csv('a.csv')), { member: 'a.csv' }, '2 files named'],
    ['a member of what is no archive', Buffer.from(people), { member: 'a.csv' }, 'is not an archive'],
    ['a member of a gz', gzipSync(people), { member: 'a.csv' }, 'is not an archive'],
  ])('%s is refused', async (_, packed, options, words) => {
    expect((await refusedWith(packed, options)).message).toContain(words);
  });
});

describe('damage and malice are refused, and leave nothing', () => {
  const text = Array.from({ length: 20_000 }, (_, n) => `${n},${Math.sin(n)}\n`).join('');
  const whole = zip(csv('people.csv', text));
  const tarred = tar(csv('people.csv', text));
  const packedTar = gzipSync(tarred);
  const damagedTar = Buffer.from(tar(csv('a.csv'), csv('people.csv')));
  damagedTar.write('x', 1024 + 10);
  const flipped = gzipSync(text);
  flipped[flipped.length - 5] = (flipped[flipped.length - 5] ?? 0) ^ 1;

  test.each([
    ['a zip that was cut off', whole.subarray(0, whole.length - 30), 'cut off'],
    ['a tar that was cut off within a file', tarred.subarray(0, 9000), 'cut off'],
    ['a tar that was cut off behind a file', tar(csv('people.csv')).subarray(0, 1024), 'cut off'],
    ['a tar.gz that was cut off', packedTar.subarray(0, packedTar.length - 9), 'cut off'],
    ['a tar with a damaged header', damagedTar, 'damaged'],
    ['a gz with another checksum', flipped, 'damaged'],
    ['a zip with another checksum', zip({ ...csv('a.csv'), statedCrc: 7 }), 'checksum differs'],
    ['a zip that states too little', zip({ ...csv('a.csv'), statedSize: 3 }), 'damaged'],
    ['a zip that states too much', zip({ ...csv('a.csv'), statedSize: 3000 }), 'damaged'],
    ['a zip with a path that climbs', zip(csv('people.csv'), csv('../../x.csv')), 'leads out of it'],
    ['a tar with a path that climbs', tar(csv('people.csv'), csv('a/../../x.csv')), 'leads out of it'],
    ['a tar with a path from the root', tarGz(csv('/etc/people.csv')), 'leads out of it'],
    ['an encrypted zip', zip({ ...csv('a.csv'), encrypted: true }), 'encrypted'],
    ['a zip in a zip', zip(csv('a.csv', zip(csv('b.csv')))), 'packed twice'],
    ['a gz in a gz', gzipSync(gzipSync(people)), 'packed twice'],
    ['a gz in a tar', tar(csv('a.csv', gzipSync(people))), 'packed twice'],
    ['a workbook', zip(csv('[Content_Types].xml'), csv('xl/workbook.xml')), 'workbook'],
    ['a workbook in a zip', zip(csv('a.csv', zip(csv('[Content_Types].xml')))), 'workbook'],
    ['an empty file in a zip', zip(csv('a.csv', '')), 'is empty'],
    ['xz', Buffer.from('\xfd7zXZ\0\0\0', 'latin1'), 'packed with xz'],
    ['7-Zip', Buffer.from("7z\xbc\xaf'\x1c\0\0", 'latin1'), 'packed with 7-Zip'],
  ])('%s', async (_, packed, words) => {
    expect((await refusedWith(packed)).message).toContain(words);
  });

  test('the member is named beside the file', async () => {
    const error = await refusedWith(zip({ ...csv('in/a.csv'), encrypted: true }));
    expect(error.place?.file).toMatch(/export\/in\/a\.csv$/);
  });

  test.each([
    ['gz', gzipSync(text)],
    ['zip', whole],
    ['zip that states little', zip({ ...csv('a.csv', text), statedSize: 10 })],
    ['tar.gz', packedTar],
    ['tar.gz whose other file is large', tarGz(csv('a.csv'), csv('other.md', text))],
  ])('more than maxUnpacked out of a %s', async (_, packed) => {
    const error = await refusedWith(packed, { maxUnpacked: '100KB' });
    expect(error.message).toMatch(/more than 100KB|damaged/);
  });

  test('more than 250 times the packed size, unless how much is stated', async () => {
    const bomb = gzipSync(Buffer.alloc(80e6, `${'x'.repeat(9999)}\n`));
    expect((await refusedWith(bomb)).message).toContain('250 times');
    const stated = open(file(bomb), { maxUnpacked: '100MB' });
    expect((await stated.inspect(never)).bytes).toBe(80e6);
  });

  test('an abort leaves nothing', async () => {
    const spoolDir = join(folder(), 'spool');
    const stop = new AbortController();
    const source = open(file(whole), {}, 'csv', spoolDir);
    const inspection = source.inspect(stop.signal);
    stop.abort(new Error('enough'));
    await expect(inspection).rejects.toThrow('enough');
    expect(() => readdirSync(spoolDir)).toThrow('ENOENT');
  });
});

describe('the unpacked copy', () => {
  test('is closed to others, and is found again instead of unpacking twice', async () => {
    const spoolDir = join(folder(), 'spool');
    const path = file(tarGz(csv('people.csv'), csv('notes.md')));
    expect((await readingOf(open(path, {}, 'csv', spoolDir))).cells).toEqual(cells);
    const [copy = '', ...more] = readdirSync(spoolDir);
    expect(more).toEqual([]);
    const made = statSync(join(spoolDir, copy));
    expect(made.mode & 0o777).toBe(0o600);
    expect((await readingOf(open(path, {}, 'csv', spoolDir))).cells).toEqual(cells);
    expect(readdirSync(spoolDir)).toEqual([copy]);
    expect(statSync(join(spoolDir, copy)).ino).toBe(made.ino);
    const other = file(tarGz(csv('people.csv', 'x\n1\n')));
    expect((await readingOf(open(other, {}, 'csv', spoolDir))).cells).toEqual([['1']]);
    expect(readdirSync(spoolDir)).toHaveLength(2);
  });

  test.skipIf(process.platform === 'win32')('of what comes through a pipe is all that stays', async () => {
    const spoolDir = join(folder(), 'spool');
    const pipe = join(folder(), 'pipe');
    const packed = file(gzipSync(people));
    execFileSync('sh', ['-c', `mkfifo "${pipe}"`]);
    spawn('sh', ['-c', `cat "${packed}" > "${pipe}"`]);
    expect((await readingOf(open(pipe, {}, 'csv', spoolDir))).cells).toEqual(cells);
    expect(readdirSync(spoolDir).map((name) => name.split('-')[0])).toEqual(['unpacked']);
  });

  test('takes the place of what processes left that died over theirs', async () => {
    const spoolDir = folder();
    const { pid } = spawnSync('true');
    writeFileSync(join(spoolDir, `${pid}-1.part`), 'dead');
    writeFileSync(join(spoolDir, `${process.ppid}-1.part`), 'alive');
    await open(file(gzipSync(people)), {}, 'csv', spoolDir).inspect(never);
    const left = readdirSync(spoolDir).filter((name) => !name.startsWith('unpacked-'));
    expect(left).toEqual([`${process.ppid}-1.part`]);
  });
});
