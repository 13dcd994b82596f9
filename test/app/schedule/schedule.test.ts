import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ScheduledJob, ScheduleFile } from '../../../src/app/schedule/job.ts';
import { createKubernetesFiles } from '../../../src/app/schedule/kubernetes.ts';
import { createScheduleFiles } from '../../../src/app/schedule/registry.ts';
import { createSystemdFiles } from '../../../src/app/schedule/systemd.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longshore-schedule-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const machine = {
  node: process.execPath,
  main: '/opt/long shore/dist/command/main.js',
  checkout: '/opt/long shore',
  user: 'ops',
  home: '/home/ops',
  timezone: 'UTC',
};

const nightly: ScheduledJob = {
  pipeline: 'Nightly: 100 % of Ünal & Söhne',
  kind: 'export',
  file: "/opt/long shore/pipe$lines/o'clock 100%.yaml",
  workDir: '/var/lib/longshore/100%',
  workspace: undefined,
  exports: '/srv/the "exports"',
  at: { hour: 2, minute: 5 },
  timezone: 'Asia/Kuala_Lumpur',
  timeout: 3 * 3_600_000,
  allowEnv: [],
  variables: [
    { name: 'LONGSHORE_BASE_URL', value: 'https://api.example.com/v1', required: true },
    { name: 'LONGSHORE_TOKEN', value: undefined, required: true },
    { name: 'LONGSHORE_NOTIFY_SECRET', value: undefined, required: false },
  ],
  machine,
};

function textOf(files: readonly ScheduleFile[], ending: string): string {
  const file = files.find(({ name }) => name.endsWith(ending));
  if (file === undefined) throw new Error(`there is no file .${ending}`);
  return file.text;
}

/** Whether a tool of this machine can be asked. */
function has(tool: string): boolean {
  return spawnSync(tool, ['--help']).status === 0;
}

/** A crontab as cron reads it: what it sets, and its one line with the percent signs taken as cron takes them. */
function parseCrontab(text: string) {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const set = lines.slice(0, -1).map((line) => /^([A-Z_]+)=(.*)$/.exec(line)?.slice(1));
  const [minute, hour, day, month, weekday, ...words] = lines.at(-1)?.split(' ') ?? [];
  const command = words.join(' ');
  expect(command).not.toMatch(/(^|[^\\])%/);
  return { set, time: [minute, hour, day, month, weekday], command: command.replaceAll('\\%', '%') };
}

test('cron: one line at that time, of which the shell makes the words that were meant', () => {
  const files = createScheduleFiles('cron', nightly);
  expect(files.map(({ name }) => name)).toEqual([
    'longshore-nightly-100-of-u-nal-so-hne.crontab',
    'longshore-nightly-100-of-u-nal-so-hne.env',
  ]);
  const { set, time, command } = parseCrontab(textOf(files, 'crontab'));
  expect(time).toEqual(['5', '2', '*', '*', '*']);
  expect(set).toContainEqual(['CRON_TZ', 'Asia/Kuala_Lumpur']);
  expect(set.find((pair) => pair?.[0] === 'PATH')?.[1]).toContain('/usr/bin');
  // Everything but the words of the program itself is taken out, and a shell prints those.
  const program = /set \+a && (.*); \} >> /.exec(command)?.[1] ?? '';
  const printed = spawnSync('sh', ['-c', `printf '%s\\n' ${program}`], { encoding: 'utf8' });
  expect(printed.stdout.trimEnd().split('\n')).toEqual([
    process.execPath,
    machine.main,
    'export',
    nightly.file,
    '--work-dir',
    nightly.workDir,
  ]);
  expect(textOf(files, 'env').split('\n').slice(1)).toEqual([
    'LONGSHORE_BASE_URL=https://api.example.com/v1',
    'LONGSHORE_TOKEN=',
    '# LONGSHORE_NOTIFY_SECRET=',
    '',
  ]);
});

test('cron: the time of this machine needs no zone', () => {
  const { set } = parseCrontab(
    textOf(createScheduleFiles('cron', { ...nightly, timezone: 'UTC' }), 'crontab'),
  );
  expect(set.map((pair) => pair?.[0])).toEqual(['SHELL', 'PATH']);
});

test.each(['cron', 'systemd', 'kubernetes'] as const)(
  '%s: a text that would begin a line of its own is refused, wherever it is',
  (scheduler) => {
    const bad = ['/work\n* * * * * root touch x', '/work\u2028x', '/work\\', '/wo\\/rk'];
    const at = (text: string): readonly ScheduledJob[] => [
      { ...nightly, pipeline: text },
      { ...nightly, file: text },
      { ...nightly, workDir: text },
      { ...nightly, exports: text },
      { ...nightly, workspace: text },
      { ...nightly, machine: { ...machine, home: text } },
      { ...nightly, variables: [{ name: 'LONGSHORE_BASE_URL', value: text, required: true }] },
    ];
    for (const job of bad.flatMap(at)) expect(() => createScheduleFiles(scheduler, job)).toThrow(FatalError);
    expect(createScheduleFiles(scheduler, nightly)).not.toEqual([]);
  },
);

test('a value of the machine is one word in the file of variables, and no variable of Kubernetes', () => {
  const value = 'https://x.example/$(touch x)';
  const job = { ...nightly, variables: [{ name: 'LONGSHORE_BASE_URL', value, required: true }] };
  expect(textOf(createScheduleFiles('cron', job), 'env')).toContain(`LONGSHORE_BASE_URL='${value}'\n`);
  const [, cronJob] = parseAllDocuments(textOf(createKubernetesFiles(job), 'yaml')).map((document) =>
    document.toJS(),
  );
  const [container] = cronJob.spec.jobTemplate.spec.template.spec.containers;
  expect(container.env).toEqual([{ name: 'LONGSHORE_BASE_URL', value: 'https://x.example/$$(touch x)' }]);
});

