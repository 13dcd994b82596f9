import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { seen } from '../cli/site.ts';
import { run } from '../end-to-end/command.ts';
import { atReceiver } from '../notify/receiver.ts';
import { atFleet } from './fleet-site.ts';
import { freePort } from './postgres.ts';

it('another machine continues an import whose machine died and lost its disk, and every row is there once', () =>
  atFleet({ rows: 60, concurrency: 2, faults: { latency: { min: 20, max: 40 } } }, async (site) => {
    const [one, two] = [site.machine('one'), site.machine('two')];
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await seen(site.sandbox, 25, ({ applied }) => applied);
    await one.kill();
    one.loseDisk();
    two.start();
    await site.succeeded('load');
    site.expectExact();
    expect(two.said).toContain('The journal was restored from the database.');
    expect(await two.drain()).toBe(0);
  }));

it('a command by hand in the work dir of a worker is refused, and the worker continues with its journal', () =>
  atFleet({ rows: 12 }, async (site) => {
    const one = site.machine('one');
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await site.succeeded('load');
    const workDir = join(one.workDir, 'fleet', 'acme');
    const exporting = join(site.folder, 'export.yaml');
    writeFileSync(exporting, 'pipeline: out\nexport:\n  to: out/{date}\n  contacts: { format: csv }\n');
    const typed = [
      ['import', join(site.folder, 'pipeline.yaml'), '--fresh'],
      ['export', exporting],
    ];
    for (const words of typed) {
      const env = { ...site.env, LONGSHORE_BASE_URL: site.sandbox.baseUrl };
      const refused = await run([...words, '--work-dir', workDir], env);
      expect(refused.code, refused.stderr).toBe(2);
      expect(refused.stderr).toContain('fleet run acme PIPELINE');
    }
    expect(await site.longshore('runs', '--work-dir', workDir)).toContain('people');
    const applied = site.sandbox.log.filter((entry) => entry.applied).length;
    await site.longshore('fleet', 'run', 'acme', 'load');
    await site.succeeded('load');
    expect(site.sandbox.log.filter((entry) => entry.applied)).toHaveLength(applied);
    site.expectExact();
    expect(await one.drain()).toBe(0);
  }));

it('a worker that starts while the database is away waits for it; one that is not let in ends', () =>
  atFleet({ rows: 2 }, async (site) => {
    const wrong = site.env.LONGSHORE_FLEET_DATABASE?.replace('owner:owner', 'owner:wrong') ?? '';
    const words = ['worker', site.fleetFile, '--work-dir', join(site.folder, 'refused')];
    expect(await run(words, { ...site.env, LONGSHORE_FLEET_DATABASE: wrong })).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(
        /does not answer as it should \(28P01\)[\s\S]*LONGSHORE_FLEET_DATABASE right/,
      ),
    });
    const port = await freePort();
    const [one, two] = [site.machine('one', '--port', String(port)), site.machine('two')];
    const waits = /(The database does not answer \(ECONNREFUSED\); retrying)/;
    const probed = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await site.longshore('fleet', 'run', 'acme', 'load');
    await site.postgres.restart(async () => {
      for (const machine of [one, two]) {
        machine.start();
        await machine.printed(waits);
      }
      expect([await probed('/healthz'), await probed('/readyz')]).toEqual([200, 503]);
      two.signal('SIGTERM');
      expect(await two.ended).toBe(0);
    });
    await site.succeeded('load');
    expect(await probed('/readyz')).toBe(200);
    expect(await one.drain()).toBe(0);
  }));

it('a worker that starts while the database is away sends an alert, and one when it takes jobs', () =>
  atReceiver(async (receiver) => {
    const alerts = { url: receiver.url, on: ['failure', 'recovery'] };
    await atFleet({ rows: 2, limits: { lease: '2s' }, fleet: { alerts } }, async (site) => {
      await site.longshore('fleet', 'run', 'acme', 'load');
      await site.postgres.restart(async () => {
        site.machine('one').start();
        await vi.waitFor(() => expect(receiver.alerts).toHaveLength(1), { timeout: 150_000, interval: 200 });
      });
      expect(receiver.alerts).toMatchObject([
        {
          ...{ event: 'failure', pipeline: 'acme/load and 1 more' },
          message:
            'No job is taken: the database of the fleet does not answer. It concerns acme/load, acme/nightly.',
        },
      ]);
      await site.succeeded('load');
      await vi.waitFor(() => expect(receiver.alerts).toHaveLength(2), { timeout: 150_000, interval: 200 });
      expect(receiver.alerts[1]).toMatchObject({
        event: 'recovery',
        message: 'The worker takes jobs again.',
      });
    });
  }));

