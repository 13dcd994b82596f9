import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { queuePipelinesNow, retryDeadJobs } from '../../src/fleet/control/control.ts';
import { prepareQueue } from '../../src/fleet/queue/boss.ts';
import type { AssignmentId } from '../../src/fleet/queue/dead.ts';
import type { ActiveJob } from '../../src/fleet/queue/job.ts';
import { type JobQueue, openJobQueue } from '../../src/fleet/queue/queue.ts';
import {
  collectAlert,
  isReportedFailure,
  readFailures,
  saveSentAlert,
  toReportedFailure,
} from '../../src/fleet/queue/reported.ts';
import { saveHeartbeat } from '../../src/fleet/queue/worker-record.ts';
import { sendSharedAlerts } from '../../src/fleet/worker/shared-alerts.ts';
import { createDatabaseStall, findStalledJobs, StallAlert } from '../../src/fleet/worker/stall-alert.ts';
import type { NotifySettings } from '../../src/pipeline/index.ts';
import { usualInvocation } from '../invocation.ts';
import { atReceiver } from '../notify/receiver.ts';
import { type FleetDatabase, fleetDatabase } from './fleet-database.ts';

let site: FleetDatabase;
let queue: JobQueue;
beforeAll(async () => {
  site = await fleetDatabase();
  await prepareQueue(site.pool);
  queue = await openJobQueue(site.pool);
});
afterAll(async () => {
  await site.remove();
});

const names = Array.from({ length: 60 }, (_, n) => `w${String(n).padStart(2, '0')}`);
const of = (workspace: string): AssignmentId => ({ workspace, pipeline: 'load' });
const minute = 60_000;
const night = Date.UTC(2026, 0, 1, 2);

beforeEach(async () => {
  await site.pool.query('DELETE FROM longshore.workspace');
  await site.pool.query('DELETE FROM longshore_queue.job');
  await site.pool.query(
    `INSERT INTO longshore.workspace (name, base_url, settings) SELECT name, 'https://' || name, '{}' FROM unnest($1::text[]) name`,
    [names],
  );
  await site.pool.query(
    `INSERT INTO longshore.assignment (workspace, pipeline, kind, priority, settings)
     SELECT name, 'load', 'import', 0, '{}' FROM unnest($1::text[]) name`,
    [names],
  );
});

/** A worker takes the job of a workspace. */
async function begin(workspace: string): Promise<ActiveJob> {
  const waiting = await queue.take('one');
  if (waiting === undefined) await queuePipelinesNow(site.pool, queue, [of(workspace)]);
  const job = waiting ?? (await queue.take('one'));
  if (job?.workspace !== workspace) throw new Error(`the job of ${workspace} was not taken`);
  return job;
}

const end = { run: null, exitCode: 5, message: null, next: null };

/** A job that was taken reports its failure, as its process does; true if it has an alert of its own. */
async function report(
  { workspace }: ActiveJob,
  reason: string,
  now: number,
  isFinal: boolean,
  notify?: NotifySettings,
): Promise<boolean> {
  const failure = toReportedFailure({ workspace, notify }, { exitCode: 5, reason }, isFinal);
  if (isReportedFailure(await readFailures(site.pool, of(workspace)), failure)) return false;
  const text = { message: `${reason} It was given up.`, next: `fleet retry ${workspace} load` };
  if (await collectAlert(site.pool, of(workspace), failure, text, now)) return false;
  await saveSentAlert(site.pool, of(workspace), true, failure, now);
  return true;
}

async function fails(
  workspace: string,
  reason: string,
  now: number,
  isFinal = true,
  notify?: NotifySettings,
): Promise<boolean> {
  const job = await begin(workspace);
  const hasOwn = await report(job, reason, now, isFinal, notify);
  await queue.fail(job, 'one', end, { again: !isFinal });
  return hasOwn;
}

const works = async (workspace: string) =>
  await queue.finish(await begin(workspace), 'one', { ...end, exitCode: 0 });

