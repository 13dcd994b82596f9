import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { WorkerDeployment } from '../../src/fleet/deploy/deployment.ts';
import { buildWorkerDeployment } from '../../src/fleet/deploy/gather.ts';
import { buildDeploymentFiles, type DeploymentFormat } from '../../src/fleet/deploy/registry.ts';
import { loadFleet } from '../../src/fleet/fleet-file/load.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const at = (host: string, container: string) => ({ host, container });
const tokens: WorkerDeployment['tokens'] = [
  {
    folder: at('/srv/fl$eet/tokens', '/fleet/tokens'),
    files: [{ ...at('/srv/fl$eet/tokens/acme', '/fleet/tokens/acme'), workspace: 'acme' }],
  },
];
const deployment: WorkerDeployment = {
  fleetFile: at('/srv/fl$eet/fleet.yaml', '/fleet/fleet.yaml'),
  files: [
    { ...at('/srv/fl$eet/fleet.yaml', '/fleet/fleet.yaml'), text: 'fleet: acme\n' },
    { ...at('/srv/fl$eet/pipelines/load.yaml', '/fleet/pipelines/load.yaml'), text: 'pipeline: load\n' },
  ],
  tokens,
  variables: [
    { name: 'LONGSHORE_FLEET_DATABASE', required: true },
    { name: 'LONGSHORE_FLEET_KEY', required: true },
    { name: 'LONGSHORE_NOTIFY_SECRET', required: false },
  ],
  places: [{ ...at('/mnt/$(exports) 100%', '/mnt/$(exports) 100%'), name: 'outputs', writable: true }],
  image: 'registry.example.com/longshore:1',
  workers: 2,
  concurrency: 3,
  allowEnv: ['ACME_TOKEN'],
  ports: [443, 5432],
  machine: {
    node: process.execPath,
    main: '/opt/long shore/dist/command/main.js',
    checkout: '/opt/long shore',
    user: 'root',
    home: '/home/ops',
    timezone: 'UTC',
  },
};

function filesOf(deployer: DeploymentFormat, more: Partial<WorkerDeployment> = {}): Map<string, string> {
  return new Map(
    buildDeploymentFiles(deployer, { ...deployment, ...more }).map(({ name, text }) => [name, text]),
  );
}

function documents(more: Partial<WorkerDeployment> = {}) {
  const text = filesOf('kubernetes', more).get('longshore-worker.yaml') ?? '';
  return parseAllDocuments(text).map((document) => document.toJS());
}

function has(tool: string): boolean {
  return spawnSync(tool, ['--help']).status === 0;
}

test('Kubernetes: workers with probes, limits by their jobs, secrets by reference, and a hash of their files', () => {
  const [files, workers, budget, service, policy] = documents();
  expect(files).toMatchObject({
    kind: 'ConfigMap',
    data: { 'file-1': 'fleet: acme\n', 'file-2': 'pipeline: load\n' },
  });
  expect(budget).toMatchObject({ kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1 } });
  expect(budget.spec.selector).toEqual(workers.spec.selector);
  expect(service).toMatchObject({ kind: 'Service', spec: { selector: workers.spec.selector.matchLabels } });
  expect(policy).toMatchObject({ kind: 'NetworkPolicy', spec: { podSelector: workers.spec.selector } });
  expect(policy.spec.egress.at(-1).ports).toEqual([443, 5432].map((port) => ({ protocol: 'TCP', port })));
  const { spec, metadata } = workers.spec.template;
  const [container] = spec.containers;
  expect(workers.spec.replicas).toBe(2);
  expect(metadata.labels).toEqual(workers.spec.selector.matchLabels);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60);
  expect(container.args).toEqual([
    ...[
      'worker',
      '/fleet/fleet.yaml',
      '--work-dir',
      '/work/longshore',
      '--port',
      '9464',
      '--concurrency',
      '3',
    ],
    ...['--allow-env', 'ACME_TOKEN', '--host', '0.0.0.0'],
  ]);
  expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  expect(container.resources.limits.memory).toBe('750Mi');
  const key = (name: string, optional = {}) => ({
    name,
    valueFrom: { secretKeyRef: { name: 'longshore-worker', key: name, ...optional } },
  });
  expect(container.env).toEqual([
    key('LONGSHORE_FLEET_DATABASE'),
    key('LONGSHORE_FLEET_KEY'),
    key('LONGSHORE_NOTIFY_SECRET', { optional: true }),
  ]);
  expect(container.volumeMounts.slice(2)).toEqual([
    { name: 'fleet', mountPath: '/fleet/fleet.yaml', subPath: 'file-1', readOnly: true },
    { name: 'fleet', mountPath: '/fleet/pipelines/load.yaml', subPath: 'file-2', readOnly: true },
    { name: 'longshore-tokens', mountPath: '/fleet/tokens', readOnly: true },
    { name: 'longshore-outputs', mountPath: '/mnt/$(exports) 100%' },
  ]);
  const [first] = deployment.files;
  const other = documents({ files: first === undefined ? [] : [{ ...first, text: 'fleet: birch\n' }] })[1];
  expect(other.spec.template.metadata.annotations).not.toEqual(metadata.annotations);
  const [monitor] = parseAllDocuments(filesOf('kubernetes').get('longshore-worker-monitor.yaml') ?? '');
  expect(monitor?.toJS()).toMatchObject({
    kind: 'PodMonitor',
    spec: { selector: workers.spec.selector, podMetricsEndpoints: [{ port: 'health', path: '/metrics' }] },
  });
});