it('a job whose workspace accepts no connection says so in the status and in the log of its worker, and continues', async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const workspaces = { acme: { baseUrl, tokenEnv: 'LONGSHORE_TOKEN' } };
  await atFleet({ fleet: { workspaces } }, async (site) => {
    site.machine('one').start();
    await site.longshore('fleet', 'run', 'acme', 'nightly');
    const why = `no answer from ${baseUrl} yet|${baseUrl} accepts no requests`;
    await vi.waitFor(
      async () => {
        const status = await site.longshore('fleet', 'status');
        expect(status).toMatch(new RegExp(`acme nightly waits for the workspace since .*: (${why})`));
        expect(await site.longshore('fleet', 'status', 'acme')).toContain(
          'acme nightly waits for the workspace since',
        );
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(site.said()).toMatch(new RegExp(`acme/nightly: Waiting for the workspace: (${why})`));
    const late = await startSandbox({ seed: site.people.seed, port });
    try {
      await site.succeeded('nightly');
      expect(await site.longshore('fleet', 'status')).not.toContain('waits for the workspace');
    } finally {
      await late.close();
    }
  });
});

it('a worker whose fleet file has another address than the applied one leaves the workspace to others', () =>
  atFleet({ rows: 2 }, async (site) => {
    const moved = await startSandbox();
    try {
      const text = readFileSync(site.fleetFile, 'utf8');
      const oldFile = join(site.folder, 'old-fleet.yaml');
      writeFileSync(oldFile, text);
      const [old, renewed] = [site.machineWith('old', { file: oldFile }), site.machine('renewed')];
      old.start();
      await old.printed(/(up to \d+ jobs)/);
      writeFileSync(site.fleetFile, text.replace(site.sandbox.baseUrl, moved.baseUrl));
      await site.longshore('fleet', 'apply', site.fleetFile, '--yes');
      await site.longshore('fleet', 'run', 'acme', 'nightly');
      await old.printed(/(differs from the applied one for acme\/nightly)/);
      expect(await old.drain()).toBe(0);
      renewed.start();
      await site.succeeded('nightly');
      expect(site.sandbox.log).toEqual([]);
      expect(moved.log.map(({ path }) => path)).toContain('/contact/list');
      expect(await renewed.drain()).toBe(0);
    } finally {
      await moved.close();
    }
  }));

it('a worker with an older mapping than the applied one takes no such job, and goes on once it has that', () =>
  atFleet({ rows: 2 }, async (site) => {
    const home = join(site.folder, 'behind');
    mkdirSync(join(home, 'out'), { recursive: true });
    const copy = (name: string) => writeFileSync(join(home, name), readFileSync(join(site.folder, name)));
    for (const name of ['fleet.yaml', 'pipeline.yaml', 'nightly.yaml', 'mapping.yaml', 'people.csv'])
      copy(name);
    const behind = site.machineWith('one', { file: join(home, 'fleet.yaml') });
    const mapping = join(site.folder, 'mapping.yaml');
    writeFileSync(mapping, `${readFileSync(mapping, 'utf8')}# newer\n`);
    await site.longshore('fleet', 'apply', site.fleetFile, '--yes');
    behind.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await behind.printed(/(the mapping of the worker .+ differs from the applied one for acme\/load)/);
    expect(site.sandbox.log).toEqual([]);
    copy('mapping.yaml');
    await behind.printed(/(a mapping has changed: it is used from now on)/);
    await site.succeeded('load');
    site.expectExact();
    expect(await behind.drain()).toBe(0);
  }));

it('exports in increments, each message once, also where a machine dies and loses its disk between two nights', () =>
  atFleet({ rows: 12 }, async (site) => {
    const add = (from: number, n: number) =>
      site.sandbox.add({
        messages: Array.from({ length: n }, (_, index) => ({
          ...{ messageId: from + index, contactId: 1, channelId: 1, traffic: 'incoming' as const },
          ...{ message: { type: 'text', text: `message ${from + index}` }, status: [] },
        })),
      });
    add(1, 5);
    const [one, two] = [site.machine('one'), site.machine('two')];
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'nightly');
    await site.succeeded('nightly');
    await one.kill();
    one.loseDisk();
    add(6, 4);
    two.start();
    await site.longshore('fleet', 'run', 'acme', 'nightly');
    await site.succeeded('nightly');
    expect(site.exportedMessages().map((ids) => [...ids].sort((a, b) => a - b))).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9],
    ]);
    expect(await two.drain()).toBe(0);
  }));