test('each scheduler allows the variables that are not LONGSHORE_*', () => {
  const job = { ...nightly, allowEnv: ['ACME_TOKEN', 'ACME_SECRET'] };
  for (const scheduler of ['cron', 'systemd', 'kubernetes'] as const)
    expect(createScheduleFiles(scheduler, job)[0]?.text).toMatch(/--allow-env[\s-]+ACME_TOKEN,ACME_SECRET/);
});

test('systemd: the limits and folders are those of the pipeline', () => {
  const service = textOf(createSystemdFiles(nightly), 'service');
  expect(service).toContain('\nTimeoutStartSec=11100\n');
  expect(service).toContain('\nReadWritePaths=/var/lib/longshore/100%% "/srv/the \\"exports\\""\n');
  expect(service).toContain('\nPrivateTmp=yes\n');
  expect(textOf(createSystemdFiles({ ...nightly, timeout: undefined }), 'service')).toContain(
    '\nTimeoutStartSec=infinity\n',
  );
  const rehearsal = { ...nightly, workDir: '/tmp/work' };
  expect(textOf(createSystemdFiles(rehearsal), 'service')).not.toContain('PrivateTmp');
  expect(textOf(createSystemdFiles(nightly), 'timer')).toContain(
    '\nOnCalendar=*-*-* 02:05:00 Asia/Kuala_Lumpur\n',
  );
});

test.skipIf(!has('systemd-analyze'))(
  'systemd takes the units (skipped where systemd-analyze is not there)',
  () => {
    const main = join(folder, 'main 100%.js');
    writeFileSync(main, '');
    const units = createSystemdFiles({ ...nightly, machine: { ...machine, main } });
    const paths = units.map(({ name, text }) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
    const verified = spawnSync(
      'systemd-analyze',
      ['verify', ...paths.filter((path) => !path.endsWith('.env'))],
      {
        encoding: 'utf8',
      },
    );
    expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' });
    const calendar = /OnCalendar=(.*)/.exec(textOf(units, 'timer'))?.[1] ?? '';
    const elapses = spawnSync('systemd-analyze', ['calendar', calendar], { encoding: 'utf8' });
    expect(elapses.status).toBe(0);
    // Kuala Lumpur is eight hours ahead of UTC all year round.
    expect(elapses.stdout).toMatch(/Next elapse: .* 18:05:00 UTC/);
  },
);

test('Kubernetes: one run at a time, tried again only where that is of use, with what it writes on the volume', () => {
  const inside = { ...nightly, file: '/opt/long shore/pipelines/n.yaml', exports: '/opt/long shore/exports' };
  const text = textOf(createKubernetesFiles(inside), 'yaml');
  const [claim, job] = parseAllDocuments(text).map((document) => document.toJS());
  expect(claim).toMatchObject({ kind: 'PersistentVolumeClaim', spec: { accessModes: ['ReadWriteOnce'] } });
  const { spec } = job;
  expect(spec).toMatchObject({
    schedule: '5 2 * * *',
    timeZone: 'Asia/Kuala_Lumpur',
    concurrencyPolicy: 'Forbid',
  });
  const { podFailurePolicy, template } = spec.jobTemplate.spec;
  expect(podFailurePolicy.rules[1].onExitCodes.values).toEqual([2, 3, 4, 5]);
  const [container] = template.spec.containers;
  expect(template.spec.restartPolicy).toBe('Never');
  expect(container.command).toEqual([
    'node',
    '/app/dist/command/main.js',
    'export',
    '/app/pipelines/n.yaml',
    '--work-dir',
    '/work',
  ]);
  expect(container.volumeMounts.map((mount: { mountPath: string }) => mount.mountPath)).toEqual([
    '/work',
    '/app/exports',
    '/tmp',
  ]);
  const secret = { name: claim.metadata.name };
  expect(container.env).toEqual([
    { name: 'LONGSHORE_BASE_URL', value: 'https://api.example.com/v1' },
    { name: 'LONGSHORE_TOKEN', valueFrom: { secretKeyRef: { ...secret, key: 'LONGSHORE_TOKEN' } } },
    {
      name: 'LONGSHORE_NOTIFY_SECRET',
      valueFrom: { secretKeyRef: { ...secret, key: 'LONGSHORE_NOTIFY_SECRET', optional: true } },
    },
  ]);
});

test.skipIf(!has('kubectl'))(
  'kubectl knows every key of the CronJob (skipped where kubectl is not there)',
  () => {
    const job = parseAllDocuments(textOf(createKubernetesFiles(nightly), 'yaml'))[1]?.toJS();
    const path = join(folder, 'job.json');
    writeFileSync(path, JSON.stringify(job));
    // Without a server: it reads the object into its own types, which drop what they do not know.
    mkdirSync(join(folder, 'home'), { recursive: true });
    const read = spawnSync(
      'kubectl',
      ['set', 'image', '--local', '-f', path, 'longshore=example.com/x:1', '-o', 'json'],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
      },
    );
    expect({ status: read.status, said: read.stderr }).toEqual({ status: 0, said: '' });
    job.spec.jobTemplate.spec.template.spec.containers[0].image = 'example.com/x:1';
    expect(JSON.parse(read.stdout)).toMatchObject(job);
  },
);
