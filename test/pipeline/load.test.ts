import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toCommand } from '../../src/model/command.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { loadImportPipeline } from '../../src/pipeline/index.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-pipeline-'));
  await mkdir(join(folder, 'pipelines'));
  await mkdir(join(folder, 'mappings'));
  await writeFile(join(folder, 'mappings', 'acme.yaml'), 'mapping: acme\ncontact:\n  email: { from: E }\n');
  await writeFile(join(folder, 'mappings', 'broken.yaml'), 'mapping: acme\ncontact:\n  email: { form: E }\n');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function load(text: string): ReturnType<typeof loadImportPipeline> {
  const file = join(folder, 'pipelines', 'import-acme.yaml');
  await writeFile(file, text);
  return loadImportPipeline(file);
}

const source = '  source: { format: csv, path: ../fixtures/contacts.csv }\n';
const mapping = '  mapping: ../mappings/acme.yaml\n';
const least = `pipeline: import-acme\nimport:\n${source}${mapping}`;

test('the shortest pipeline has every default, and absolute paths', async () => {
  const loaded = await load(least);
  expect(loaded).toMatchObject({
    file: join(folder, 'pipelines', 'import-acme.yaml'),
    pipeline: 'import-acme',
    import: {
      source: { format: 'csv', path: join(folder, 'fixtures', 'contacts.csv') },
      workspace: { tokenEnv: 'LONGSHORE_TOKEN' },
      policy: {
        onMatch: 'update',
        onConflict: 'review',
        duplicates: 'merge',
        uncertain: 'hold',
        maxErrors: { share: 0.05 },
        lookup: 'auto',
        maxPeoplePerPhone: 5,
      },
      limits: { concurrency: 'auto', perPath: 5, settle: 120_000, attempts: 5, outage: 900_000 },
      deferred: [],
    },
  });
  expect(loaded.import.mapping.mapping.mapping).toBe('acme');
  expect(loaded.import.timeout).toBeUndefined();
});

test('everything that is stated is taken', async () => {
  const loaded = await load(`${least}
  workspace: { baseUrl: http://127.0.0.1:4000/v1, tokenEnv: ACME_TOKEN, sandbox: { seed: ../fixtures/seed.json, latency: 5 } }
  policy: { onMatch: fill, onConflict: prefer-email, duplicates: first, maxPeoplePerPhone: 1, uncertain: resend, maxErrors: 10, lookup: snapshot }
  limits: { concurrency: 8, perPath: 2/s, settle: 500ms, attempts: 3, outage: 1.5h }
  deferred: [lifecycle, assignee, conversation]
  extensions: { attachTags: { method: PUT, path: "/contact/{identifier}/tag", body: tags } }
  timeout: 3h
`);
  expect(loaded.import).toMatchObject({
    workspace: {
      baseUrl: 'http://127.0.0.1:4000/v1',
      tokenEnv: 'ACME_TOKEN',
      sandbox: { seed: join(folder, 'fixtures', 'seed.json'), latency: 5 },
    },
    policy: {
      onMatch: 'fill',
      onConflict: 'prefer-email',
      duplicates: 'first',
      maxPeoplePerPhone: 1,
      uncertain: 'resend',
      maxErrors: { rows: 10 },
      lookup: 'snapshot',
    },
    deferred: ['lifecycle', 'assignee', 'conversation'],
    extensions: { attachTags: { method: 'PUT', path: '/contact/{identifier}/tag', body: 'tags' } },
    limits: { concurrency: 8, perPath: 2, settle: 500, attempts: 3, outage: 5_400_000 },
    timeout: 10_800_000,
  });
});

test('the options of the source go along, standard input stays what it is', async () => {
  const loaded = await load(
    `pipeline: a\nimport:\n  source: { format: csv, path: "-", delimiter: ";", ragged: pad }\n${mapping}`,
  );
  expect(loaded.import.source).toMatchObject({
    format: 'csv',
    path: '-',
    options: { delimiter: ';', ragged: 'pad' },
  });
  expect(Object.keys(loaded.import.source.options)).not.toContain('path');
});

test('a workspace is an input without a path, and the token of an input stands in no file', async () => {
  const loaded = await load(
    `pipeline: a\nimport:\n  source: { format: workspace, baseUrl: "https://old.example.com/v1", messages: true }\n${mapping}`,
  );
  expect(loaded.import.source).toMatchObject({
    format: 'workspace',
    path: null,
    options: { baseUrl: 'https://old.example.com/v1', tokenEnv: 'LONGSHORE_SOURCE_TOKEN', messages: true },
  });
});