const share = (url: string, now: number, on: readonly ('failure' | 'recovery')[] = ['failure', 'recovery']) =>
  sendSharedAlerts({
    fleet: { alerts: { url, on: [...on], secretEnv: 'LONGSHORE_NOTIFY_SECRET' }, assignments: [] },
    ...{ pool: site.pool, invocation: { ...usualInvocation, workDir: '/machine/one' }, log: () => undefined },
    clock: { now: () => now, sleep: () => Promise.resolve() },
  });

it('of 60 jobs that fail for one reason, one has an alert of its own, and another alert names the others', () =>
  atReceiver(async (receiver) => {
    const reasonOf = (name: string) => `the token in /tokens/${name} was refused (401).`;
    const jobs: ActiveJob[] = [];
    for (const name of names) jobs.push(await begin(name));
    const own = await Promise.all(jobs.map((job) => report(job, reasonOf(job.workspace), night, true)));
    expect(own.filter(Boolean)).toHaveLength(1);
    for (const job of jobs) await queue.fail(job, 'one', end, { again: false });
    await share(receiver.url, night + 4 * minute);
    expect(receiver.alerts).toEqual([]);
    await Promise.all([1, 2].map(() => share(receiver.url, night + 5 * minute)));
    expect(receiver.alerts).toMatchObject([
      {
        ...{ event: 'failure', exitCode: 5, failures: 1, outcome: 'failed', kind: 'import' },
        pipeline: expect.stringMatching(/^w\d\d\/load and 58 more$/),
        message: expect.stringMatching(
          /^59 pipelines failed for the same reason\. That of (w\d\d)\/load: the token in \/tokens\/\1 was refused \(401\)\. It was given up\. They are: (w\d\d\/load, ){49}w\d\d\/load and 9 more\.$/,
        ),
        next: 'npx longshore fleet status\nThen: npx longshore fleet retry --all',
        failingSince: expect.stringContaining('T'),
      },
    ]);
    await share(receiver.url, night + 60 * minute);
    expect(receiver.alerts).toHaveLength(1);
    // The next night nothing is new.
    for (const name of names.slice(0, 5))
      expect(await fails(name, reasonOf(name), night + 1_440 * minute)).toBe(false);
    await share(receiver.url, night + 2_000 * minute);
    expect(receiver.alerts).toHaveLength(1);
  }));

it('a reason that stays has ever fewer alerts, and another reason has one of its own', () =>
  atReceiver(async (receiver) => {
    expect(await fails('w00', 'refused.', night)).toBe(true);
    let next = 1;
    const sentAt: number[] = [];
    for (let at = 1; at < 240; at += 1) {
      if (at % 5 === 1) await fails(names[next++] ?? '', 'refused.', night + at * minute);
      const before = receiver.alerts.length;
      await share(receiver.url, night + at * minute);
      if (receiver.alerts.length > before) sentAt.push(at);
    }
    expect(sentAt).toEqual([6, 22, 52, 112, 232]);
    expect(receiver.alerts[0]).toMatchObject({ pipeline: 'w01/load and 1 more' });
    expect(await fails('w59', 'another reason.', night)).toBe(true);
  }));

it('pipelines with a notify of their own have one alert together there, apart from those of the fleet', () =>
  atReceiver(async (fleetReceiver) =>
    atReceiver(async (ownReceiver) => {
      const settings = (url: string) => ({
        ...{ url, on: ['failure' as const, 'recovery' as const], secretEnv: 'LONGSHORE_NOTIFY_SECRET' },
      });
      const [alerts, notify] = [settings(fleetReceiver.url), settings(ownReceiver.url)];
      const [ofFleet, own] = [names.slice(0, 3), names.slice(3, 6)];
      const assignments = own.map((workspace) => ({ ...of(workspace), notify }));
      const shareAll = (now: number) =>
        sendSharedAlerts({
          fleet: { alerts, assignments },
          ...{ pool: site.pool, invocation: usualInvocation, log: () => undefined },
          clock: { now: () => now, sleep: () => Promise.resolve() },
        });
      const first = [];
      for (const name of ofFleet) first.push(await fails(name, 'refused.', night, true, alerts));
      for (const name of own) first.push(await fails(name, 'refused.', night, true, notify));
      expect(first).toEqual([true, false, false, true, false, false]);
      await shareAll(night + 5 * minute);
      expect(fleetReceiver.alerts).toMatchObject([{ pipeline: 'w01/load and 1 more' }]);
      expect(ownReceiver.alerts).toMatchObject([{ pipeline: 'w04/load and 1 more' }]);
      for (const name of own) await retryDeadJobs(site.pool, queue, [of(name)]);
      for (const name of own) await works(name);
      await shareAll(night + 6 * minute);
      expect(fleetReceiver.alerts).toHaveLength(1);
      expect(ownReceiver.alerts.slice(1)).toMatchObject([
        { event: 'recovery', pipeline: 'w04/load and 1 more' },
      ]);
    }),
  ));

