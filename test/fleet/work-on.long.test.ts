import { expect, it } from 'vitest';
import { queuePipelinesNow } from '../../src/fleet/control/control.ts';
import { readFleetStatus } from '../../src/fleet/control/status.ts';
import { connectDatabase } from '../../src/fleet/database/connect.ts';
import { DatabaseTime } from '../../src/fleet/lease/database-time.ts';
import { runTakenJob } from '../../src/fleet/worker/work-on.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { usualInvocation } from '../invocation.ts';
import { freePort } from './postgres.ts';
import { applied, fleetOf, fleetSite } from './site.ts';

const site = fleetSite();

it('a database that is away before the job begins makes no failed try, and ends in one where it always happens', async () => {
  const fleet = fleetOf({ 'acme p': {} }, { retries: 0, deaths: 2 });
  await applied(site, fleet, '2026-01-01T00:00:00Z');
  await queuePipelinesNow(site.pool, site.queue, [{ workspace: 'acme', pipeline: 'p' }]);
  const away = await connectDatabase(`postgres://owner:owner@127.0.0.1:${await freePort()}/fleet`);
  const said: string[] = [];
  const shop = {
    ...{ fleet, name: 'w1', workDir: '/nowhere', entry: '/nowhere', queue: site.queue },
    invocation: usualInvocation,
    ...{
      pool: away,
      clock: systemClock,
      databaseTime: new DatabaseTime(),
      log: (text: string) => void said.push(text),
    },
  };
  const work = async () => {
    await site.pool.query("UPDATE longshore_queue.job SET start_after = now() - interval '1 s'");
    const job = await site.queue.take('w1');
    if (job === undefined) throw new Error('there was no job to take');
    const stops = { giveBack: new AbortController(), kill: new AbortController() };
    await runTakenJob(shop, { job, ...stops, wait: null });
    return (await readFleetStatus(site.pool)).assignments[0];
  };
  expect(await work()).toMatchObject({ state: 'queued', failures: 0 });
  expect(said.join('\n')).toMatch(/^acme\/p: broke off, it is done again: .*ECONNREFUSED/);
  expect(await work()).toMatchObject({
    state: 'failed',
    last: { message: expect.stringContaining('happened 2 times in a row') },
  });
  await away.end();
});