test('Kubernetes: a folder with a token for each of 500 workspaces is one secret, mounted without a line for each', () => {
  const names = Array.from({ length: 500 }, (_, n) => `shop-${n}`);
  const folder = at('/run/tok', '/run/tok');
  const group = (file: (name: string) => string) => [
    {
      folder,
      files: names.map((name) => ({
        ...at(`/run/tok/${file(name)}`, `/run/tok/${file(name)}`),
        workspace: name,
      })),
    },
  ];
  const volumeOf = (of: WorkerDeployment['tokens']) =>
    documents({ tokens: of })[1].spec.template.spec.volumes.find(
      ({ name }: { name: string }) => name === 'longshore-tokens',
    );
  expect(volumeOf(group((name) => `${name}.txt`))).toEqual({
    name: 'longshore-tokens',
    secret: { secretName: 'longshore-tokens', defaultMode: 0o440 },
  });
  // In a folder of its own each file has the same name: the keys are the workspaces.
  const { items } = volumeOf(group((name) => `${name}/token`)).secret;
  expect(items).toHaveLength(500);
  expect(items[7]).toEqual({ key: 'shop-7', path: 'shop-7/token' });
  const script = filesOf('kubernetes', { tokens: group((name) => `${name}/token`) }).get(
    'longshore-secrets.sh',
  );
  expect(script).toContain('--from-file=shop-7=/run/tok/shop-7/token ');
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
  const files = filesOf('systemd', { image: undefined });
  const service = files.get('longshore-worker@.service') ?? '';
  expect(service).toContain(
    `\nExecStart=${process.execPath} "/opt/long shore/dist/command/main.js" worker /srv/fl$$eet/fleet.yaml --work-dir %S/longshore/%i --port %i --concurrency 3 --allow-env ACME_TOKEN\n`,
  );
  for (const line of [
    'EnvironmentFile=/etc/longshore/longshore-worker.env',
    'ReadWritePaths="/mnt/$(exports) 100%%"',
    // Not the user who typed the command.
    'User=longshore',
    'MemoryMax=750M',
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

test('compose: each file and place is mounted where the worker reads it, and what is in memory is within the limit', () => {
  const text = filesOf('compose').get('compose.yaml') ?? '';
  const { worker } = parse(text).services;
  expect(worker).toMatchObject({
    image: deployment.image,
    env_file: 'longshore-worker.env',
    user: '1000:1000',
    read_only: true,
    cap_drop: ['ALL'],
    stop_grace_period: '120s',
    tmpfs: ['/tmp:size=64m'],
    deploy: { replicas: 2, resources: { limits: { memory: '814M' } } },
  });
  const bind = (source: string, target: string, readOnly = true) => ({
    ...{ type: 'bind', source, target, read_only: readOnly, bind: { create_host_path: false } },
  });
  expect(worker.volumes).toEqual([
    { type: 'volume', target: '/work' },
    bind('/srv/fl$$eet/fleet.yaml', '/fleet/fleet.yaml'),
    bind('/srv/fl$$eet/pipelines/load.yaml', '/fleet/pipelines/load.yaml'),
    bind('/srv/fl$$eet/tokens', '/fleet/tokens'),
    bind('/mnt/$$(exports) 100%', '/mnt/$$(exports) 100%', false),
  ]);
  expect(worker.command.slice(0, 2)).toEqual(['worker', '/fleet/fleet.yaml']);
});

const bad = '/srv/a\nb';
test.each<[string, Partial<WorkerDeployment>]>([
  ['the fleet file', { fleetFile: at(bad, '/fleet/fleet.yaml') }],
  ['a pipeline', { files: [{ ...at(bad, bad), text: '' }] }],
  ['a token', { tokens: [{ folder: undefined, files: [{ ...at(bad, bad), workspace: 'acme' }] }] }],
  ['a folder of tokens', { tokens: [{ folder: at(bad, bad), files: [] }] }],
  ['a place', { places: [{ ...at(bad, bad), name: 'inputs', writable: false }] }],
])('a line break in the path of %s is refused', (_, more) => {
  for (const deployer of ['kubernetes', 'systemd', 'compose'] as const)
    expect(() => filesOf(deployer, more), deployer).toThrow('line break');
});

test.each(['kubernetes', 'compose'] as const)(
  '%s: an image that is not the name of one is refused',
  (deployer) => {
    for (const image of [undefined, '', 'a b', 'x:1\nuser: root', '$(id)', '$IMAGE', 'x@sha256:1'])
      expect(() => filesOf(deployer, { image }), String(image)).toThrow('--image');
    for (const image of ['longshore:0.1.0', 'localhost:5000/a/b', `x.example/y@sha256:${'0'.repeat(64)}`])
      expect(() => filesOf(deployer, { image }), image).not.toThrow();
  },
);

/** What is gathered of a fleet file with these lines, in a folder with its pipelines. */
async function gathered(name: string, lines: readonly string[], fleets = '') {
  const home = join(folder.path, name);
  for (const each of ['pipelines', 'mappings', fleets]) mkdirSync(join(home, each), { recursive: true });
  writeFileSync(
    join(home, 'pipelines/load.yaml'),
    'pipeline: load\nimport: { source: { format: csv, path: "{workspace}.csv" }, mapping: ../mappings/people.yaml }\n',
  );
  writeFileSync(
    join(home, 'mappings/people.yaml'),
    'mapping: people\nidentify: [email]\ncontact: { firstName: { from: Name }, email: { from: Mail } }\n',
  );
  const file = join(home, fleets, 'fleet.yaml');
  writeFileSync(file, ['fleet: tests', ...lines].join('\n'));
  const asked = { image: undefined, workers: 1, concurrency: undefined };
  const database = 'postgres://owner@db.example.com:6432/fleet';
  return await buildWorkerDeployment(await loadFleet(file), asked, deployment.machine, database);
}

const twoShops = [
  'workspaces:',
  '  acme: { baseUrl: "https://api.example.com/v1" }',
  '  birch: { baseUrl: "https://api.example.com:8443/v1" }',
];

test('what is below the folder of the fleet file is below /fleet, and everything else where it is', async () => {
  const found = await gathered('plain', [
    ...twoShops,
    'defaults: { tokenFile: "/run/tok/{workspace}/token" }',
    'pipelines: { load: { file: pipelines/load.yaml } }',
    'places: { inputs: inputs, results: /mnt/results }',
    'limits: { perMachine: 7 }',
  ]);
  expect(found.files.map(({ container }) => container)).toEqual([
    '/fleet/fleet.yaml',
    '/fleet/pipelines/load.yaml',
    '/fleet/mappings/people.yaml',
  ]);
  expect(found.places).toEqual([
    { ...at(join(folder.path, 'plain/inputs'), '/fleet/inputs'), name: 'inputs', writable: false },
    { ...at('/mnt/results', '/mnt/results'), name: 'results', writable: true },
  ]);
  expect(found.tokens).toMatchObject([
    {
      folder: { container: '/run/tok' },
      files: [{ container: '/run/tok/acme/token' }, { container: '/run/tok/birch/token' }],
    },
  ]);
  expect(found.ports).toEqual([443, 6432, 8443]);
  expect(found.concurrency).toBe(7);
});

test('where a path would lead elsewhere from /fleet, everything is where it is', async () => {
  const outside = await gathered(
    'outside',
    [
      ...twoShops,
      'defaults: { tokenFile: "{workspace}.token" }',
      'pipelines: { load: { file: ../pipelines/load.yaml } }',
      'places: { inputs: ../inputs }',
    ],
    'fleets',
  );
  const absolute = await gathered('absolute', [
    ...twoShops,
    'defaults: { tokenFile: "tokens/{workspace}" }',
    'pipelines: { load: { file: pipelines/load.yaml } }',
    `places: { inputs: ${join(folder.path, 'absolute/inputs')} }`,
  ]);
  for (const { files, places, tokens: found } of [outside, absolute])
    for (const { host, container } of [...files, ...places, ...found.flatMap((group) => group.files)])
      expect(container).toBe(host);
  // The folder of these tokens has the fleet file, too: it is not mounted as a whole.
  expect(outside.tokens).toMatchObject([{ folder: undefined }]);
  expect(absolute.tokens).toMatchObject([{ folder: { host: join(folder.path, 'absolute/tokens') } }]);
});

test('a pipeline with files beside it is refused: no other machine has them', async () => {
  const lines = [
    ...twoShops,
    'defaults: { tokenFile: "tokens/{workspace}" }',
    'pipelines: { load: { file: pipelines/load.yaml } }',
  ];
  await expect(gathered('unplaced', lines)).rejects.toMatchObject({
    reason: 'usage',
    message: expect.stringContaining('places.inputs is not set'),
    next: expect.stringContaining('places.inputs'),
  });
});