it('jobs that had one alert together have one when all of them work again, also after a retry', () =>
  atReceiver(async (receiver) => {
    for (const name of ['w00', 'w01', 'w02', 'w03']) await fails(name, 'refused.', night);
    await share(receiver.url, night + 5 * minute);
    expect(receiver.alerts).toHaveLength(1);
    await works('w00');
    const retry = (name: string) => retryDeadJobs(site.pool, queue, [of(name)]);
    await retry('w01');
    await works('w01');
    await retry('w02');
    // The next failure after a retry is reported.
    expect(await fails('w02', 'refused.', night + 7 * minute)).toBe(true);
    await retry('w03');
    await works('w03');
    await share(receiver.url, night + 8 * minute);
    expect(receiver.alerts).toHaveLength(1);
    await works('w02');
    await share(receiver.url, night + 9 * minute);
    expect(receiver.alerts.slice(1)).toMatchObject([
      {
        ...{ event: 'recovery', exitCode: 0, outcome: 'finished', failures: 1, next: null },
        message: '2 pipelines that had failed for the same reason work again: w01/load, w03/load.',
      },
    ]);
    await share(receiver.url, night + 10 * minute);
    expect(receiver.alerts).toHaveLength(2);
  }));

it('an alert about several jobs that does not arrive is sent again, and one of a process that died is not lost', () =>
  atReceiver(async (receiver) => {
    const failure = toReportedFailure(
      { workspace: 'w00', notify: undefined },
      { exitCode: 7, reason: 'no answer.' },
      true,
    );
    const text = { message: 'no answer.', next: null };
    // It was about to send its own.
    expect(await collectAlert(site.pool, of('w00'), failure, text, night)).toBe(false);
    expect(await collectAlert(site.pool, of('w01'), failure, text, night)).toBe(true);
    receiver.answer = 403;
    await share(receiver.url, night + 5 * minute);
    receiver.answer = 204;
    await share(receiver.url, night + 6 * minute);
    await share(receiver.url, night + 7 * minute);
    const both = { event: 'failure', pipeline: 'w00/load and 1 more', exitCode: 7 };
    expect(receiver.alerts).toMatchObject([both, both]);
  }));

it('what is tried again is nothing new where others were given up for the same reason, and the other way round it is', async () => {
  expect(await fails('w00', 'no answer.', night, false)).toBe(true);
  expect(await fails('w00', 'no answer.', night, true)).toBe(true);
  expect(await fails('w01', 'no answer.', night, false)).toBe(false);
  expect(await fails('w01', 'no answer.', night, true)).toBe(false);
});

it('a job that works again before anybody has heard that it failed has no alert', () =>
  atReceiver(async (receiver) => {
    for (const name of ['w00', 'w01', 'w02']) await fails(name, 'no answer.', night, false);
    await works('w01');
    expect(await readFailures(site.pool, of('w01'))).toMatchObject({ reported: null });
    await share(receiver.url, night + 5 * minute);
    expect(receiver.alerts).toMatchObject([{ pipeline: 'w02/load' }]);
  }));

