import { createHmac } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atReceiver, type Receiver } from '../notify/receiver.ts';
import { atSite, changed, type Site, type SiteOptions, slowly } from './site.ts';

const secret = 'a-secret-between-the-two';
const env = { LONGSHORE_NOTIFY_SECRET: secret };

/** A site whose pipeline tells a receiver. */
function atWatched(
  { on, ...options }: SiteOptions & { readonly on: string },
  use: (site: Site, receiver: Receiver) => Promise<void>,
): Promise<void> {
  return atReceiver((receiver) =>
    atSite({ rows: 8, ...options }, async (site) => {
      appendFileSync(site.people.pipeline, `  notify: { url: "${receiver.url}", on: ${on} }\n`);
      await use(site, receiver);
    }),
  );
}

function night(site: Site, more: Record<string, string> = {}) {
  const args = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--json'];
  return site.longshore(args, { env: { ...env, ...more } });
}

it('tells of failures, also where no run began, of the night when it works again, and of the one that left rows', () =>
  atWatched({ on: '[failure, rejects, recovery]' }, async (site, receiver) => {
    expect((await night(site)).code).toBe(0);
    expect(receiver.alerts).toEqual([]);

    const refused = { LONGSHORE_TOKEN: 'a-token-that-has-expired' };
    expect((await night(site, refused)).code).toBe(5);
    const none = await night(site, { LONGSHORE_TOKEN: '' });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('error: No token: the environment variable LONGSHORE_TOKEN is not set.');
    const both = receiver.alerts;
    const failure = { event: 'failure', pipeline: 'people', kind: 'import', run: null, outcome: 'stopped' };
    expect(both).toMatchObject([
      { ...failure, exitCode: 5, failures: 1, rehearsal: false, host: hostname() },
      { ...failure, exitCode: 2, failures: 2, failingSince: both[0]?.failingSince },
    ]);
    expect(both[1]).toMatchObject({
      message: 'No token: the environment variable LONGSHORE_TOKEN is not set.',
      next: expect.stringContaining('export LONGSHORE_TOKEN='),
    });

    expect((await night(site)).code).toBe(0);
    expect(receiver.alerts[2]).toMatchObject({
      event: 'recovery',
      outcome: 'finished',
      exitCode: 0,
      failures: 2,
      failingSince: both[0]?.failingSince,
      message: `works again after 2 failed attempts since ${String(both[0]?.failingSince)}: finished.`,
      rows: { read: 8, unchanged: 8 },
    });

    const csv = join(site.folder, 'people.csv');
    writeFileSync(csv, readFileSync(csv, 'utf8').replace('person1@example.com', 'person1'));
    expect((await night(site)).code).toBe(3);
    expect(receiver.alerts).toHaveLength(4);
    expect(receiver.alerts[3]).toMatchObject({
      event: 'rejects',
      exitCode: 3,
      rows: { rejected: 1 },
      message: 'finished; rows that need attention: 1 rejected.',
      next: expect.stringMatching(/^npx longshore retry \S+-people(-\d+)? --work-dir /),
    });
    for (const { headers, body } of receiver.delivered) {
      expect(body).not.toMatch(/example\.com|s3cret|a-token|a-secret|\+1201/);
      const [, seconds, code] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['longshore-signature'])) ?? [];
      expect(code).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
    }
    expect(new Set(receiver.delivered.map(({ headers }) => headers['longshore-delivery'])).size).toBe(4);
  }));

it('an alert that is refused changes no exit code, and is said on standard error and in the log', () =>
  atWatched({ on: '[success]' }, async (site, receiver) => {
    receiver.answer = 404;
    const ended = await night(site);
    expect(ended.code).toBe(0);
    const { host } = new URL(receiver.url);
    const sentence = `the alert (success) did not reach ${host}: answered 404`;
    expect(ended.stderr).toBe(`warning: ${sentence}\n`);
    const { run }: { run: string } = JSON.parse(ended.stdout);
    const log = readFileSync(join(site.workDir, 'runs', run, 'log.ndjson'), 'utf8');
    expect(JSON.parse(log.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'alert',
      msg: sentence,
    });
    expect(receiver.delivered).toHaveLength(1);
  }));

