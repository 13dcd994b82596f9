import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { WorkerDeployment } from '../../src/fleet/deploy/deployment.ts';
import { type Deployer, deployFiles } from '../../src/fleet/deploy/registry.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const deployment: WorkerDeployment = {
  root: '/srv/fl$eet',
  fleetFile: '/srv/fl$eet/fleet.yaml',
  files: [
    { path: '/srv/fl$eet/fleet.yaml', text: 'fleet: acme\n' },
    { path: '/srv/fl$eet/pipelines/load.yaml', text: 'pipeline: load\n' },
  ],
  tokens: ['/srv/fl$eet/tokens/acme'],
  variables: [
    { name: 'LONGSHORE_FLEET_DATABASE', required: true },
    { name: 'LONGSHORE_FLEET_KEY', required: true },
    { name: 'LONGSHORE_NOTIFY_SECRET', required: false },
  ],
  folders: ['/mnt/exports 100%'],
  image: 'registry.example.com/longshore:1',
  workers: 2,
  concurrency: 3,
  allowEnv: ['ACME_TOKEN'],
  machine: {
    node: process.execPath,
    main: '/opt/long shore/dist/command/main.js',
    checkout: '/opt/long shore',
    user: 'ops',
    home: '/home/ops',
    timezone: 'UTC',
  },
};

function filesOf(deployer: Deployer, more: Partial<WorkerDeployment> = {}): Map<string, string> {
  return new Map(deployFiles(deployer, { ...deployment, ...more }).map(({ name, text }) => [name, text]));
}

function documents(more: Partial<WorkerDeployment> = {}) {
  const text = filesOf('kubernetes', more).get('longshore-worker.yaml') ?? '';
  return parseAllDocuments(text).map((document) => document.toJS());
}

function has(tool: string): boolean {
  return spawnSync(tool, ['--help']).status === 0;
}

test('Kubernetes: workers with probes, limits and a budget, secrets by reference, and no volume that outlives them', () => {
  const [files, workers, budget] = documents();
  expect(files).toMatchObject({
    kind: 'ConfigMap',
    data: { 'file-1': 'fleet: acme\n', 'file-2': 'pipeline: load\n' },
  });
  expect(budget).toMatchObject({ kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1 } });
  expect(budget.spec.selector).toEqual(workers.spec.selector);
  const { spec } = workers.spec.template;
  const [container] = spec.containers;
  expect(workers.spec.replicas).toBe(2);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60);
  expect(container.args).toEqual([
    ...['worker', '/fleet/fleet.yaml', '--work-dir', '/work', '--port', '9464', '--concurrency', '3'],
    ...['--allow-env', 'ACME_TOKEN', '--host', '0.0.0.0'],
  ]);
  expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  expect(container.resources.limits.memory).toBeDefined();
  const key = (name: string, optional = {}) => ({
    name,
    valueFrom: { secretKeyRef: { name: 'longshore-worker', key: name, ...optional } },
  });
  expect(container.env).toEqual([
    key('LONGSHORE_FLEET_DATABASE'),
    key('LONGSHORE_FLEET_KEY'),
    key('LONGSHORE_NOTIFY_SECRET', { optional: true }),
  ]);
  const [fleet, work] = spec.volumes;
  expect(work).toEqual({ name: 'work', emptyDir: { sizeLimit: '20Gi' } });
  expect(fleet.projected.sources).toEqual([
    {
      configMap: {
        name: 'longshore-worker',
        items: [
          { key: 'file-1', path: 'fleet.yaml' },
          { key: 'file-2', path: 'pipelines/load.yaml' },
        ],
      },
    },
    { secret: { name: 'longshore-tokens', items: [{ key: 'acme', path: 'tokens/acme' }] } },
  ]);
  expect(spec.volumes.at(-1)).toEqual({
    name: 'longshore-place-1',
    persistentVolumeClaim: { claimName: 'longshore-place-1' },
  });
  const [, bare] = documents({ folders: [], tokens: [] });
  const kinds = bare.spec.template.spec.volumes.map((volume: object) => Object.keys(volume).at(-1));
  expect(kinds).toEqual(['projected', 'emptyDir', 'emptyDir']);
});