it('where jobs wait and no machine takes any, one alert says why and which, and one says that it is over', () =>
  atReceiver(async (receiver) => {
    let now = night;
    const alerts = {
      url: receiver.url,
      on: ['failure' as const, 'recovery' as const],
      secretEnv: 'LONGSHORE_NOTIFY_SECRET',
    };
    const context = {
      ...{ fleet: { alerts }, log: () => undefined },
      ...{ invocation: { ...usualInvocation, workDir: '/machine/one' } },
      clock: { now: () => now, sleep: () => Promise.resolve() },
    };
    const beat = (name: string, notReady: string | null) =>
      saveHeartbeat(site.pool, { name, host: 'h', jobs: [], notReady });
    const full = { reason: 'the disk of /work is nearly full (0 MiB are free).' };
    const [one, two] = [new StallAlert(), new StallAlert()];
    const stalled = (name: string) => ({ ...full, waiting: () => findStalledJobs(site.pool, name) });
    const look = async () => {
      await one.look(context, stalled('one'), 10 * minute);
      await two.look(context, stalled('two'), 10 * minute);
    };
    await beat('one', full.reason);
    await beat('two', null);
    await queuePipelinesNow(site.pool, queue, names.slice(0, 3).map(of));
    await look();
    now += 11 * minute;
    // The other machine takes jobs.
    await look();
    expect(receiver.alerts).toEqual([]);
    await beat('two', full.reason);
    await look();
    now += minute;
    await look();
    expect(receiver.alerts).toMatchObject([
      {
        ...{ event: 'failure', pipeline: 'w00/load and 2 more', kind: 'import', exitCode: 1, failures: 1 },
        message: `No job is taken: ${full.reason} It concerns w00/load, w01/load, w02/load.`,
        ...{ next: 'npx longshore fleet status', failingSince: new Date(night).toISOString() },
      },
    ]);
    await one.look(context, undefined, 10 * minute);
    await two.look(context, undefined, 10 * minute);
    expect(receiver.alerts.slice(1)).toMatchObject([
      { event: 'recovery', pipeline: 'w00/load and 2 more', message: 'The worker takes jobs again.' },
    ]);
  }));

it('a database that is away for long has an alert that needs no database', () =>
  atReceiver(async (receiver) => {
    let now = night;
    const alerts = { url: receiver.url, on: ['failure' as const], secretEnv: 'LONGSHORE_NOTIFY_SECRET' };
    const assignment = {
      ...{
        workspace: 'w00',
        pipeline: 'load',
        file: 'f',
        files: [],
        contents: undefined,
        kind: 'import' as const,
      },
      ...{
        schedule: undefined,
        priority: 0,
        onChangedInput: 'delta' as const,
        inputBy: undefined,
        lateAfter: 0,
      },
    };
    const context = {
      ...{ fleet: { alerts, assignments: [assignment] }, log: () => undefined },
      ...{ invocation: usualInvocation, clock: { now: () => now, sleep: () => Promise.resolve() } },
    };
    const stall = new StallAlert();
    const away = createDatabaseStall(context.fleet);
    await stall.look(context, away, 10 * minute);
    now += 10 * minute;
    await stall.look(context, away, 10 * minute);
    expect(receiver.alerts).toMatchObject([
      { message: 'No job is taken: the database of the fleet does not answer. It concerns w00/load.' },
    ]);
  }));

it('an alert whose secret the worker may not read is in its log, and nothing else of the worker fails', () =>
  atReceiver(async (receiver) => {
    const said: string[] = [];
    for (const name of ['w00', 'w01', 'w02']) await fails(name, 'refused.', night);
    await sendSharedAlerts({
      fleet: { alerts: { url: receiver.url, on: ['failure'], secretEnv: 'SECRET' }, assignments: [] },
      ...{ pool: site.pool, invocation: usualInvocation, log: (text) => said.push(text) },
      clock: { now: () => night + 5 * minute, sleep: () => Promise.resolve() },
    });
    expect(said).toEqual([expect.stringContaining('the environment variable SECRET')]);
    await share(receiver.url, night + 6 * minute);
    expect(receiver.alerts).toHaveLength(1);
  }));
