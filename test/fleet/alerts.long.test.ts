import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seen } from '../cli/site.ts';
import { atReceiver } from '../notify/receiver.ts';
import { atFleet } from './fleet-site.ts';
import type { Machine } from './worker-process.ts';

const places = { outputs: 'out' };
const alerted = (url: string) => ({ places, alerts: { url, on: ['failure'] } });

it('the alert of a job names its workspace, since many workspaces share a pipeline', () =>
  atReceiver((receiver) =>
    atFleet({ rows: 4, tokens: ['another'], fleet: alerted(receiver.url) }, async (site) => {
      site.machine('one').start();
      await site.longshore('fleet', 'run', 'acme', 'load');
      await receiver.came(1);
      expect(receiver.alerts).toMatchObject([{ event: 'failure', pipeline: 'acme/load', exitCode: 5 }]);
    }),
  ));

/** Resolves when the import has failed, or worked, that many times on this machine. */
const ended = (machine: Machine, times: number) =>
  machine.printed(new RegExp(`((?:acme/load: (?:failed|done)[\\s\\S]*?){${times}})`));

it('a failure that is the same each night has one alert, until a person retries it, and one when it works again', () =>
  atReceiver((receiver) =>
    atFleet(
      {
        ...{ rows: 4, tokens: ['another'] },
        fleet: { places, alerts: { url: receiver.url, on: ['failure', 'recovery'] } },
      },
      async (site) => {
        const one = site.machine('one');
        one.start();
        for (const night of [1, 2, 3]) {
          await site.longshore('fleet', 'run', 'acme', 'load');
          await ended(one, night);
        }
        expect(receiver.alerts).toMatchObject([
          {
            ...{ event: 'failure', pipeline: 'acme/load', exitCode: 5, failures: 1 },
            next: expect.stringMatching(/LONGSHORE_TOKEN on every machine[\s\S]*fleet retry acme load/),
          },
        ]);
        await site.longshore('fleet', 'retry', 'acme', 'load');
        await ended(one, 4);
        expect(receiver.alerts.slice(1)).toMatchObject([{ event: 'failure', exitCode: 5, failures: 4 }]);
        renameSync(join(site.folder, 'people.csv'), join(site.folder, 'later.csv'));
        await site.longshore('fleet', 'run', 'acme', 'load');
        await ended(one, 5);
        expect(receiver.alerts.slice(2)).toMatchObject([{ event: 'failure', exitCode: 2, failures: 5 }]);
        // Since the first night, and not since the input is missing.
        expect(String(receiver.alerts[2]?.failingSince) < String(receiver.alerts[1]?.startedAt)).toBe(true);
        renameSync(join(site.folder, 'later.csv'), join(site.folder, 'people.csv'));
        site.sandbox.acceptToken('sandbox');
        await site.longshore('fleet', 'run', 'acme', 'load');
        await site.succeeded('load');
        expect(receiver.alerts.slice(3)).toMatchObject([{ event: 'recovery', failures: 5 }]);
      },
    ),
  ));

it('an alert that does not arrive is sent by the next try, and so is one that it works again', () =>
  atReceiver((receiver) =>
    atFleet(
      {
        ...{ rows: 4, tokens: ['another'] },
        fleet: { places, alerts: { url: receiver.url, on: ['failure', 'recovery'] } },
      },
      async (site) => {
        const one = site.machine('one');
        one.start();
        const night = async (times: number, answer: number) => {
          receiver.answer = answer;
          await site.longshore('fleet', 'run', 'acme', 'load');
          await ended(one, times);
        };
        await night(1, 403);
        await night(2, 204);
        await night(3, 204);
        const failure = { event: 'failure', exitCode: 5 };
        expect(receiver.alerts).toMatchObject([
          { ...failure, failures: 1 },
          { ...failure, failures: 2 },
        ]);
        site.sandbox.acceptToken('sandbox');
        await night(4, 403);
        await night(5, 204);
        await night(6, 204);
        const recovery = { event: 'recovery', failures: 3 };
        expect(receiver.alerts.slice(2)).toMatchObject([recovery, recovery]);
      },
    ),
  ));

