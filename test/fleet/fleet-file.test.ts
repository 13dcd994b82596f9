import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadFleet } from '../../src/fleet/fleet-file/load.ts';
import { createAssignedPipelineLoader, toPathInStorage } from '../../src/fleet/fleet-file/pipelines.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const write = (name: string, text: string) => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

write(
  'nightly.yaml',
  `pipeline: nightly
export:
  to: out/{workspace}/{date}
  contacts: { format: csv, filter: { lifecycle: { isEqualTo: "{stage}" } } }
`,
);
write(
  'import.yaml',
  `pipeline: people
import:
  source: { format: csv, path: "in/{workspace}-{region}.csv" }
  mapping: mapping.yaml
`,
);
write(
  'mapping.yaml',
  `mapping: people
key: ID
contact: { email: { from: Email } }
comments: [{ name: origin, text: "{First} came from {region}, {{stage} is text" }]
`,
);

const workspaces = `  acme: { tokenEnv: LONGSHORE_TOKEN_ACME, values: { region: north, stage: Customer } }
  beta: { baseUrl: https://beta.example.test/v1, tokenFile: tokens/beta, values: { region: "42", stage: Lead } }
`;

const whole = `fleet: agency
defaults: { baseUrl: https://api.example.test/v1 }
workspaces:
${workspaces}pipelines:
  nightly:
    file: nightly.yaml
    schedule: { cron: "0 2 * * *", timezone: Europe/Berlin, spread: 2h }
    priority: 3
  people: { file: import.yaml, for: [acme] }
limits: { perMachine: 8, inAll: 20, slice: 10m }
places: { inputs: shared, outputs: { bucket: "s3://files/exports/", endpoint: https://s3.example.test } }
alerts: { url: https://hooks.example.test/x, on: [failure] }
`;

async function loaded(text = whole) {
  return await loadFleet(write('fleet.yaml', text));
}

