import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Manifest } from '../../src/app/export/folder/manifest.ts';
import { buildSyncStateFolderPath, buildSyncStatePath } from '../../src/app/export/sync-state/sync-state.ts';
import {
  createExportDeliverer,
  type DeliveryContext,
  settleDeliveries,
} from '../../src/fleet/job/deliveries.ts';
import { tryTakeLease } from '../../src/fleet/lease/lease.ts';
import type { OutputStorage } from '../../src/fleet/places/place.ts';
import { createFolderOutputStorage } from '../../src/fleet/places/shared-folder.ts';
import { beginRun, openJournalDatabase, type RunRecord, registerWorkspace } from '../../src/journal/index.ts';
import { loadExportPipeline } from '../../src/pipeline/index.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type FleetDatabase, fleetDatabase, newKey } from './fleet-database.ts';

const baseUrl = 'https://api.example.com/v1';
const times = { leaseMs: 3_600_000, settleMs: 60_000 };
const key = newKey();
const folder = temporaryFolder();
let database: FleetDatabase;
let tests = 0;
let workspace = '';

beforeAll(async () => {
  database = await fleetDatabase();
});
afterAll(async () => {
  await database.remove();
  folder.remove();
});
beforeEach(() => {
  tests += 1;
  workspace = `acme-${tests}`;
});

/** A holder of the workspace on a machine of its own, whoever held it before. */
async function holder(machine: string, outputs: (place: OutputStorage) => OutputStorage = (place) => place) {
  await database.pool.query('UPDATE longshore.holder SET released = true WHERE workspace = $1', [workspace]);
  const lease = await tryTakeLease(database.pool, workspace, machine, times, { clock: systemClock });
  if (lease === undefined) throw new Error('the lease is held');
  const workDir = join(folder.path, workspace, machine);
  mkdirSync(workDir, { recursive: true });
  const file = join(workDir, 'nightly.yaml');
  writeFileSync(
    file,
    JSON.stringify({ pipeline: 'nightly', export: { to: 'x/{date}', contacts: { format: 'csv' } } }),
  );
  const notes: string[] = [];
  const delivering: DeliveryContext = {
    ...{ pool: database.pool, workspace, pipeline: 'nightly', token: lease.token, key, to: 'acme/{date}' },
    ...{ workDir, leaseMs: times.leaseMs, place: baseUrl, clock: systemClock },
    outputs: outputs(createFolderOutputStorage(join(folder.path, workspace, 'out'))),
    settings: await loadExportPipeline(file),
    leave: { assertHeld: () => undefined },
    ship: () => Promise.resolve(),
    note: (text) => notes.push(text),
  };
  return { delivering, notes, workDir };
}

type Held = Awaited<ReturnType<typeof holder>>;

/** A run of the journal and what it has exported, complete on its machine. */
function exported({ workDir, delivering }: Held, content: string) {
  const file = openJournalDatabase(workDir);
  const run = beginRun(
    file,
    {
      ...{
        kind: 'export',
        pipeline: 'nightly',
        file: 'nightly.yaml',
        target: baseUrl,
        mapping: '',
        memory: '',
      },
      ...{ input: 'x', inputName: 'x', items: 0, selection: { kind: 'all' }, full: false },
      workspace: registerWorkspace(file, { place: baseUrl, users: [1], fields: [] }),
    },
    systemClock,
  );
  file.close();
  const local = join(workDir, 'delivery', run.id);
  mkdirSync(local, { recursive: true });
  const manifest = manifestOf(run);
  writeFileSync(join(local, 'messages.ndjson'), content);
  writeFileSync(join(local, 'manifest.json'), JSON.stringify(manifest));
  const syncState = buildSyncStatePath(buildSyncStateFolderPath(workDir, 'nightly', baseUrl), run.id);
  mkdirSync(join(syncState, '..'), { recursive: true });
  writeFileSync(syncState, `what ${run.id} knew of ada@example.com`);
  return {
    run,
    deliver: () => createExportDeliverer(delivering)(run, { folder: local, manifest }, syncState),
  };
}

function manifestOf({ id, startedAt }: RunRecord): Manifest {
  const at = new Date(startedAt).toISOString();
  return {
    ...{
      pipeline: 'nightly',
      workspace: baseUrl,
      run: id,
      version: '0',
      startedAt: at,
      finishedAt: at,
      filter: [],
    },
    ...{
      search: null,
      timezone: 'UTC',
      full: true,
      follows: null,
      files: [],
      messageSpan: null,
      counts: { messages: 1 },
    },
    ...{ movedWhileReading: 0, goneWhileReading: 0, unreadable: [], cannotKnow: [] },
  };
}

