import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findDifferingSettingsGroup, matchesAppliedAssignment } from '../../src/fleet/apply/as-applied.ts';
import { toSharedSettingsRow } from '../../src/fleet/apply/plan.ts';
import { loadFleet } from '../../src/fleet/fleet-file/load.ts';
import { reloadFleetIfChanged } from '../../src/fleet/worker/worker.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { applied, fleetSite } from './site.ts';

const site = fleetSite();

const mapping = `mapping: people
identify: [email]
contact: { firstName: { from: Name }, email: { from: Email } }
`;
const pipeline = (path: string) =>
  `pipeline: load\nimport: { source: { format: csv, path: ${path} }, mapping: mapping.yaml }\n`;
const fleetFile = (settings: object, file = 'pipeline.yaml') =>
  JSON.stringify({
    fleet: 'tests',
    workspaces: { acme: { baseUrl: 'https://api.example.com/v1', tokenEnv: 'LONGSHORE_TOKEN' } },
    pipelines: { load: { file, schedule: { cron: '0 2 * * *', timezone: 'UTC' }, ...settings } },
  });

type Files = Readonly<Record<string, string>>;
const usual: Files = {
  'fleet.yaml': fleetFile({}),
  'pipeline.yaml': pipeline('people.csv'),
  'mapping.yaml': mapping,
};

/** A machine with the files of a fleet in a folder of its own. */
function machine(files: Files = usual) {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const put = (more: Files) => {
    for (const [name, text] of Object.entries(more)) writeFileSync(join(folder.path, name), text);
  };
  put(files);
  return {
    folder: folder.path,
    put,
    remove: (name: string) => rmSync(join(folder.path, name)),
    fleet: () => loadFleet(join(folder.path, 'fleet.yaml')),
  };
}

async function agrees({ fleet }: Pick<ReturnType<typeof machine>, 'fleet'>): Promise<boolean> {
  const own = await fleet();
  const [[workspace], [assigned]] = [own.workspaces, own.assignments];
  if (workspace === undefined || assigned === undefined) throw new Error('the fleet has no job');
  return await matchesAppliedAssignment(site.pool, own, workspace, assigned);
}

async function applyFrom(files: Files): Promise<void> {
  await applied(site, await machine(files).fleet(), '2026-01-01T00:00:00Z');
}

it('a worker with the same files in another folder agrees with the applied ones', async () => {
  await applyFrom(usual);
  expect(await agrees(machine())).toBe(true);
});

it.each<[string, Files]>([
  ['pipeline', { 'pipeline.yaml': pipeline('others.csv') }],
  ['mapping', { 'mapping.yaml': mapping.replace('from: Name', 'from: Given') }],
  ['rule for a changed input', { 'fleet.yaml': fleetFile({ onChangedInput: 'wait' }) }],
  ['time for its input', { 'fleet.yaml': fleetFile({ inputBy: '04:00' }) }],
  ['pipeline file', { 'fleet.yaml': fleetFile({}, 'other.yaml'), 'other.yaml': pipeline('people.csv') }],
])('a worker with another %s does not', async (_what, files) => {
  await applyFrom(usual);
  expect(await agrees(machine({ ...usual, ...files }))).toBe(false);
  await applyFrom({ ...usual, ...files });
  expect(await agrees(machine({ ...usual, ...files }))).toBe(true);
});

it('looks at the files as they are now, and reads them again where one has changed', async () => {
  await applyFrom(usual);
  const here = machine();
  const before = await here.fleet();
  expect((await reloadFleetIfChanged(before)).fleet).toBe(before);
  const newer = { 'mapping.yaml': mapping.replace('from: Name', 'from: Given') };
  here.put(newer);
  expect(await agrees({ fleet: () => Promise.resolve(before) })).toBe(false);
  const after = (await reloadFleetIfChanged(before)).fleet;
  expect(after).not.toBe(before);
  await applyFrom({ ...usual, ...newer });
  expect(await agrees({ fleet: async () => after ?? before })).toBe(true);
  here.remove('mapping.yaml');
  expect(await agrees({ fleet: async () => after ?? before })).toBe(false);
  expect((await reloadFleetIfChanged(after ?? before)).mistake).toContain('cannot be used');
});

it('agrees with what a version without contents has applied, and with a pipeline outside of the folder', async () => {
  const outside = machine({ 'pipeline.yaml': pipeline('people.csv'), 'mapping.yaml': mapping });
  await applyFrom({ 'fleet.yaml': fleetFile({}, join(outside.folder, 'pipeline.yaml')) });
  const elsewhere = machine({ 'pipeline.yaml': pipeline('people.csv'), 'mapping.yaml': mapping });
  const own = machine({ 'fleet.yaml': fleetFile({}, join(elsewhere.folder, 'pipeline.yaml')) });
  expect(await agrees(own)).toBe(true);
  await site.pool.query(`UPDATE longshore.assignment SET settings = settings - 'contents'`);
  elsewhere.put({ 'pipeline.yaml': pipeline('others.csv') });
  expect(await agrees(own)).toBe(true);
});

const settings = (more: object) =>
  machine({ ...usual, 'fleet.yaml': JSON.stringify({ ...JSON.parse(fleetFile({})), ...more }) }).fleet();
const results = { results: '/mnt/results' };
const alertsTo = (host: string) => ({ url: `https://${host}.example.com`, on: ['failure'] });

it.each([
  ['the same', { places: results }, { places: results }, undefined],
  ['another place', { places: results }, { places: { results: '/mnt/others' } }, 'places'],
  ['fewer results kept', { places: results }, { places: { ...results, keepResults: 3 } }, 'places'],
  ['alerts that go elsewhere', { alerts: alertsTo('a') }, { alerts: alertsTo('b') }, 'alerts'],
  ['no alerts', { alerts: alertsTo('a') }, {}, 'alerts'],
])('a fleet file with %s', async (_what, applied, own, expected) => {
  const row = toSharedSettingsRow(await settings(applied));
  expect(findDifferingSettingsGroup(row, await settings(own))).toBe(expected);
  expect(JSON.stringify(row)).not.toContain('example.com');
  // What an older version has applied says nothing of these two.
  const { keepResults: _kept, alerts: _alerts, ...older } = row;
  expect(findDifferingSettingsGroup(older, await settings(applied))).toBeUndefined();
});