const mistakes: readonly (readonly [what: string, text: string, saying: string])[] = [
  [
    'a misspelt key',
    least.replace('source:', 'sorce:'),
    ':3:3: import.sorce: the key "sorce" is not known here; did you mean "source"?',
  ],
  [
    'a misspelt policy',
    `${least}  policy: { onmatch: fill }\n`,
    ':5:13: import.policy.onmatch: the key "onmatch" is not known here; did you mean "onMatch"?',
  ],
  [
    'a word that is not one of some',
    `${least}  policy: { onMatch: updat }\n`,
    ':5:22: import.policy.onMatch: the text "updat" is not one of "update", "fill", "skip", "reject"; did you mean "update"?',
  ],
  [
    'a misspelt option of the source',
    least.replace('format: csv', 'format: csv, delimeter: ";"'),
    ':3:26: import.source.delimeter: the key "delimeter" is not known here; did you mean "delimiter"?',
  ],
  [
    'a format that nobody knows',
    least.replace('format: csv', 'format: cvs'),
    ':3:21: import.source.format: the text "cvs" is not one of ',
  ],
  [
    'a duration without a unit',
    `${least}  timeout: 30\n`,
    ':5:12: import.timeout: a duration is a number with its unit: 500ms, 30s, 2m, 3h or 7d',
  ],
  [
    'a duration in words',
    `${least}  limits: { settle: 2 minutes }\n`,
    ':5:21: import.limits.settle: a duration is a number with its unit: 500ms, 30s, 2m, 3h or 7d',
  ],
  [
    'a rate without a unit',
    `${least}  limits: { perPath: 5 }\n`,
    ':5:22: import.limits.perPath: a rate is a whole number per second: 5/s',
  ],
  [
    'a rate over the limit',
    `${least}  limits: { perPath: 6/s }\n`,
    ':5:22: import.limits.perPath: the workspace allows 5 requests per second',
  ],
  [
    'a budget in words',
    `${least}  policy: { maxErrors: few }\n`,
    ':5:24: import.policy.maxErrors: a percentage from 0% to 100% (5%) or a whole number of rows is expected here',
  ],
  [
    'a budget over everything',
    `${least}  policy: { maxErrors: 101% }\n`,
    ':5:24: import.policy.maxErrors: a percentage from 0% to 100% (5%) or a whole number of rows is expected here',
  ],
  [
    'no concurrency',
    `${least}  limits: { concurrency: 0 }\n`,
    ':5:26: import.limits.concurrency: the number must be at least 1',
  ],
  [
    'a plain address',
    `${least}  workspace: { baseUrl: "http://example.com/v1" }\n`,
    ':5:25: import.workspace.baseUrl: this is not an https address',
  ],
  [
    'an address with a password',
    `${least}  workspace: { baseUrl: "https://a:s3cret@example.com/v1" }\n`,
    ':5:25: import.workspace.baseUrl: this is not an https address',
  ],
  [
    'a token for the name of a variable',
    `${least}  workspace: { tokenEnv: eyJh.s3cret }\n`,
    ':5:26: import.workspace.tokenEnv: the name of an environment variable is expected here, not the token itself',
  ],
  [
    'a switchboard of nobody',
    `${least}  policy: { maxPeoplePerPhone: 0 }\n`,
    ':5:32: import.policy.maxPeoplePerPhone: the number must be at least 1',
  ],
  [
    'a conflict settled by nobody knows what',
    `${least}  policy: { onConflict: prefer-mail }\n`,
    ':5:25: import.policy.onConflict: the text "prefer-mail" is not one of "review", "merge", "prefer-email", "prefer-phone", "reject"; did you mean "prefer-email"?',
  ],
  [
    'a step that cannot be deferred',
    `${least}  deferred: [comments]\n`,
    ':5:14: import.deferred.0: the text "comments" is not one of "lifecycle", "assignee", "conversation"',
  ],
  [
    'half signs as earlier versions had them',
    `pipeline: x\nimport:\n  source: { format: ndjson, path: x, halfSigns: replace }\n${mapping}`,
    ':3:38: import.source.halfSigns: the key "halfSigns" is not known here; did you mean "loneSurrogates"?',
  ],
  [
    'a switchboard as earlier versions had it',
    `${least}  policy: { switchboard: 3 }\n`,
    ':5:13: import.policy.switchboard: the key "switchboard" is not known here; did you mean "maxPeoplePerPhone"?',
  ],
  [
    'phases as earlier versions had them',
    `${least}  phases: { hold: [lifecycle] }\n`,
    ':5:3: import.phases: the key "phases" is not known here; did you mean "deferred"?',
  ],
  [
    'an extension that does not say whose tags',
    `${least}  extensions: { attachTags: { method: POST, path: /contact/tag, body: tags } }\n`,
    ':5:51: import.extensions.attachTags.path: the path names the contact with {identifier}',
  ],
  [
    'an extension whose path leads elsewhere',
    `${least}  extensions: { attachTags: { method: POST, path: "https://elsewhere.test/{identifier}", body: tags } }\n`,
    ':5:51: import.extensions.attachTags.path: a path begins with a slash',
  ],
  [
    'an extension of another kind',
    `${least}  extensions: { detachTags: {} }\n`,
    ':5:17: import.extensions.detachTags: the key "detachTags" is not known here; did you mean "attachTags"?',
  ],
  [
    'a path of a workspace',
    least.replace('format: csv', 'format: workspace'),
    ':3:32: import.source.path: the key "path" is not known here',
  ],
  [
    'a workspace that is read without https',
    least.replace(
      'format: csv, path: ../fixtures/contacts.csv',
      'format: workspace, baseUrl: "http://s3cret.example.com"',
    ),
    ':3:41: import.source.baseUrl: this is not an https address',
  ],
  [
    'the token of a workspace that is read',
    least.replace('format: csv, path: ../fixtures/contacts.csv', 'format: workspace, tokenEnv: s3cret-token'),
    ':3:42: import.source.tokenEnv: the name of an environment variable is expected here, not the token itself',
  ],
  ['neither import nor export', 'pipeline: a\n', ':1:1: the key "import" or "export" is missing'],
  [
    'import and export',
    `${least}export: { to: x, workspaceObjects: [tags] }\n`,
    ':1:1: a pipeline has import or export, not both',
  ],
  [
    'an alert over http, in an address that holds a secret',
    `${least}  notify: { url: "http://hooks.example.test/s3cret", on: [failure] }\n`,
    ':5:18: import.notify.url: this is not an https address',
  ],
  [
    'the secret of the alerts itself',
    `${least}  notify: { url: "https://hooks.example.test/x", on: [failure], secretEnv: s3cret-key }\n`,
    ':5:76: import.notify.secretEnv: the name of an environment variable is expected here, not the secret itself',
  ],
  [
    'an occasion that there is none of',
    `${least}  notify: { url: "https://hooks.example.test/x", on: [fails] }\n`,
    ':5:55: import.notify.on.0: the text "fails" is not one of',
  ],
];