it('SIGTERM gives a job back with its journal saved and its lease released, and another worker continues at once', () =>
  atFleet(
    { rows: 300, limits: { lease: '5m', settle: '5m' }, faults: { latency: { min: 80, max: 120 } } },
    async (site) => {
      const [one, two] = [site.machine('one', '--port', '0'), site.machine('two')];
      one.start();
      const port = await one.printed(/:(\d+)\/metrics/);
      const get = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        return { status: answer.status, text: await answer.text() };
      };
      expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
      await site.longshore('fleet', 'run', 'acme', 'load');
      await seen(site.sandbox, 25, ({ applied }) => applied);
      const metrics = await get('/metrics');
      expect(metrics.text).toContain('\nlongshore_worker_jobs_running 1\n');
      expect(metrics.text).toContain('\nlongshore_worker_database_up 1\n');
      expect(await get('/readyz')).toEqual({ status: 200, text: 'ok\n' });
      expect(await one.drain()).toBe(0);
      expect(one.said).toContain('acme/load: continues later');
      one.loseDisk();
      // Nobody waits five minutes for the lease: it was released.
      two.start();
      await site.succeeded('load');
      site.expectExact();
      expect(two.said).toContain('The journal was restored from the database.');
      await site.longshore('fleet', 'drain');
      expect(await two.ended).toBe(0);
    },
  ));

it('what is of no use to try again is left to a person, and the rest is not', () =>
  atFleet({ rows: 4, tokens: ['another'] }, async (site) => {
    const one = site.machine('one');
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await one.printed(/acme\/load: (failed: .*)/);
    expect(await site.lastRun('load')).toMatchObject({ exitCode: 5 });
    const { rows } = await site.pool.query('SELECT job FROM longshore.workspace');
    expect(rows).toEqual([{ job: null }]);
  }));

const patience = { timeout: 60_000, interval: 100 };

it('a slice begins once the job is prepared, so that a machine on which that takes longer than a slice progresses', () =>
  atFleet({ rows: 4, limits: { slice: '3s' } }, async (site) => {
    const slow = join(site.folder, 'slow-start.mjs');
    writeFileSync(slow, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);\n');
    const one = site.machineWith('one', { env: { NODE_OPTIONS: `--import=${slow}` } });
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await site.succeeded('load');
    site.expectExact();
  }));

it.each(['429', '503'] as const)(
  'slices that end before a workspace has answered anything but %s are failures, and the job does not go round for ever',
  (kind) =>
    atFleet({ rows: 4, limits: { slice: '4s', retries: 1 } }, async (site) => {
      const one = site.machine('one');
      site.sandbox.setFaults({ rates: { [kind]: 1 } });
      one.start();
      await site.longshore('fleet', 'run', 'acme', 'load');
      await one.printed(/acme\/load: (failed, is tried again: The workspace could not be reached)/);
      await vi.waitFor(
        async () => expect(await site.lastRun('load')).toMatchObject({ exitCode: 7 }),
        patience,
      );
      site.sandbox.setFaults([]);
      await site.longshore('fleet', 'run', 'acme', 'load');
      await site.succeeded('load');
      site.expectExact();
    }),
);
