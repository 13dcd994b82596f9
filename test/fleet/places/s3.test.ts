import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openInputStorage,
  openOutputStorage,
  openResultStorage,
} from '../../../src/fleet/places/open-place.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type FakeS3, keys, startFakeS3 } from './fake-s3.ts';

/** A clock that waits for nothing: what is waited for is noted. */
const waits: number[] = [];
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => {
    waits.push(ms);
    return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve();
  },
};

const variables: Readonly<Record<string, string>> = {
  LONGSHORE_S3_ACCESS_KEY: keys.accessKeyId,
  LONGSHORE_S3_SECRET_KEY: keys.secretAccessKey,
};

const outside = {
  clock,
  randomness: { next: () => 0.5 },
  signal: new AbortController().signal,
  variable: (name: string) => variables[name],
};

let store: FakeS3;
let folder: ReturnType<typeof temporaryFolder>;

beforeEach(async () => {
  waits.length = 0;
  store = await startFakeS3('acme');
  folder = temporaryFolder();
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const place = (prefix: string, more: object = {}) => ({
  ...({ kind: 'bucket', bucket: 'acme', prefix, endpoint: store.endpoint, region: 'us-east-1' } as const),
  ...{ accessKeyEnv: 'LONGSHORE_S3_ACCESS_KEY', secretKeyEnv: 'LONGSHORE_S3_SECRET_KEY' },
  ...more,
});

const put = (key: string, text: string) => store.objects.set(key, Buffer.from(text));
const asked = (what: RegExp) => store.log.filter((entry) => what.test(entry.asked));

it('files of runs in a bucket are put, listed, fetched and removed', async () => {
  put('other/acme/load/r1/report.html', 'not meant');
  put('results/acme2/load/r1/report.html', 'not meant');
  const files = await openResultStorage(place('results'), outside);
  const local = join(folder.path, 'report.html');
  writeFileSync(local, 'a page');
  for (const name of ['report.html', 'summary.json', 'rejects.csv'])
    await files.put(`acme/load/r1/${name}`, local);
  const paths = ['rejects.csv', 'report.html', 'summary.json'].map((name) => `acme/load/r1/${name}`);
  expect(await files.list('acme')).toEqual(paths);
  await files.fetch('acme/load/r1/rejects.csv', join(folder.path, 'fetched'));
  expect(readFileSync(join(folder.path, 'fetched'), 'utf8')).toBe('a page');
  for (const path of paths) await files.remove(path);
  expect(await files.list('acme')).toEqual([]);
  expect(files.nameOf('acme/load')).toBe('s3://acme/results/acme/load');
});

describe('inputs in a bucket', () => {
  it('are fetched once, and again only where they have changed', async () => {
    put('in/people & co/ä (1).csv', 'a');
    put('in/people & co/b+c.csv', 'b');
    put('in/people & co/deep/d.csv', 'd');
    put('in/people & company.csv', 'not meant');
    const inputs = await openInputStorage(place('in'), outside);
    const local = await inputs.fetch('people & co', folder.path, outside.signal);
    expect(local).toBe(join(folder.path, 'people & co'));
    expect(readFileSync(join(local, 'ä (1).csv'), 'utf8')).toBe('a');
    expect(readFileSync(join(local, 'b+c.csv'), 'utf8')).toBe('b');
    expect(readFileSync(join(local, 'deep/d.csv'), 'utf8')).toBe('d');
    const fetched = () =>
      asked(/^GET \/acme\/./).filter(({ asked: url }) => !url.includes('list-type')).length;
    expect(fetched()).toBe(3);
    await inputs.fetch('people & co', folder.path, outside.signal);
    expect(fetched()).toBe(3);
    put('in/people & co/b+c.csv', 'new');
    await inputs.fetch('people & co', folder.path, outside.signal);
    expect(fetched()).toBe(4);
    expect(readFileSync(join(local, 'b+c.csv'), 'utf8')).toBe('new');
  });

  it('are a single file, too, and say where one is missing', async () => {
    put('people.csv', 'a');
    const inputs = await openInputStorage(place(''), outside);
    const path = await inputs.fetch('people.csv', folder.path, outside.signal);
    expect(readFileSync(path, 'utf8')).toBe('a');
    await expect(inputs.fetch('peple.csv', folder.path, outside.signal)).rejects.toThrow(
      'there is no input peple.csv in the bucket',
    );
  });

  it.each([['again'], ['one', 'two', 'three']])('are not asked for without end: %s', async (...tokens) => {
    store.repeatTokens(tokens);
    const inputs = await openInputStorage(place('in'), outside);
    await expect(inputs.fetch('x', folder.path, outside.signal)).rejects.toThrow('does not end');
    expect(store.log.length).toBeLessThan(10);
  });

  it('do not leave their folder, whatever an object is called', async () => {
    put('in/x/../../../evil.csv', 'a');
    const inputs = await openInputStorage(place('in'), outside);
    await expect(inputs.fetch('x', join(folder.path, 'inputs'), outside.signal)).rejects.toThrow(FatalError);
  });

  it('arrive through a store that is overloaded and drops connections', async () => {
    for (let n = 0; n < 20; n += 1) put(`in/x/${n}.csv`, `content ${n}`);
    store.misbehave(3);
    const inputs = await openInputStorage(place('in'), outside);
    const local = await inputs.fetch('x', folder.path, outside.signal);
    for (let n = 0; n < 20; n += 1)
      expect(readFileSync(join(local, `${n}.csv`), 'utf8')).toBe(`content ${n}`);
    expect(waits.length).toBeGreaterThan(5);
  });

  it('a store that never answers ends the job with what to know; keys that are refused are not tried again', async () => {
    put('in/x.csv', 'a');
    store.misbehave(1);
    const inputs = await openInputStorage(place('in'), outside);
    await expect(inputs.fetch('x.csv', folder.path, outside.signal)).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect(waits).toHaveLength(7);
    store.misbehave(0);
    waits.length = 0;
    const wrong = await openInputStorage(place('in', { secretKeyEnv: 'LONGSHORE_S3_ACCESS_KEY' }), outside);
    await expect(wrong.fetch('x.csv', folder.path, outside.signal)).rejects.toThrow(
      '403 SignatureDoesNotMatch',
    );
    expect(waits).toHaveLength(0);
    await expect(openInputStorage(place('in', { secretKeyEnv: 'NOT_SET' }), outside)).rejects.toThrow(
      'NOT_SET is not set',
    );
  });
});

describe('exports in a bucket', () => {
  const delivery = { folder: 'acme/nightly', name: '2026-01-31', run: 'run-1', token: '7' };

  function exported(run: string): string {
    const local = join(folder.path, run);
    mkdirSync(local);
    writeFileSync(join(local, 'contacts.csv'), 'id\n1\n');
    writeFileSync(join(local, 'manifest.json'), JSON.stringify({ run }));
    return local;
  }

  it('are complete with their manifest, which comes last', async () => {
    const outputs = await openOutputStorage(place('out'), outside);
    const local = exported('run-1');
    expect(await outputs.freeName('acme/nightly', '2026-01-31')).toBe('2026-01-31');
    await outputs.bring(delivery, local);
    expect([...store.objects.keys()]).toEqual(['out/acme/nightly/2026-01-31/contacts.csv']);
    store.misbehave(2);
    await outputs.publish(delivery, local);
    // The answer may have been lost: it is the same one.
    await outputs.publish(delivery, local);
    store.misbehave(0);
    expect(store.objects.get('out/acme/nightly/2026-01-31/manifest.json')?.toString()).toBe(
      '{"run":"run-1"}',
    );
    expect(await outputs.settle(delivery)).toBe(true);
    expect(await outputs.freeName('acme/nightly', '2026-01-31')).toBe('2026-01-31-2');
    expect(outputs.nameOf(delivery)).toBe('s3://acme/out/acme/nightly/2026-01-31');
  });

  it('one that was given up never appears, however late its last object comes', async () => {
    const outputs = await openOutputStorage(place('out'), outside);
    const local = exported('run-1');
    await outputs.bring(delivery, local);
    expect(await outputs.settle(delivery)).toBe(false);
    await expect(outputs.publish(delivery, local)).rejects.toThrow('was given up');
    expect(await outputs.settle(delivery)).toBe(false);
    // What says so stays; the files are gone, and the next one takes another name.
    expect([...store.objects.keys()]).toEqual(['out/acme/nightly/2026-01-31/manifest.json']);
    expect(await outputs.freeName('acme/nightly', '2026-01-31')).toBe('2026-01-31-2');
  });
});
