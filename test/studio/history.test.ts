import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  countOpenRowsOfImport,
  findImportOfRun,
  listEarlierImports,
  listLaterRuns,
} from '../../src/studio/wire/later-runs.ts';
import { routes } from '../../src/studio/wire/routes.ts';
import type { RunListEntry } from '../../src/studio/wire/runs.ts';
import { atSite, type Site } from '../cli/site.ts';
import { atReceiver } from '../notify/receiver.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { atStudio, projectOfTest } from './at-studio.ts';
import { nightsAgo } from './nights-ago.ts';

const nightly = (to: string, hook: string) => `pipeline: nightly
export:
  to: ${to}
  contacts: { format: csv }
  messages: { format: ndjson, incremental: true }
  expect: { contacts: { min: 2 } }
  notify: { url: '${hook}', on: [failure] }
`;

async function exported(site: Site, ...flags: readonly string[]) {
  return await exportedBy('nightly.yaml', site, ...flags);
}

async function exportedBy(name: string, site: Site, ...flags: readonly string[]) {
  const file = join(site.folder, 'pipelines', name);
  return await site.longshore(['export', file, '--workspace', site.sandbox.baseUrl, '--json', ...flags]);
}

it('a project that has run nothing has an empty history', async () => {
  const { call } = await atStudio({ folder: projectOfTest() });
  expect(await call('history', {})).toEqual({ runs: [], more: false, failing: [], late: [] });
  expect(await call('exportPipelines', {})).toEqual({ pipelines: [] });
  expect(await call('nights', { pipeline: 'nightly' })).toEqual({ nights: [] });
});

it('exports are listed with their sizes; what is outside of the project, or was replaced, has none', () =>
  atReceiver(({ url: hook }) =>
    atSite({ rows: 8 }, async (site) => {
      const outside = temporaryFolder();
      mkdirSync(join(site.folder, 'pipelines'));
      const file = join(site.folder, 'pipelines/nightly.yaml');
      writeFileSync(file, nightly('../exports/{date}', hook));
      writeFileSync(join(site.folder, 'pipelines/broken.yaml'), 'pipeline: broken\nexport: { too: x }\n');
      const { run } = JSON.parse((await exported(site)).stdout);
      writeFileSync(file, nightly(join(outside.path, '{date}'), hook));
      const away = JSON.parse((await exported(site)).stdout).run;
      writeFileSync(file, nightly('../exports/{date}', hook).replace('min: 2', 'min: 999'));
      const short = await exported(site, '--fresh');
      expect(short.code).toBe(4);

      const { call, warnings } = await atStudio({ folder: site.folder, workDir: site.workDir });
      const { nights } = await call('nights', { pipeline: 'nightly' });
      expect(nights).toMatchObject([
        { state: 'stopped', exitCode: 4, bytes: null, folder: null, counts: null },
        { run: away, state: 'finished', bytes: null, folder: null, counts: { contacts: 2 } },
        { run, state: 'finished', full: true, bytes: expect.any(Number), counts: { contacts: 2 } },
      ]);
      expect(nights[0]?.message).toContain('expected at least 999');
      expect(nights[2]?.folder).toMatch(/^exports\/\d{4}-\d\d-\d\d$/);
      expect(nights[2]?.bytes).toBeGreaterThan(0);

      const { pipelines } = await call('exportPipelines', {});
      expect(pipelines).toMatchObject([
        { path: 'pipelines/broken.yaml', pipeline: null, what: [], lastRun: null },
        {
          pipeline: 'nightly',
          problem: null,
          what: ['contacts (csv)', 'messages (ndjson, incremental)'],
          to: 'exports/{date}',
          failing: { failures: 1, exitCode: 4 },
          lastRun: { state: 'stopped' },
        },
      ]);
      expect(pipelines[0]?.problem).toContain('too');
      expect((await call('history', {})).failing).toMatchObject([{ pipeline: 'nightly', failures: 1 }]);

      renameSync(join(site.folder, nights[2]?.folder ?? ''), join(site.folder, 'moved'));
      const later = await call('nights', { pipeline: 'nightly' });
      expect(later.nights[2]).toMatchObject({ run, bytes: null, folder: null, counts: { contacts: 2 } });
      expect(warnings).toEqual([]);
      outside.remove();
    }),
  ));

it('a run has its report and the files of its folder; its status says how fast it was when', () =>
  atSite({ rows: 4 }, async (site) => {
    const { run } = JSON.parse((await site.import()).stdout);
    const { call, send } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const { files } = await call('runFiles', { run });
    expect(files.map(({ path }) => path)).toContain(`work/runs/${run}/summary.json`);
    const report = await send(routes.runFile, { run, name: 'report.html' });
    expect(await report.text()).toMatch(/^<!doctype html>/i);
    expect(report.headers.get('content-disposition')).toBe('attachment');
    for (const name of ['none.csv', '..', '../../journal.db'])
      expect((await send(routes.runFile, { run, name })).status, name).toBe(404);
    const status = await call('status', { run });
    expect(status.speed).toMatchObject({ limitPerSecond: 5 });
    expect(status.pace.length).toBeGreaterThan(0);
    expect((await call('history', {})).runs).toMatchObject([{ run, state: 'finished' }]);
  }));

