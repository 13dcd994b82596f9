import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { queuePipelinesNow } from '../../src/fleet/control/control.ts';
import { openJobQueue } from '../../src/fleet/queue/queue.ts';
import { run } from '../end-to-end/command.ts';
import { atFleet } from './fleet-site.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../docs/monitoring/${name}`, import.meta.url));
const files = ['alerts.yaml', 'dashboard.json'];

/** The names of metrics in a text. */
const namesIn = (text: string) => [...new Set(text.match(/longshore_(?:fleet|worker)_[a-z_]+/g))].sort();

it('the fleet is measured by every worker and by a command, and each name in the rules and the dashboard is there', () =>
  atFleet({ rows: 2 }, async (site) => {
    const machine = site.machine('first', '--port', '0');
    machine.start();
    const port = await machine.printed(/:(\d+)\/metrics/);
    await site.longshore('fleet', 'run', 'acme', 'load');
    await site.succeeded('load');
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      expect(answer.status).toBe(200);
      return await answer.text();
    };
    const ofFleet = await site.longshore('fleet', 'metrics');
    const all = [ofFleet, await get('/metrics')].join('\n');
    expect(ofFleet).toMatch(/^longshore_fleet_pipelines\{state="idle"\} 2$/m);
    expect(ofFleet).toMatch(/^longshore_fleet_workers\{ready="true"\} 1$/m);
    expect(ofFleet).toMatch(/^longshore_fleet_late 0$/m);
    expect(ofFleet).toMatch(
      /^longshore_fleet_last_success_timestamp_seconds\{workspace="acme",pipeline="load"\} \d+/m,
    );
    expect(namesIn(await get('/metrics/fleet'))).toEqual(namesIn(ofFleet));
    for (const name of files) {
      const named = namesIn(readFileSync(pathOf(name), 'utf8'));
      expect(named.length, name).toBeGreaterThan(3);
      expect(namesIn(all), name).toEqual(expect.arrayContaining(named));
    }
    await machine.kill();
    // Nothing is given out as running once no worker is alive.
    await site.pool.query(`UPDATE longshore.worker SET seen_at = now() - interval '1 hour'`);
    expect(await site.longshore('fleet', 'metrics')).toMatch(/^longshore_fleet_workers\{ready="true"\} 0$/m);
  }));

it('a fleet whose last worker has died, so that nothing can be scraped any more, has an alert', () => {
  const { groups } = parse(readFileSync(pathOf('alerts.yaml'), 'utf8'));
  const rules: { alert: string; expr: string }[] = groups.flatMap(
    (group: { rules: object[] }) => group.rules,
  );
  const none = rules.find(({ alert }) => alert === 'LongshoreFleetNoWorkers');
  expect(none?.expr).toContain('absent(longshore_fleet_workers{ready="true"})');
});

it('the rules are rules', () => {
  const { groups } = parse(readFileSync(pathOf('alerts.yaml'), 'utf8'));
  for (const { rules } of groups)
    for (const rule of rules)
      expect(rule).toMatchObject({ alert: expect.any(String), expr: expect.any(String) });
  try {
    execFileSync('promtool', ['check', 'rules', pathOf('alerts.yaml')], { stdio: 'pipe' });
  } catch (error) {
    // Without promtool on this machine nothing more can be said.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
});

it('what is late, failed or waits for a person is counted once its time has passed, and status ends with 3', () =>
  atFleet({ rows: 2 }, async (site) => {
    const status = async () => await run(['fleet', 'status', '--json'], site.env);
    const set = async (assignments: string) =>
      await site.pool.query(`UPDATE longshore.assignment SET ${assignments} WHERE pipeline = 'load'`);
    expect(await status()).toMatchObject({ code: 0 });
    await set(`due_at = now() - interval '14 minutes'`);
    expect(JSON.parse((await status()).stdout).counts.late).toBe(0);
    await set(`due_at = now() - interval '16 minutes'`);
    expect(JSON.parse((await status()).stdout).counts.late).toBe(1);
    await set(`settings = settings || '{"lateAfter": 3600000}'`);
    expect(JSON.parse((await status()).stdout).counts.late).toBe(0);
    await set(`last_run = '{"run": null, "exitCode": 3, "message": null, "next": null}'`);
    const looked = await status();
    expect(looked.code).toBe(3);
    expect(JSON.parse(looked.stdout).counts).toMatchObject({ look: 1, failed: 0 });
    expect((await run(['fleet', 'status'], site.env)).stdout).toContain('1 needs a look');
    await set('last_run = NULL');
    const named = [{ workspace: 'acme', pipeline: 'load' }];
    const queue = await openJobQueue(site.pool);
    await queuePipelinesNow(site.pool, queue, named);
    const job = await queue.take('w1');
    if (job === undefined) throw new Error('there was no job to take');
    await queue.fail(job, 'w1', { run: null, exitCode: 5, message: 'no.', next: null }, { again: false });
    const failed = await status();
    expect(failed.code).toBe(3);
    expect(JSON.parse(failed.stdout).counts).toMatchObject({ look: 0, failed: 1 });
  }));
