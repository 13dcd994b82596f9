import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storePlanDiff } from '../../src/app/plan/diff.ts';
import { summarisePlanFile } from '../../src/app/plan/summary.ts';
import { routes } from '../../src/studio/wire/routes.ts';
import { planOfMany } from '../app/plan/many-rows.ts';
import { atSite } from '../cli/site.ts';
import { atStudio, projectOfTest } from './at-studio.ts';
import { ended, studioOf } from './studio-of-site.ts';

const pipeline = 'pipeline.yaml';

it('a plan made in a terminal is shown as the command shows it, imported exactly, and out of date then', () =>
  atSite({ rows: 6 }, async (site) => {
    const out = join(site.folder, 'kept/of/plan.db');
    const env = { LONGSHORE_BASE_URL: site.sandbox.baseUrl };
    const file = site.people.pipeline;
    const made = await site.longshore(['plan', file, '--out', out, '--json'], { env });
    expect(made).toMatchObject({ code: 0 });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const { samples, ...summary } = JSON.parse(made.stdout);
    const { client } = await studioOf(site);
    const [kept] = await client.hear('watchPlans', { pipeline }, () => true);
    expect(kept).toEqual({
      out: 'work/plans/pipeline.db',
      plans: [{ path: 'kept/of/plan.db', target: site.sandbox.baseUrl, madeAt: summary.madeAt }],
    });

    const asked = { pipeline, path: 'kept/of/plan.db' };
    const shown = await client.call('plan', asked);
    expect(shown.summary).toEqual(summary);
    expect(shown.guard).toEqual([]);
    expect(shown.command).toEqual({ command: 'import', pipeline, plan: 'kept/of/plan.db' });
    expect(await client.call('planState', asked)).toEqual({ outOfDate: null });
    const { path } = asked;
    const page = await client.call('planLines', { path, filter: {}, from: 0, count: 100 });
    expect(page).toMatchObject({ isDone: true, found: page.lines.length });
    expect(page.found).toBe(shown.sorts.reduce((sum, { lines }) => sum + lines, 0));
    for (const sample of samples)
      expect(await client.call('planRow', { path, seq: sample.seq })).toEqual(sample);

    const { id } = await client.call('startProcess', { command: shown.command, token: site.token });
    expect(await ended(client, id)).toMatchObject({ exitCode: 0 });
    site.expectExact();
    expect(await client.call('planState', asked)).toEqual({
      outOfDate: 'another import has run since it was made',
    });
    appendFileSync(join(site.folder, 'people.csv'), 'one more\n');
    expect((await client.call('planState', asked)).outOfDate).toBe('the input has changed since it was made');
  }));

it('a plan of all rows, also unchanged ones, is imported by the command of the page', () =>
  atSite({ rows: 2 }, async (site) => {
    const out = join(site.folder, 'plan.db');
    const env = { LONGSHORE_BASE_URL: site.sandbox.baseUrl };
    const made = await site.longshore(['plan', site.people.pipeline, '--full', '--out', out, '--json'], {
      env,
    });
    expect(made).toMatchObject({ code: 0 });
    const { client } = await studioOf(site);
    const { command } = await client.call('plan', { pipeline, path: 'plan.db' });
    const { id } = await client.call('startProcess', { command, token: site.token });
    expect(await ended(client, id)).toMatchObject({ exitCode: 0 });
    site.expectExact();
  }));