it('the rows of a run are listed by what was done, each with its contact', () =>
  atSite({ rows: 4 }, async (site) => {
    const { run } = JSON.parse((await site.import('--limit', '3')).stdout);
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const { rows, next } = await call('runRows', { run });
    expect(next).toBe(null);
    expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'created'],
      [3, 'created'],
      [4, 'created'],
    ]);
    expect(rows[0]).toMatchObject({ key: '0', identifier: 'person0@example.com', reasons: [] });
    expect((await call('runRows', { run, after: '1' })).rows).toHaveLength(1);
    expect((await call('runRows', { run, outcome: 'updated' })).rows).toEqual([]);
    expect((await call('history', {})).runs).toMatchObject([{ state: 'stopped', exitCode: 0, rows: 4 }]);
  }));

it('the progress of an import has the last verification, also of a terminal, and its undo', () =>
  atSite({ rows: 4 }, async (site) => {
    const { run } = JSON.parse((await site.import()).stdout);
    const { call, hear } = await atStudio({ folder: site.folder, workDir: site.workDir });
    expect(await call('runVerification', { run })).toEqual({ found: null });
    const progress = async () => {
      const [first] = await hear('watchActivity', { pipeline: 'pipeline.yaml' }, () => true);
      return first?.progress;
    };
    expect(await progress()).toMatchObject({ run: { run }, verification: null, isUndone: false });
    await site.longshore(['verify', run]);
    expect((await call('runVerification', { run })).found).toMatchObject({ run, exitCode: 0, fields: [] });
    await site.longshore(['undo', run, '--yes']);
    expect(await progress()).toMatchObject({ run: { run }, verification: 'asWritten', isUndone: true });
  }));

it('an import is partly checked as long as a later run of it is not', () =>
  atSite({ rows: 4 }, async (site) => {
    const people = join(site.folder, 'people.csv');
    const text = readFileSync(people, 'utf8');
    writeFileSync(people, text.replace('person1@example.com', 'person1'));
    const { run } = JSON.parse((await site.import()).stdout);
    const { hear } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const verification = async () => {
      const [event] = await hear('watchActivity', { pipeline: 'pipeline.yaml' }, () => true);
      return event?.progress?.verification;
    };
    writeFileSync(people, text);
    const retry = JSON.parse((await site.longshore(['retry', run, '--json'])).stdout);
    expect(await verification()).toBe(null);
    await site.longshore(['verify', run]);
    expect(await verification()).toBe('partly');
    await site.longshore(['verify', retry.run]);
    expect(await verification()).toBe('asWritten');
  }));

it('a check counts the comments that cannot be read back, and not the contacts that have any', () =>
  atSite({ rows: 2 }, async (site) => {
    const mapping = join(site.folder, 'mapping.yaml');
    const comments = 'comments: [{ name: one, text: "One {ID}" }, { name: two, text: "Two {ID}" }]';
    writeFileSync(mapping, `${readFileSync(mapping, 'utf8')}${comments}\n`);
    const { run } = JSON.parse((await site.import()).stdout);
    await site.longshore(['verify', run]);
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const { found } = await call('runVerification', { run });
    expect(found?.cannotVerify.comments).toBe(4);
    expect(found?.fields).toMatchObject([{ field: 'comments', n: 4 }]);
  }));

it('a check without a difference, in which something is not there yet, is incomplete', () =>
  atSite({ rows: 4 }, async (site) => {
    const { run } = JSON.parse((await site.import()).stdout);
    await site.longshore(['verify', run]);
    const { hear } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const path = join(site.workDir, 'runs', run, 'verification.json');
    const found = JSON.parse(readFileSync(path, 'utf8'));
    const resultWith = async (contacts: object) => {
      const changed = { ...found, exitCode: 3, contacts: { ...found.contacts, ...contacts } };
      writeFileSync(path, JSON.stringify(changed));
      const [event] = await hear('watchActivity', { pipeline: 'pipeline.yaml' }, () => true);
      return event?.progress?.verification;
    };
    expect(await resultWith({ matched: 3, notYet: 1 })).toBe('incomplete');
    expect(await resultWith({ matched: 2, notYet: 1, different: 1 })).toBe('different');
    expect(await resultWith({ matched: 3, missing: 1 })).toBe('different');
  }));