describe('a mistake in a pipeline', () => {
  test.each(mistakes)('%s', async (_what, text, saying) => {
    const error = await load(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof FatalError)) throw new Error('no FatalError was thrown');
    expect(error.reason).toBe('usage');
    expect(error.message).toContain(`import-acme.yaml${saying}`);
    expect(error.message).not.toContain('s3cret');
    expect(error.message.split('\n')).toHaveLength(1);
  });
});

test('alerts go to https, or to this machine, signed with the usual secret unless another is named', async () => {
  const hook = await load(`${least}  notify: { url: "https://hooks.example.test/x?y=1", on: [failure] }\n`);
  const usual = { on: ['failure'], secretEnv: 'LONGSHORE_NOTIFY_SECRET' };
  expect(hook.import.notify).toEqual({ url: 'https://hooks.example.test/x?y=1', ...usual });
  const near = await load(
    `${least}  notify: { url: "http://127.0.0.1:9/x", on: [success], secretEnv: ACME }\n`,
  );
  expect(near.import.notify).toEqual({ url: 'http://127.0.0.1:9/x', on: ['success'], secretEnv: 'ACME' });
});

test('tags that are attached by an extension need one that is declared', async () => {
  const tags = 'mapping: acme\ncontact:\n  email: { from: E }\ntags: { from: T, attach: extension }\n';
  await writeFile(join(folder, 'mappings', 'tagged.yaml'), tags);
  const tagged = least.replace('acme.yaml', 'tagged.yaml');
  await expect(load(tagged)).rejects.toThrow(
    /tagged\.yaml attaches tags by "extension", which is not declared/,
  );
  const declared =
    '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }\n';
  await expect(load(`${tagged}${declared}`)).resolves.toMatchObject({ pipeline: 'import-acme' });
});

test('a mapping that is missing or wrong is named, and what to type next', async () => {
  const pipeline = join(folder, 'pipelines', 'import-acme.yaml');
  const next = expect.arrayContaining([toCommand('check', pipeline)]);
  await expect(load(least.replace('acme.yaml', 'none.yaml'))).rejects.toMatchObject({
    message: `There is no mapping at ${join(folder, 'mappings', 'none.yaml')}.`,
    next,
  });
  await expect(load(least.replace('acme.yaml', 'broken.yaml'))).rejects.toMatchObject({
    message: `${join(folder, 'mappings', 'broken.yaml')}:3:12: contact.email.form: the key "form" is not known here; did you mean "from"?`,
    next,
  });
});

test('a pipeline that is not there is named', async () => {
  const file = join(folder, 'none.yaml');
  await expect(loadImportPipeline(file)).rejects.toMatchObject({
    message: `There is no pipeline at ${file}.`,
  });
});