it('a rehearsal shows what became of the contacts, and a plan of the page is kept in the work dir', () =>
  atSite({ rows: 3 }, async (site) => {
    const { client } = await studioOf(site);
    const { token } = site;
    const rehearse = { command: 'rehearse', pipeline, sample: 2 } as const;
    const { id } = await client.call('startProcess', { command: rehearse, token });
    expect(await ended(client, id)).toMatchObject({ exitCode: 0 });
    const { found } = await client.call('rehearsal', { id });
    expect(found?.rows.read).toBe(3);
    expect(found?.samples).toHaveLength(2);
    expect(found?.samples[0]?.values.length).toBeGreaterThan(0);

    const plan = { command: 'plan', pipeline, out: 'work/plans/pipeline.db' } as const;
    expect(await ended(client, (await client.call('startProcess', { command: plan })).id)).toMatchObject({
      exitCode: 0,
    });
    const [kept] = await client.hear('watchPlans', { pipeline }, () => true);
    expect(kept?.plans.map(({ path }) => path)).toEqual([plan.out]);
    expect(existsSync(join(site.workDir, 'plans/pipeline.db'))).toBe(true);
  }));

/** A studio in whose project there is a plan of so many rows for the pipeline `many`. */
async function atPlanOfMany(rows: number, guard = '') {
  const folder = projectOfTest();
  mkdirSync(join(folder, 'mappings'));
  writeFileSync(
    join(folder, 'pipelines/many.yaml'),
    `pipeline: many\nimport:\n  source: { format: csv, path: ../many.csv }\n  mapping: ../mappings/many.yaml\n  workspace: { baseUrl: https://api.example.test/v1 }\n${guard}`,
  );
  const file = planOfMany(join(folder, 'many.db'), rows);
  onTestFinished(() => void file.close());
  await storePlanDiff(file, summarisePlanFile(file, { perPath: 5, concurrency: 1, latencies: new Map() }));
  file.close();
  return await atStudio({ folder });
}

describe('a plan of many rows', () => {
  const asked = { pipeline: 'pipelines/many.yaml', path: 'many.db' };
  const { path } = asked;

  it('is paged by what is in sight, with every filter', async () => {
    const { call } = await atPlanOfMany(20_000);
    const { sorts } = await call('plan', asked);
    const all = sorts.reduce((sum, { lines }) => sum + lines, 0);
    const last = await call('planLines', { path, filter: {}, from: all - 2, count: 100 });
    expect(last.lines.map(({ seq }) => seq)).toEqual([19_998, 19_999]);
    const page = { path, from: 3_998, count: 100 };
    const cleared = await call('planLines', { ...page, filter: { kind: 'cleared' } });
    expect(cleared).toMatchObject({ found: 4_000, isDone: true });
    expect(cleared.lines.map(({ new: after }) => after)).toEqual(['', '']);
    const named = await call('planLines', {
      ...page,
      from: 0,
      filter: { text: 'muller-1999', outcome: 'updated' },
    });
    expect(named.lines.map(({ key }) => key)).toEqual([
      'K-19990',
      'K-19991',
      'K-19992',
      'K-19993',
      'K-19994',
      'K-19995',
    ]);
  });

  it('says what its guard would stop', async () => {
    const { call } = await atPlanOfMany(100, '  guard: { creates: 10, updates: 70%, clears: 20 }\n');
    const { guard } = await call('plan', asked);
    expect(guard.map(({ name, planned, allowed, isOver }) => [name, planned, allowed, isOver])).toEqual([
      ['creates', 20, '10', true],
      ['updates', 60, '70% of 100 rows', false],
      ['clears', 20, '20', false],
    ]);
  });

  it('that is none, or was kept by an older version, says so', async () => {
    const { send, folder } = await atPlanOfMany(10);
    writeFileSync(join(folder, 'other.db'), 'no plan');
    planOfMany(join(folder, 'old.db'), 1).close();
    for (const [name, words] of [
      ['other.db', 'not a plan'],
      ['old.db', 'older version'],
      ['none.db', 'There is no'],
    ] as const) {
      const response = await send(routes.plan, { ...asked, path: name });
      expect([404, 422], name).toContain(response.status);
      expect((await response.json()).message).toContain(words);
    }
    const old = await send(routes.planLines, { path: 'old.db', filter: {}, from: 0, count: 1 });
    expect(old.status).toBe(422);
  });
});