test.skipIf(!has('kubectl'))(
  'kubectl knows every key of the Deployment and the budget (skipped where it is not there)',
  () => {
    const [, workers, budget] = documents();
    const path = join(folder.path, 'workers.json');
    writeFileSync(path, JSON.stringify(workers));
    const home = join(folder.path, 'home');
    mkdirSync(home, { recursive: true });
    const kubectl = (...args: readonly string[]) => {
      const ended = spawnSync('kubectl', [...args], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home },
      });
      expect({ status: ended.status, said: ended.stderr }).toEqual({ status: 0, said: '' });
      return JSON.parse(ended.stdout);
    };
    // Without a server: it reads the object into its own types, which drop what they do not know.
    const read = kubectl('set', 'image', '--local', '-f', path, 'worker=example.com/x:1', '-o', 'json');
    workers.spec.template.spec.containers[0].image = 'example.com/x:1';
    expect(read).toMatchObject(workers);
    // Of the budget it prints its own: with the same keys.
    const selector = Object.entries(budget.spec.selector.matchLabels).map(
      ([key, value]) => `${key}=${value}`,
    );
    const own = kubectl(
      ...['create', 'poddisruptionbudget', 'longshore-worker', '--dry-run=client', '-o', 'json'],
      ...['--max-unavailable=1', `--selector=${selector.join(',')}`],
    );
    expect(own).toMatchObject(budget);
  },
);

test('systemd: a template whose instance is the port, hardened, with its variables in a file', () => {
  const files = filesOf('systemd');
  const service = files.get('longshore-worker@.service') ?? '';
  expect(service).toContain(
    `\nExecStart=${process.execPath} "/opt/long shore/dist/command/main.js" worker /srv/fl$$eet/fleet.yaml --work-dir %S/longshore/%i --port %i --concurrency 3 --allow-env ACME_TOKEN\n`,
  );
  for (const line of [
    'EnvironmentFile=/etc/longshore/longshore-worker.env',
    'ReadWritePaths="/mnt/exports 100%%"',
    'KillMode=mixed',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'Restart=always',
  ])
    expect(service).toContain(`\n${line}\n`);
  expect(files.get('longshore-worker.env')?.split('\n').slice(1)).toEqual([
    'LONGSHORE_FLEET_DATABASE=',
    'LONGSHORE_FLEET_KEY=',
    '# LONGSHORE_NOTIFY_SECRET=',
    '',
  ]);
});

test.skipIf(!has('systemd-analyze'))(
  'systemd takes the unit (skipped where systemd-analyze is not there)',
  () => {
    const main = join(folder.path, 'main 100%.js');
    writeFileSync(main, '');
    const { machine } = deployment;
    const text = filesOf('systemd', { machine: { ...machine, main } }).get('longshore-worker@.service') ?? '';
    const path = join(folder.path, 'longshore-worker@9464.service');
    writeFileSync(path, text);
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' });
  },
);

test('compose: nothing of a worker outlives it, and its variables come from a file', () => {
  const { services } = parse(filesOf('compose').get('compose.yaml') ?? '');
  expect(services.worker).toMatchObject({
    image: deployment.image,
    env_file: 'longshore-worker.env',
    read_only: true,
    cap_drop: ['ALL'],
    stop_grace_period: '120s',
    deploy: { replicas: 2 },
  });
  expect(services.worker.volumes).toEqual(['/srv/fl$$eet:/fleet:ro', '/mnt/exports 100%:/mnt/exports 100%']);
  expect(services.worker.command.slice(0, 2)).toEqual(['worker', '/fleet/fleet.yaml']);
});

test.each(['kubernetes', 'systemd', 'compose'] as const)(
  '%s: a path with a line break is refused',
  (deployer) => {
    expect(() => filesOf(deployer, { fleetFile: '/srv/a\nb' })).toThrow('line break');
  },
);
