import { expect, test } from 'vitest';
import { recordAttempt } from '../../src/journal/index.ts';
import { openFile, workDir } from './work-dir.ts';

const of = { pipeline: 'nightly', kind: 'export', rehearsal: false } as const;
const failed = (endedAt: number) => ({ exitCode: 7, endedAt, failed: true });
const worked = (endedAt: number) => ({ exitCode: 0, endedAt, failed: false });

test('counts failures in a row and since when, until one works', () => {
  const file = openFile(workDir());
  expect(recordAttempt(file, of, worked(1)).before).toBeUndefined();
  expect(recordAttempt(file, of, failed(2)).now).toEqual({
    exitCode: 7,
    endedAt: 2,
    failures: 1,
    failingSince: 2,
  });
  expect(recordAttempt(file, of, failed(3)).now).toMatchObject({ failures: 2, failingSince: 2 });
  const works = recordAttempt(file, of, worked(4));
  expect(works.before).toMatchObject({ failures: 2, failingSince: 2 });
  expect(works.now).toEqual({ exitCode: 0, endedAt: 4, failures: 0, failingSince: null });
  expect(recordAttempt(file, of, failed(5)).now).toMatchObject({ failures: 1, failingSince: 5 });
});

test('pipelines, kinds and rehearsals are counted apart', () => {
  const file = openFile(workDir());
  recordAttempt(file, of, failed(1));
  for (const other of [{ pipeline: 'weekly' }, { kind: 'import' as const }, { rehearsal: true }]) {
    expect(recordAttempt(file, { ...of, ...other }, worked(2)).before).toBeUndefined();
  }
  expect(recordAttempt(file, of, failed(3)).now.failures).toBe(2);
});

test('is remembered by the next process', () => {
  const dir = workDir();
  recordAttempt(openFile(dir), of, failed(1));
  expect(recordAttempt(openFile(dir), of, worked(2)).before).toMatchObject({ exitCode: 7, failures: 1 });
});
