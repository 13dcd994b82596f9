import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { AssignmentStatus, FleetStatus } from '../../src/fleet/control/status.ts';
import { run } from '../end-to-end/command.ts';
import { inOrder, standing } from '../end-to-end/people.ts';
import { atFleet, type FleetSite } from './fleet-site.ts';

const patience = { timeout: 60_000, interval: 100 };

async function loadOf(site: FleetSite): Promise<AssignmentStatus | undefined> {
  const { stdout } = await run(['fleet', 'status', '--json'], site.env);
  const status: FleetStatus = JSON.parse(stdout);
  return status.assignments.find(({ pipeline }) => pipeline === 'load');
}

const input = (site: FleetSite) => join(site.folder, 'people.csv');

const policy = (onChangedInput?: string) => ({
  pipelines: { load: { file: 'pipeline.yaml', ...(onChangedInput && { onChangedInput }) } },
});

/** An import that was stopped in the middle, and whose input has another score for each person since. */
async function stoppedAndReplaced(site: FleetSite): Promise<void> {
  const machine = site.machine('first');
  const before = site.sandbox.contacts().length;
  machine.start();
  await site.longshore('fleet', 'run', 'acme', 'load');
  await vi.waitFor(() => expect(site.sandbox.contacts().length).toBeGreaterThan(before + 2), patience);
  expect(await machine.drain()).toBe(0);
  const text = readFileSync(input(site), 'utf8');
  renameSync(input(site), `${input(site)}.old`);
  writeFileSync(input(site), text.replaceAll(/,(\d+)$/gm, ',7$1'));
}

/** Everybody as the replaced input has them. */
function expectNew(site: FleetSite): void {
  const wanted = inOrder(site.people.expected).map(([email, contact]) => [
    email,
    { ...contact, Score: `7${contact.Score}` },
  ]);
  expect(inOrder(standing(site.sandbox))).toEqual(wanted);
}

const few = { rows: 24, concurrency: 1 } as const;

it('an input that was replaced while a run was unfinished begins a new run, which does what is left', () =>
  atFleet({ ...few, fleet: policy() }, async (site) => {
    await stoppedAndReplaced(site);
    site.machine('second').start();
    await site.succeeded('load');
    expectNew(site);
    expect((await loadOf(site))?.failures).toBe(0);
  }));

it('under onChangedInput: wait nothing begins until a person decides: with the new input', () =>
  atFleet({ ...few, fleet: policy('wait') }, async (site) => {
    await stoppedAndReplaced(site);
    site.machine('second').start();
    const load = await vi.waitFor(async () => {
      const found = await loadOf(site);
      expect(found?.state).toBe('look');
      return found;
    }, patience);
    expect(load?.last).toMatchObject({
      waitsFor: 'person',
      message: expect.stringContaining('people.csv has changed'),
      next: expect.stringContaining('fleet continue acme load --with new'),
    });
    expect(load?.failures).toBe(0);
    await site.longshore('fleet', 'continue', 'acme', '--with', 'new');
    await site.succeeded('load');
    expectNew(site);
  }));

it('under onChangedInput: wait nothing begins until a person decides: with the old input, once it is back', () =>
  atFleet({ ...few, fleet: policy('wait') }, async (site) => {
    await stoppedAndReplaced(site);
    site.machine('second').start();
    await vi.waitFor(async () => expect((await loadOf(site))?.state).toBe('look'), patience);
    renameSync(`${input(site)}.old`, input(site));
    await site.longshore('fleet', 'continue', 'acme', 'load', '--with', 'old');
    await site.succeeded('load');
    site.expectExact();
  }));

it('under onChangedInput: fail the job is given up at once, and does not fail again and again', () =>
  atFleet({ ...few, fleet: policy('fail') }, async (site) => {
    await stoppedAndReplaced(site);
    site.machine('second').start();
    const load = await vi.waitFor(async () => {
      const found = await loadOf(site);
      expect(found?.state).toBe('failed');
      return found;
    }, patience);
    expect(load).toMatchObject({ failures: 1, last: { exitCode: 2 } });
  }));

/** A time of the day (UTC) so many hours from now. */
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);

const waitingFor = (inputBy: string, alerts: object = {}) => ({
  pipelines: {
    load: { file: 'pipeline.yaml', inputBy, schedule: { cron: '0 0 1 1 *', timezone: 'UTC' } },
  },
  ...alerts,
});

it('an input that has not come is waited for, which is no failure, and imported once it is there', () =>
  atFleet({ rows: 4, fleet: waitingFor(hoursFromNow(3)) }, async (site) => {
    renameSync(input(site), `${input(site)}.later`);
    const machine = site.machine('first');
    machine.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await machine.printed(/(waits for its input)/);
    const load = await loadOf(site);
    expect(load).toMatchObject({ state: 'queued', failures: 0, last: { waitsFor: 'input' } });
    expect(load?.last?.message).toContain('It is waited for until');
    renameSync(`${input(site)}.later`, input(site));
    // It looks once a minute; here at once.
    await site.pool.query(`UPDATE longshore_queue.job SET start_after = now() WHERE state < 'active'`);
    await site.succeeded('load');
    site.expectExact();
  }));

it('an input that did not come one night is waited for again in the next', () =>
  atFleet({ rows: 4, limits: { lease: '30s' }, fleet: waitingFor(hoursFromNow(3)) }, async (site) => {
    renameSync(input(site), `${input(site)}.later`);
    // A success is owed since yesterday, and now the time of the schedule comes again.
    await site.pool.query(
      `UPDATE longshore.assignment SET due_at = now() - interval '1 day', next_at = now(), failures = 1
       WHERE pipeline = 'load'`,
    );
    const machine = site.machine('first');
    machine.start();
    await machine.printed(/acme\/load: (waits for its input|failed)/);
    expect(await loadOf(site)).toMatchObject({ state: 'queued', last: { waitsFor: 'input' } });
    renameSync(`${input(site)}.later`, input(site));
    await site.pool.query(`UPDATE longshore_queue.job SET start_after = now() WHERE state < 'active'`);
    await site.succeeded('load');
    site.expectExact();
  }));

it('an input that has not come in time is a failure, with an alert', async () => {
  const alerts: { event: string; pipeline: string; message: string }[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      alerts.push(JSON.parse(text));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = Object(receiver.address());
  try {
    const settings = { alerts: { url: `http://127.0.0.1:${port}/`, on: ['failure'] } };
    await atFleet({ rows: 4, fleet: waitingFor(hoursFromNow(3), settings) }, async (site) => {
      rmSync(input(site));
      await site.longshore('fleet', 'run', 'acme', 'load');
      await site.pool.query(`UPDATE longshore.assignment SET called_at = now() - interval '1 day'`);
      site.machine('first').start();
      const load = await vi.waitFor(async () => {
        const found = await loadOf(site);
        expect(found?.state).toBe('failed');
        return found;
      }, patience);
      expect(load?.last?.message).toContain('It was waited for until');
      expect(alerts).toEqual([
        expect.objectContaining({ event: 'failure', pipeline: 'acme/load', message: load?.last?.message }),
      ]);
    });
  } finally {
    receiver.close();
  }
});