/** What a reader finds in the place: complete exports, by their messages. */
function inPlace(): string[] {
  const place = join(folder.path, workspace, 'out/acme');
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter(
      (name) => name !== 'latest' && existsSync(join(place, name, 'manifest.json')) && !name.startsWith('.'),
    )
    .map((name) => readFileSync(join(place, name, 'messages.ndjson'), 'utf8'));
}

async function stored(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'SELECT run, complete FROM longshore.delivery WHERE workspace = $1',
    [workspace],
  );
  return rows;
}

const broken = (what: Partial<OutputStorage>) => (place: OutputStorage) => ({ ...place, ...what });
const died = () => Promise.reject(new Error('the machine died'));

it('another machine gets what the next export needs to know, encrypted until then', async () => {
  const one = await holder('one');
  const { run, deliver } = exported(one, 'm1');
  await deliver();
  expect(inPlace()).toEqual(['m1']);
  const { rows } = await database.pool.query<{ bytes: Buffer }>(
    'SELECT bytes FROM longshore.sync_state WHERE workspace = $1',
    [workspace],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.bytes.includes('ada@example.com')).toBe(false);
  const two = await holder('two');
  await settleDeliveries(two.delivering);
  const restored = buildSyncStatePath(buildSyncStateFolderPath(two.workDir, 'nightly', baseUrl), run.id);
  expect(readFileSync(restored, 'utf8')).toBe(`what ${run.id} knew of ada@example.com`);
});

it('a machine that died right after its export appeared has delivered it: the next one finishes its run', async () => {
  const one = await holder('one', (place) => ({
    ...place,
    publish: (...of) => place.publish(...of).then(died),
  }));
  const { run, deliver } = exported(one, 'm1');
  await expect(deliver()).rejects.toThrow('died');
  expect(inPlace()).toEqual(['m1']);
  expect(await stored()).toEqual([{ run: run.id, complete: false }]);
  // Its journal as it was shipped, on a machine of its own.
  const two = await holder('one');
  rmSync(join(two.workDir, 'exports'), { recursive: true });
  await settleDeliveries(two.delivering);
  expect(await stored()).toEqual([{ run: run.id, complete: true }]);
  const file = openJournalDatabase(two.workDir);
  const { rows } = { rows: file.prepare('SELECT state, counts FROM run').all() };
  file.close();
  expect(rows).toEqual([{ state: 'finished', counts: '{"messages":1}' }]);
  expect(
    existsSync(buildSyncStatePath(buildSyncStateFolderPath(two.workDir, 'nightly', baseUrl), run.id)),
  ).toBe(true);
});

it('a machine that died before its export appeared has delivered nothing', async () => {
  const one = await holder('one', broken({ publish: died }));
  const { deliver } = exported(one, 'm1');
  await expect(deliver()).rejects.toThrow('died');
  const two = await holder('two');
  await settleDeliveries(two.delivering);
  expect(await stored()).toEqual([]);
  expect(readdirSync(join(folder.path, workspace, 'out/acme'))).toEqual([]);
  const again = exported(two, 'm1 again');
  await again.deliver();
  expect(inPlace()).toEqual(['m1 again']);
});

it('whoever lost the lease delivers nothing, wherever it was stopped', async () => {
  const one = await holder('one');
  const first = exported(one, 'm1');
  const two = await holder('two');
  await expect(first.deliver()).rejects.toThrow('lost its lease');
  expect(await stored()).toEqual([]);
  // Stopped after it had brought its files, and continued when the next one had settled.
  let goOn = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let hasBrought = (): void => undefined;
  const brought = new Promise<void>((resolve) => {
    hasBrought = resolve;
  });
  const three = await holder('three', (place) => ({
    ...place,
    bring: async (...of) => {
      await place.bring(...of);
      hasBrought();
      await stopped;
    },
  }));
  const late = exported(three, 'late').deliver();
  await brought;
  expect(await stored()).toHaveLength(1);
  const four = await holder('four');
  await settleDeliveries(four.delivering);
  await exported(four, 'm1').deliver();
  goOn();
  await expect(late).rejects.toThrow('lost its lease');
  expect(inPlace()).toEqual(['m1']);
  expect(two.notes).toEqual([]);
});

it('a run that is delivered twice is there once', async () => {
  const one = await holder('one');
  const { deliver } = exported(one, 'm1');
  const first = await deliver();
  expect(await deliver()).toEqual(first);
  expect(inPlace()).toEqual(['m1']);
});
