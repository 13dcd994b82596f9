import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createFolderInputStorage,
  createFolderOutputStorage,
} from '../../../src/fleet/places/shared-folder.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const manifestOf = (run: string, startedAt: string) => ({
  ...{ pipeline: 'nightly', workspace: 'https://api.example.com/v1', run, version: '0', startedAt },
  ...{
    finishedAt: startedAt,
    filter: [],
    search: null,
    timezone: 'UTC',
    full: true,
    follows: null,
    files: [],
  },
  ...{
    messageSpan: null,
    counts: {},
    movedWhileReading: 0,
    goneWhileReading: 0,
    unreadable: [],
    cannotKnow: [],
  },
});

function exported(run: string, startedAt = '2026-01-31T02:00:00Z'): string {
  const local = join(folder.path, 'local', run);
  mkdirSync(local, { recursive: true });
  writeFileSync(join(local, 'contacts.csv'), 'id\n1\n');
  writeFileSync(join(local, 'manifest.json'), JSON.stringify(manifestOf(run, startedAt)));
  return local;
}

const delivery = (n: number) => ({ folder: 'acme', name: `2026-01-3${n}`, run: `run-${n}`, token: '7' });

it('inputs are read where they are', async () => {
  expect(
    await createFolderInputStorage('/srv/in').fetch(
      'acme/people.csv',
      '/nowhere',
      AbortSignal.timeout(1_000),
    ),
  ).toBe('/srv/in/acme/people.csv');
});

it('an export appears in one step, with `latest` and `keep` as in any folder', async () => {
  const root = join(folder.path, 'out');
  const outputs = createFolderOutputStorage(root);
  for (const n of [0, 1]) {
    const local = exported(`run-${n}`, `2026-01-3${n}T02:00:00Z`);
    await outputs.bring(delivery(n), local);
    expect(existsSync(outputs.nameOf(delivery(n)))).toBe(false);
    await outputs.publish(delivery(n), local);
    expect(readFileSync(join(root, `acme/2026-01-3${n}/contacts.csv`), 'utf8')).toBe('id\n1\n');
    expect(await outputs.settle(delivery(n))).toBe(true);
  }
  expect(await outputs.freeName('acme', '2026-01-31')).toBe('2026-01-31-2');
  expect(await outputs.tidy(delivery(1), 1)).toEqual(['Removed (keep: 1): 2026-01-30.']);
  expect(realpathSync(join(root, 'acme/latest'))).toBe(realpathSync(join(root, 'acme/2026-01-31')));
  expect(readdirSync(join(root, 'acme')).sort()).toEqual(['2026-01-31', 'latest']);
});

it('a holder that was stopped before its rename finds nothing to rename once another one has settled', async () => {
  const outputs = createFolderOutputStorage(join(folder.path, 'out'));
  const local = exported('run-0');
  await outputs.bring(delivery(0), local);
  expect(await outputs.settle(delivery(0))).toBe(false);
  // The next holder exports again, under its own token, before the first one goes on.
  const again = { ...delivery(0), token: '8' };
  await outputs.bring(again, local);
  await expect(outputs.publish(delivery(0), local)).rejects.toThrow('ENOENT');
  await outputs.publish(again, local);
  expect(await outputs.settle(again)).toBe(true);
  expect(readdirSync(join(folder.path, 'out/acme'))).toEqual(['2026-01-30']);
});