it('a job that is given up before its run begins has an alert', () =>
  atReceiver((receiver) =>
    atFleet({ rows: 4, fleet: alerted(receiver.url) }, async (site) => {
      const people = join(site.folder, 'people.csv');
      writeFileSync(
        people,
        readFileSync(people, 'utf8').replace(/person2@example.com,\+\d+/, 'not-an-email,'),
      );
      const one = site.machine('one');
      one.start();
      await site.longshore('fleet', 'run', 'acme', 'load');
      await one.printed(/(acme\/load: done)/);
      const list = join(site.folder, 'uncertain.csv');
      writeFileSync(list, 'this,is\nno,list\n');
      await site.longshore('fleet', 'retry', 'acme', 'load', '--rows', '--decided', list);
      await one.printed(/(acme\/load: failed)/);
      expect(receiver.alerts).toMatchObject([
        { event: 'failure', pipeline: 'acme/load', exitCode: 2, run: null },
      ]);
    }),
  ));

it('a job that is given up because its machines died at work on it has an alert, and one when it works again', () =>
  atReceiver((receiver) =>
    atFleet(
      {
        ...{ rows: 300, limits: { deaths: 1 } },
        fleet: { places, alerts: { url: receiver.url, on: ['failure', 'recovery'] } },
        faults: { latency: { min: 80, max: 120 } },
      },
      async (site) => {
        const [one, two] = [site.machine('one'), site.machine('two')];
        one.start();
        await site.longshore('fleet', 'run', 'acme', 'load');
        await seen(site.sandbox, 25, ({ applied }) => applied);
        two.start();
        await one.kill();
        await receiver.came(1);
        expect(receiver.alerts).toMatchObject([
          {
            ...{ event: 'failure', pipeline: 'acme/load', kind: 'import' },
            message: expect.stringContaining('the job may be what ends its workers'),
            next: expect.stringContaining('fleet retry acme load'),
          },
        ]);
        await site.longshore('fleet', 'retry', 'acme', 'load');
        await receiver.came(2);
        expect(receiver.alerts.slice(1)).toMatchObject([
          { event: 'recovery', failures: 1, failingSince: expect.stringContaining('T') },
        ]);
        expect(await two.drain()).toBe(0);
      },
    ),
  ));

it('a job that fails at each try has an alert when that begins, one when it is given up, and one when it works again', () =>
  atReceiver((receiver) =>
    atFleet(
      {
        ...{ rows: 4, limits: { retries: 2 }, faults: { path: '/contact/list', rates: { 503: 1 } } },
        fleet: { places, alerts: { url: receiver.url, on: ['failure', 'recovery'] } },
      },
      async (site) => {
        const nightly = join(site.folder, 'nightly.yaml');
        const { export: settings, ...rest } = JSON.parse(readFileSync(nightly, 'utf8'));
        const impatient = { ...rest, export: { ...settings, limits: { outage: '1s', attempts: 1 } } };
        writeFileSync(nightly, JSON.stringify(impatient));
        await site.longshore('fleet', 'apply', site.fleetFile, '--yes');
        const one = site.machine('one');
        one.start();
        await site.longshore('fleet', 'run', 'acme', 'nightly');
        await one.printed(/(acme\/nightly: failed:)/);
        expect(receiver.alerts).toMatchObject([
          {
            ...{ event: 'failure', pipeline: 'acme/nightly', exitCode: 7, failures: 1 },
            message: expect.stringContaining('The fleet tries it again.'),
          },
          {
            ...{ event: 'failure', pipeline: 'acme/nightly', exitCode: 7, failures: 3 },
            message: expect.stringContaining('It was given up after 3 tries.'),
            next: expect.stringContaining('fleet retry acme nightly'),
          },
        ]);
        site.sandbox.setFaults([]);
        await site.longshore('fleet', 'retry', 'acme', 'nightly');
        await site.succeeded('nightly');
        expect(receiver.alerts.slice(2)).toMatchObject([{ event: 'recovery', failures: 3 }]);
      },
    ),
  ));

it('an export that is in its place is done, also where `latest` cannot lead to it', () =>
  atReceiver((receiver) =>
    atFleet({ rows: 4, fleet: alerted(receiver.url) }, async (site) => {
      mkdirSync(join(site.folder, 'out/acme/latest'), { recursive: true });
      const one = site.machine('one');
      one.start();
      await site.longshore('fleet', 'run', 'acme', 'nightly');
      await one.printed(/(acme\/nightly: (?:done|failed))/);
      expect(one.said).toContain('`latest` could not be set');
      expect(one.said).toContain('acme/nightly: done');
      expect(receiver.alerts).toEqual([]);
    }),
  ));
