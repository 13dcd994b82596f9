import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FleetStatus } from '../../src/fleet/control/status.ts';
import { atFleet } from './fleet-site.ts';

/** A time of the day (UTC) three hours from now. */
const inputBy = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(11, 16);

const waiting = {
  pipelines: {
    load: { file: 'pipeline.yaml', inputBy, schedule: { cron: '0 0 1 1 *', timezone: 'UTC' } },
  },
};

it('an input that did not come one night is waited for again in the next', () =>
  atFleet({ rows: 4, limits: { lease: '30s' }, fleet: waiting }, async (site) => {
    const input = join(site.folder, 'people.csv');
    renameSync(input, `${input}.later`);
    // A success is owed since yesterday, and now the time of the schedule comes again.
    await site.pool.query(
      `UPDATE longshore.assignment SET due_at = now() - interval '1 day', next_at = now(), failures = 1
       WHERE pipeline = 'load'`,
    );
    const machine = site.machine('first');
    machine.start();
    await machine.printed(/acme\/load: (waits for its input|failed)/);
    const status: FleetStatus = JSON.parse(await site.longshore('fleet', 'status', '--json'));
    expect(status.assignments.find(({ pipeline }) => pipeline === 'load')).toMatchObject({
      state: 'queued',
      last: { waitsFor: 'input' },
    });
    renameSync(`${input}.later`, input);
    await site.pool.query(`UPDATE longshore_queue.job SET start_after = now() WHERE state < 'active'`);
    await site.succeeded('load');
    site.expectExact();
  }));