/** What is said of a file, without its path. */
async function said(text: string): Promise<readonly string[]> {
  const error = await loaded(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('nothing was wrong');
  return error.message.replaceAll(`${folder.path}/`, '').split('\n');
}

describe('fleet.yaml', () => {
  it('says what runs for whom, when and where', async () => {
    const fleet = await loaded();
    expect(fleet).toMatchObject({
      name: 'agency',
      workspaces: [
        { name: 'acme', baseUrl: 'https://api.example.test/v1', token: { env: 'LONGSHORE_TOKEN_ACME' } },
        {
          name: 'beta',
          baseUrl: 'https://beta.example.test/v1',
          token: { file: join(folder.path, 'tokens/beta') },
          values: { region: '42', stage: 'Lead' },
        },
      ],
      limits: { perMachine: 8, inAll: 20, slice: 600_000, lease: 30_000, settle: 10_000, retries: 8 },
      places: {
        inputs: { kind: 'folder', path: join(folder.path, 'shared') },
        outputs: {
          kind: 'bucket',
          bucket: 'files',
          prefix: 'exports',
          secretKeyEnv: 'LONGSHORE_S3_SECRET_KEY',
        },
      },
      alerts: { on: ['failure'] },
    });
    const schedule = { cron: '0 2 * * *', timezone: 'Europe/Berlin', spread: 7_200_000 };
    const nightly = { pipeline: 'nightly', kind: 'export', schedule, priority: 3 };
    expect(fleet.assignments).toMatchObject([
      { workspace: 'acme', ...nightly },
      { workspace: 'beta', ...nightly },
      { workspace: 'acme', pipeline: 'people', kind: 'import', schedule: undefined, priority: 0 },
    ]);
  });

  it('fills the values of each workspace into paths, filters and mappings', async () => {
    const fleet = await loaded();
    const [ofAcme, ofBeta, people] = await Promise.all(
      fleet.assignments.map(createAssignedPipelineLoader(fleet)),
    );
    expect(ofAcme).toMatchObject({
      export: { to: join(folder.path, 'out/acme/{date}'), contacts: { filter: [{ value: 'Customer' }] } },
    });
    expect(ofBeta).toMatchObject({ export: { to: join(folder.path, 'out/beta/{date}') } });
    if (people === undefined || !('import' in people)) throw new Error('no import');
    expect(people.import.source.path).toBe(join(folder.path, 'in/acme-north.csv'));
    expect(JSON.stringify(people.import.mapping.mapping.comments)).toContain(
      '{First} came from north, {{stage} is text',
    );
  });

  it('gives a mapping with other values another fingerprint', async () => {
    const fleet = await loaded(whole.replace('for: [acme]', 'for: all'));
    const [acme, beta] = await Promise.all(
      fleet.assignments
        .filter(({ pipeline }) => pipeline === 'people')
        .map(createAssignedPipelineLoader(fleet)),
    );
    const of = (pipeline: typeof acme) =>
      pipeline !== undefined && 'import' in pipeline ? pipeline.import.mapping.fingerprint : undefined;
    expect(of(acme)).toMatch(/^[\da-f]{64}$/);
    expect(of(acme)).not.toBe(of(beta));
  });

  const change = (from: string, to: string) => whole.replace(from, to);

  it.each<[what: string, text: string, ...says: readonly string[]]>([
    [
      'a misspelt key',
      change('perMachine', 'perMachin'),
      'fleet.yaml:12:11: limits.perMachin: the key "perMachin" is not known here; did you mean "perMachine"?',
    ],
    [
      'a workspace that is not there',
      change('[acme]', '[acmee]'),
      'fleet.yaml:11:38: pipelines.people.for.0: there is no workspace "acmee"; did you mean "acme"?',
    ],
    [
      'a time that is none',
      change('0 2 * * *', '0 25 * * *'),
      expect.stringContaining('pipelines.nightly.schedule.cron: this is not a cron expression'),
    ],
    [
      'a time zone that is none',
      change('Europe/Berlin', 'Europe/Berln'),
      expect.stringContaining('did you mean "Europe/Berlin"?'),
    ],
    [
      'a token in place of its variable',
      change('LONGSHORE_TOKEN_ACME', 'eyJhbGciOi.J9-x.y'),
      expect.stringContaining('not the token itself'),
    ],
    [
      'a token among the values',
      change('region: north', 'region: aB3dE6gH9jK2mN5pQ8sT1vW4'),
      expect.stringContaining('this looks like a secret, which must not be in this file'),
    ],
    [
      'a secret by its name',
      change('region: north', 'apiKey: north'),
      expect.stringContaining('secrets must not be in this file'),
    ],
    [
      'a key of a bucket in place of its variable',
      change('endpoint:', 'secretKeyEnv: "AKIA/x", endpoint:'),
      expect.stringContaining('not the key itself'),
    ],
    [
      'a workspace without a token',
      change('tokenEnv: LONGSHORE_TOKEN_ACME, ', ''),
      expect.stringContaining('workspaces.acme: no token is named'),
    ],
    [
      'one workspace under two names',
      change(workspaces, `${workspaces}  gamma: { tokenEnv: LONGSHORE_TOKEN_ACME }\n`),
      expect.stringContaining('workspaces.gamma: this is the workspace of "acme"'),
    ],
    [
      'a name that leads out of a folder',
      change('  acme:', '  ../acme:'),
      expect.stringContaining('a name has lower-case letters'),
    ],
    [
      'a name that means all',
      change('  acme:', '  all:'),
      expect.stringContaining('"all" means every workspace'),
    ],
    [
      'a value that is missing for one of several workspaces',
      change('values: { region: "42", stage: Lead }', 'values: { region: "42" }'),
      expect.stringContaining('the workspace beta has no value for {stage}'),
    ],
    [
      'a value that leads out of the folder',
      change('region: north', 'region: ../../etc/x'),
      expect.stringContaining('the value of {region} of acme cannot be part of a path'),
    ],
    [
      'a value with a brace',
      change('region: north', 'region: "{date}"'),
      expect.stringContaining('a value has no braces'),
    ],
    [
      'a value by a name that has a meaning',
      change('region: north', 'date: north'),
      expect.stringContaining('{date} has a meaning of its own'),
    ],
  ])('refuses %s', async (_what, text, ...says) => {
    const lines = await said(text);
    for (const line of says) expect(lines).toContainEqual(line);
  });

  it.each<[what: string, name: string, text: string, says: string]>([
    [
      'an unknown placeholder in a path',
      'import.yaml',
      'pipeline: people\nimport:\n  source: { format: csv, path: "in/{regoin}.csv" }\n  mapping: mapping.yaml\n',
      'import.yaml:3:32: import.source.path: unknown placeholder {regoin}; did you mean "region"?',
    ],
    [
      'a placeholder where none is filled in',
      'import.yaml',
      'pipeline: "people-{workspace}"\nimport:\n  source: { format: csv, path: "in/x.csv" }\n  mapping: mapping.yaml\n',
      'import.yaml:1:11: pipeline: {workspace} is filled in only in paths, filters and mappings',
    ],
    [
      'two workspaces that would export into one folder',
      'nightly.yaml',
      'pipeline: nightly\nexport:\n  to: out/{date}\n  contacts: { format: csv }\n',
      'fleet.yaml:8:5: pipelines.nightly.file: acme and beta would export into the same folder; put {workspace} into export.to',
    ],
    [
      'two pipelines of a workspace that would export into one folder',
      'import.yaml',
      'pipeline: weekly\nexport:\n  to: out/{workspace}/{date}\n  contacts: { format: csv }\n',
      'fleet.yaml:11:13: pipelines.people.file: two pipelines of acme would export into the same folder; choose another export.to',
    ],
    [
      'a path that leads out of the place of inputs',
      'import.yaml',
      'pipeline: people\nimport:\n  source: { format: csv, path: "../x.csv" }\n  mapping: mapping.yaml\n',
      'fleet.yaml:11:13: pipelines.people.file: with places.inputs paths begin there, and must not lead out of it: ../x.csv does',
    ],
    [
      'standard input',
      'import.yaml',
      'pipeline: people\nimport:\n  source: { format: csv, path: "-" }\n  mapping: mapping.yaml\n',
      'fleet.yaml:11:13: pipelines.people.file: this pipeline reads standard input, which no worker has; set import.source.path to a file',
    ],
  ])('refuses %s', async (_what, name, text, says) => {
    const other = `other-${name}`;
    write(other, text);
    expect(await said(whole.replace(`file: ${name}`, `file: ${other}`))).toContain(
      says.replace(/^import\.yaml/, other),
    );
  });

  it('says what to do where there is no file', async () => {
    await expect(loadFleet(join(folder.path, 'none.yaml'))).rejects.toThrow('There is no fleet file');
  });
});

describe('a path in a place', () => {
  it.each([
    ['/a/p.yaml', '/a/in/x.csv', 'in/x.csv'],
    ['/a/p.yaml', '/b/x.csv', undefined],
    ['/a/p.yaml', '/a/..x/y', '..x/y'],
    ['/a/b/p.yaml', '/a/x', undefined],
  ])('%s %s', (file, path, inside) => {
    expect(toPathInStorage(file, path)).toBe(inside);
  });
});