it('the later runs of an import are its retries, and what answers and deferred steps sent until the next import', () => {
  const all = { kind: 'all' } as const;
  const retryOf = (run: string) => ({ kind: 'retry', run, states: [], resend: false }) as const;
  const entry = (run: string, selection: RunListEntry['selection'], pipeline = 'crm'): RunListEntry => ({
    ...{ run, selection, pipeline, kind: 'import', input: 'crm.csv', workspace: 'sandbox', startedAt: run },
    ...{ rows: 1, open: 0, counts: null, folder: null, seconds: 1, exitCode: 0, prunedAt: null },
    state: 'finished',
  });
  const runs = [
    entry('7', retryOf('1')),
    entry('6', all),
    entry('5', { kind: 'deferred' }),
    entry('4', retryOf('3')),
    entry('3', retryOf('1')),
    entry('2', { kind: 'deferred' }, 'other'),
    entry('1', all),
  ];
  const later = (run: string) => listLaterRuns(runs, run).map((each) => each.run);
  expect(['1', '3', '4', '6', '8'].map(later)).toEqual([['3', '4', '5', '7'], ['4'], [], [], []]);
  const whole = (run: string) => findImportOfRun(runs, run);
  expect(['1', '4', '5', '6', '7', '8'].map(whole)).toEqual(['1', '1', '1', '6', '1', '8']);
});

it('the open rows of an import are its own and those of later answers; those of a retry are open rows of the run that it retried', () => {
  const entry = (run: string, open: number, selection: RunListEntry['selection']): RunListEntry => ({
    ...{ run, selection, open, pipeline: 'crm', kind: 'import', input: 'crm.csv', workspace: 'sandbox' },
    ...{ startedAt: run, rows: 1, counts: null, folder: null, seconds: 1, exitCode: 0, prunedAt: null },
    state: 'finished',
  });
  const answers = { kind: 'approve', file: 'same-person.csv', fingerprint: '' } as const;
  const retry = { kind: 'retry', run: '1', resend: false } as const;
  const runs = [
    entry('4', 10, answers),
    entry('3', 14, answers),
    entry('2', 2, retry),
    entry('1', 4, { kind: 'all' }),
  ];
  expect(['1', '2', '3', '5'].map((run) => countOpenRowsOfImport(runs, run))).toEqual([28, 2, 14, 0]);
});

it('the earlier imports of a pipeline are those into the same workspace, with their later runs, but for undone ones', () => {
  const all = { kind: 'all' } as const;
  const entry = (run: string, about: Partial<RunListEntry> = {}): RunListEntry => ({
    ...{ run, selection: all, pipeline: 'crm', kind: 'import', input: 'crm.csv', workspace: 'sandbox' },
    ...{ startedAt: run, rows: 1, open: 0, counts: null, folder: null, seconds: 1, exitCode: 0 },
    ...{ prunedAt: null, state: 'finished', ...about },
  });
  const runs = [
    entry('7'),
    entry('6', { kind: 'undo', undo: { run: '5', conversations: false, deleteTags: false } }),
    entry('5'),
    entry('4', { workspace: 'https://example.com/v1' }),
    entry('3', { pipeline: 'other' }),
    entry('2', { selection: { kind: 'deferred' } }),
    entry('1'),
  ];
  const earlier = (run: string) => listEarlierImports(runs, run).map((each) => each.run);
  expect(['7', '5', '4', '2', '1', '8'].map(earlier)).toEqual([['1', '2'], ['1', '2'], [], [], [], []]);
});

it('exports that came every night and did not come again are late; those between are named', () =>
  atSite({ rows: 4 }, async (site) => {
    mkdirSync(join(site.folder, 'pipelines'));
    const file = join(site.folder, 'pipelines/nightly.yaml');
    const text = 'pipeline: nightly\nexport: { to: "../exports/{date}", contacts: { format: csv } }\n';
    // The file has another name since the second night.
    const earlier = join(site.folder, 'pipelines/earlier.yaml');
    writeFileSync(earlier, text);
    expect((await exportedBy('earlier.yaml', site)).code).toBe(0);
    renameSync(earlier, file);
    for (let night = 1; night < 6; night += 1) expect((await exported(site)).code).toBe(0);
    const { call } = await atStudio({ folder: site.folder, workDir: site.workDir });
    expect((await call('history', {})).late).toEqual([]);
    nightsAgo(site.workDir, [9, 8, 7, 6, 4, 3]);
    const { late } = await call('history', {});
    expect(late).toMatchObject([
      { pipeline: 'nightly', kind: 'export', rhythm: { everySeconds: 86_400, times: 6, late: 2 } },
    ]);
    const [found] = (await call('exportPipelines', {})).pipelines;
    expect(found?.rhythm).toEqual(late[0]?.rhythm);
    expect(found?.rhythm?.gaps).toMatchObject([{ missing: 1 }]);
    // Whose file is gone runs no more.
    rmSync(file);
    expect((await call('history', {})).late).toEqual([]);
  }));
