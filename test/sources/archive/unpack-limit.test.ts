import { expect, test } from 'vitest';
import { UnpackLimiter } from '../../../src/sources/archive/packed-file.ts';
import { DiskSpaceChecker } from '../../../src/storage/room.ts';
import { refusal } from '../reading.ts';

const caught = (act: () => void) => refusal(Promise.resolve().then(act));

test('20 GB are the most unless another bound is stated', async () => {
  const usual = new UnpackLimiter('a.zip', 1e9, undefined);
  usual.countBytes(19e9);
  expect((await caught(() => usual.countBytes(2e9))).message).toContain('more than 20GB');
  const stated = new UnpackLimiter('a.zip', 1e9, 50e9);
  stated.countBytes(49e9);
  expect((await caught(() => stated.countBytes(2e9))).next).toContain('maxUnpacked: 100GB');
});

test('more than 100,000 files are too many', async () => {
  const limit = new UnpackLimiter('a.zip', 1e9, undefined);
  for (let n = 0; n < 100_000; n += 1) limit.countFile();
  expect((await caught(() => limit.countFile())).message).toContain('100000 files');
});

test('the disk is looked at before and every now and then while it is written', async () => {
  let free = 300e6;
  const room = new DiskSpaceChecker('/spool', 'a.zip', async () => free);
  await room.assert(200e6);
  const before = await refusal(room.assert(250e6));
  expect(before.message).toContain('no space');
  expect(before.place?.file).toBe('a.zip');
  await room.written(60e6);
  free = 10e6;
  await room.written(1e6);
  expect((await refusal(room.written(4e6))).message).toContain('no space');
});

test('a disk that is full all the same is explained, anything else is not hidden', async () => {
  const room = new DiskSpaceChecker('/spool', 'a.zip', async () => 1e9);
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
  expect((await refusal(room.kept(Promise.reject(full)))).next).toContain('Free some space');
  await expect(room.kept(Promise.reject(new Error('else')))).rejects.toThrow('else');
});