it('an overlapping start is told of once, an interrupted run not at all, and a resume that ends tells, too', () =>
  atWatched(
    { ...slowly, limits: '{ concurrency: 2, settle: 1s }', rows: 20, on: '[failure, recovery, success]' },
    async (site, receiver) => {
      const args = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--json'];
      const first = site.begin(args, { env });
      await changed(site.sandbox, 2);
      // It waits for the workspace to come back, and holds the lock meanwhile.
      site.sandbox.setFaults([{ rates: { dropBefore: 1 } }]);
      expect((await night(site)).code).toBe(6);
      expect((await night(site)).code).toBe(6);
      expect(receiver.alerts).toMatchObject([{ event: 'failure', exitCode: 6, run: null }]);
      first.process.kill('SIGTERM');
      expect((await first.ended).code).toBe(143);
      expect(receiver.alerts).toHaveLength(1);
      site.sandbox.setFaults([]);
      expect((await site.longshore(['resume', '--json'], { env })).code).toBe(0);
      expect(receiver.alerts[1]).toMatchObject({
        event: 'recovery',
        exitCode: 0,
        failures: 2,
        rows: { read: 20 },
      });
    },
  ));

it('SIGTERM ends the sending, and the exit code stays', () =>
  atWatched({ on: '[success]' }, async (site, receiver) => {
    receiver.answer = undefined;
    const args = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--json'];
    const running = site.begin(args, { env });
    await receiver.came(1);
    running.process.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /^warning: the alert \(success\) did not reach \S+: interrupted by SIGTERM\.\n$/,
    );
  }));

it('a rehearsal on the local workspace says so, and is no recovery of the real one', () =>
  atWatched({ on: '[failure, recovery, success]' }, async (site, receiver) => {
    // The local workspace begins without custom fields.
    const mapping = join(site.folder, 'mapping.yaml');
    const [contact = ''] = readFileSync(mapping, 'utf8').split('customFields:');
    writeFileSync(mapping, contact);
    await night(site, { LONGSHORE_TOKEN: '' });
    const rehearsal = ['import', site.people.pipeline, '--workspace', 'sandbox', '--json'];
    expect((await site.longshore(rehearsal)).code).toBe(0);
    expect(receiver.alerts).toMatchObject([
      { event: 'failure', rehearsal: false },
      { event: 'success', rehearsal: true, failures: 0 },
    ]);
    expect(receiver.delivered[1]?.headers).not.toHaveProperty('longshore-signature');
    await night(site);
    expect(receiver.alerts[2]).toMatchObject({ event: 'recovery', rehearsal: false });
  }));

it('an export tells, too: of the guard that kept it back, and of the night when it appeared', () =>
  atReceiver((receiver) =>
    atSite({ rows: 8 }, async (site) => {
      const pipeline = join(site.folder, 'export.yaml');
      const nightly = (least: number) =>
        `pipeline: nightly\nexport:\n  to: out/{date}\n  contacts: { format: csv }\n  expect: { contacts: { min: ${least} } }\n  notify: { url: "${receiver.url}", on: [rejects, recovery] }\n`;
      const night = () =>
        site.longshore(['export', pipeline, '--workspace', site.sandbox.baseUrl, '--json'], { env });
      writeFileSync(pipeline, nightly(1_000));
      expect((await night()).code).toBe(4);
      writeFileSync(pipeline, nightly(1));
      expect((await night()).code).toBe(0);
      const [kept, appeared] = receiver.alerts;
      expect(kept).toMatchObject({ event: 'rejects', kind: 'export', exitCode: 4, failures: 1 });
      expect(kept?.message).toContain('the export is not what the pipeline expects');
      expect(appeared).toMatchObject({ event: 'recovery', failures: 1, counts: { contacts: 2 } });
    }),
  ));
