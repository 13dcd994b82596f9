import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toCommand } from '../../src/model/command.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { loadExportPipeline, loadImportPipeline, readPipelineKind } from '../../src/pipeline/index.ts';

let folder = '';
let file = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-export-pipeline-'));
  file = join(folder, 'nightly.yaml');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function load(settings: string): ReturnType<typeof loadExportPipeline> {
  await writeFile(file, `pipeline: nightly\nexport:\n${settings}`);
  return await loadExportPipeline(file);
}

const least = '  to: exports/{date}\n';
const contacts = `${least}  contacts: { format: csv }\n`;
const messages = `${least}  messages: { format: ndjson, incremental: true }\n`;

test('the shortest export has every default, and absolute paths', async () => {
  expect(await load(contacts)).toEqual({
    file,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    pipeline: 'nightly',
    export: {
      workspace: { tokenEnv: 'LONGSHORE_TOKEN' },
      to: join(folder, 'exports', '{date}'),
      keep: undefined,
      timezone: 'UTC',
      contacts: {
        format: 'csv',
        options: { delimiter: ',', bom: false },
        columns: undefined,
        filter: [],
        search: undefined,
        incremental: false,
      },
      messages: undefined,
      workspaceObjects: [],
      templates: undefined,
      objects: { format: 'csv', options: { delimiter: ',', bom: false }, columns: undefined },
      expect: {},
      timeout: undefined,
      continueWithin: 43_200_000,
      notify: undefined,
      limits: {
        concurrency: 'auto',
        perPath: 5,
        attempts: 5,
        connect: 15_000,
        answer: 60_000,
        outage: 900_000,
      },
    },
  });
});

test('everything that is stated is taken', async () => {
  const loaded = await load(`
  workspace: { baseUrl: "https://api.example.com/v1", tokenEnv: ACME_TOKEN, sandbox: { seed: seed.json } }
  to: /srv/exports/acme-{date}
  keep: 14
  timezone: Asia/Kuala_Lumpur
  contacts:
    format: csv
    filter: { lifecycle: { isEqualTo: Customer } }
    search: acme
    incremental: true
    columns: { No.: id, E-mail: email, Plan: customFields.Plan v2.0, Owner: assignee.email }
  messages: { format: ndjson, incremental: true, refresh: 7d }
  workspaceObjects: [customFields, users, closingNotes, tags]
  templates: { channels: [12, 34] }
  expect: { contacts: { min: 1, dropMax: 20% }, messages: { min: 0 }, tags: { dropMax: 3 } }
  timeout: 3h
  continueWithin: 1d
  notify: { url: "https://hooks.example.test/x", on: [failure, recovery] }
  limits: { concurrency: 8, perPath: 2/s, attempts: 3, connect: 5s, answer: 2m, outage: 1h }
`);
  expect(loaded.export).toMatchObject({
    workspace: {
      baseUrl: 'https://api.example.com/v1',
      tokenEnv: 'ACME_TOKEN',
      sandbox: { seed: join(folder, 'seed.json') },
    },
    to: '/srv/exports/acme-{date}',
    keep: 14,
    timezone: 'Asia/Kuala_Lumpur',
    contacts: {
      format: 'csv',
      filter: [{ category: 'lifecycle', field: '', operator: 'isEqualTo', value: 'Customer' }],
      search: 'acme',
      incremental: true,
    },
    messages: { format: 'ndjson', incremental: true, refresh: 604_800_000, columns: undefined },
    workspaceObjects: ['customFields', 'users', 'closingNotes', 'tags'],
    templates: { channels: [12, 34] },
    objects: { format: 'csv' },
    expect: {
      contacts: { min: 1, dropMax: { share: 0.2 } },
      messages: { min: 0, dropMax: undefined },
      tags: { min: undefined, dropMax: { rows: 3 } },
    },
    timeout: 10_800_000,
    continueWithin: 86_400_000,
    notify: {
      url: 'https://hooks.example.test/x',
      on: ['failure', 'recovery'],
      secretEnv: 'LONGSHORE_NOTIFY_SECRET',
    },
    limits: {
      concurrency: 8,
      perPath: 2,
      attempts: 3,
      connect: 5_000,
      answer: 120_000,
      outage: 3_600_000,
    },
  });
  expect(Object.entries(loaded.export.contacts?.columns ?? {})).toEqual([
    ['No.', 'id'],
    ['E-mail', 'email'],
    ['Plan', 'customFields.Plan v2.0'],
    ['Owner', 'assignee.email'],
  ]);
});

test('objects are written as the contacts are, else as the messages, else as NDJSON', async () => {
  const format = async (settings: string): Promise<string> => (await load(settings)).export.objects.format;
  const loaded = await load(`${least}  contacts: { format: csv, delimiter: ";", bom: true }\n`);
  expect(loaded.export.objects).toEqual(
    expect.objectContaining({ format: 'csv', options: { delimiter: ';', bom: true } }),
  );
  expect(await format(`${messages}  contacts: { format: xlsx }\n`)).toBe('xlsx');
  expect(await format(`${least}  messages: { format: sqlite }\n`)).toBe('sqlite');
  expect(await format(`${least}  templates: { channels: [1] }\n`)).toBe('ndjson');
});

test('contacts in a database have columns: those of its flat view', async () => {
  const { contacts: flat } = (
    await load(`${least}  contacts: { format: sqlite, columns: { Plan: customFields.Plan } }\n`)
  ).export;
  expect(flat?.columns).toEqual({ Plan: 'customFields.Plan' });
});

const mistakes: readonly (readonly [what: string, text: string, saying: string])[] = [
  ['nothing to export', least, ':2:1: export: nothing is exported; set contacts, messages, '],
  ['no folder', '  contacts: { format: csv }\n', ':2:1: export.to: the key "to" is missing'],
  [
    'a misspelt key',
    `${contacts}  workspaceObject: [tags]\n`,
    ':5:3: export.workspaceObject: the key "workspaceObject" is not known here; did you mean "workspaceObjects"?',
  ],
  [
    'a misspelt key of contacts',
    `${least}  contacts: { format: csv, colums: { a: id } }\n`,
    ':4:28: export.contacts.colums: the key "colums" is not known here; did you mean "columns"?',
  ],
  [
    'a format that nobody knows',
    `${least}  contacts: { format: ndjsn }\n`,
    ':4:23: export.contacts.format: the text "ndjsn" is not one of "csv", "ndjson", "xlsx", "parquet", "sqlite"; did you mean "ndjson"?',
  ],
  [
    'a misspelt option of the format',
    `${least}  contacts: { format: csv, delimeter: ";" }\n`,
    ':4:28: export.contacts.delimeter: the key "delimeter" is not known here; did you mean "delimiter"?',
  ],
  [
    'an option of another format',
    `${least}  messages: { format: ndjson, bom: true }\n`,
    ':4:31: export.messages.bom: the key "bom" is not known here',
  ],
  [
    'a path that no contact has',
    `${least}  contacts: { format: csv, columns: { Mail: emial } }\n`,
    ':4:45: export.contacts.columns.Mail: "emial" is not a property of a contact; did you mean "email"?',
  ],
  [
    'a path of a message in a contact',
    `${least}  contacts: { format: csv, columns: { Sent: sentAt } }\n`,
    ':4:45: export.contacts.columns.Sent: "sentAt" is not a property of a contact; known are id, firstName, ',
  ],
  [
    'a custom field without its name',
    `${least}  contacts: { format: csv, columns: { Plan: customFields. } }\n`,
    ':4:45: export.contacts.columns.Plan: "customFields." is not a property of a contact; ',
  ],
  [
    'a path that no message has',
    `${least}  messages: { format: csv, columns: { At: sendAt } }\n`,
    ':4:43: export.messages.columns.At: "sendAt" is not a property of a message; did you mean "sentAt"?',
  ],
  [
    'a custom field of a message',
    `${least}  messages: { format: csv, columns: { At: customFields.Plan } }\n`,
    ':4:43: export.messages.columns.At: "customFields.Plan" is not a property of a message; known are id, ',
  ],
  [
    'a heading that JavaScript would move',
    `${least}  contacts: { format: csv, columns: { E-mail: email, "2024": id } }\n`,
    ':4:54: export.contacts.columns.2024: a column name that is only a number cannot keep its place',
  ],
  [
    'no column at all',
    `${least}  contacts: { format: csv, columns: {} }\n`,
    ':4:28: export.contacts.columns: list at least one column, or leave columns out for all',
  ],
  [
    'columns of a format that has its own layout',
    `${least}  contacts: { format: ndjson, columns: { a: id } }\n`,
    ':4:31: export.contacts.columns: this format always writes everything',
  ],
  [
    'columns of messages in a database',
    `${least}  messages: { format: sqlite, columns: { a: id } }\n`,
    ':4:31: export.messages.columns: this format always writes everything',
  ],
  [
    'another placeholder',
    '  to: exports/{dat}\n  contacts: { format: csv }\n',
    ':3:7: export.to: unknown placeholder {dat}; did you mean "date"?',
  ],
  [
    'an unknown placeholder',
    '  to: exports/{week}\n  contacts: { format: csv }\n',
    ':3:7: export.to: unknown placeholder {week}; {date} is the only one',
  ],
  [
    'a brace too many',
    '  to: exports/{{date}\n  contacts: { format: csv }\n',
    ':3:7: export.to: a brace is not closed or not opened',
  ],
  [
    'the day in front',
    '  to: exports/{date}/acme\n  contacts: { format: csv }\n',
    ':3:7: export.to: {date} must be in the last part of the path',
  ],
  [
    'the folder of the link',
    '  to: exports/latest\n  contacts: { format: csv }\n',
    ':3:7: export.to: "latest" is the link to the newest export',
  ],
  [
    'no folder of its own',
    '  to: ..\n  contacts: { format: csv }\n',
    ':3:7: export.to: use a separate folder',
  ],
  [
    'a misspelt zone',
    `${contacts}  timezone: Asia/Kuala_Lumpr\n`,
    ':5:13: export.timezone: "Asia/Kuala_Lumpr" is not a time zone; did you mean "Asia/Kuala_Lumpur"?',
  ],
  ['an offset', `${contacts}  timezone: "+08:00"\n`, ':5:13: export.timezone: "+08:00" is not a time zone'],
  ['nothing kept', `${contacts}  keep: 0\n`, ':5:9: export.keep: the number must be at least 1'],
  [
    'a refresh of everything',
    `${least}  messages: { format: csv, refresh: 7d }\n`,
    ':4:37: export.messages.refresh: an export that is not incremental reads all statuses',
  ],
  [
    'a kind that is not exported',
    `${contacts}  expect: { messages: { min: 1 } }\n`,
    ':5:13: export.expect.messages: messages are not exported by this pipeline',
  ],
  [
    'a kind that is none',
    `${contacts}  expect: { contact: { min: 1 } }\n`,
    ':5:13: export.expect.contact: the key "contact" is not known here; did you mean "contacts"?',
  ],
  [
    'fewer messages than all before',
    `${messages}  expect: { messages: { dropMax: 20% } }\n`,
    ':5:34: export.expect.messages.dropMax: an incremental export has only new messages',
  ],
  [
    'an expectation of nothing',
    `${contacts}  expect: { contacts: {} }\n`,
    ':5:13: export.expect.contacts: set min, dropMax or both',
  ],
  [
    'a kind that the workspace does not have',
    `${least}  workspaceObjects: [users, templates]\n`,
    ':4:29: export.workspaceObjects.1: the text "templates" is not one of "users", ',
  ],
  [
    'a channel twice',
    `${least}  templates: { channels: [1, 1] }\n`,
    ':4:16: export.templates.channels: each may be listed once',
  ],
];

async function errorOf(loading: Promise<unknown>): Promise<FatalError> {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FatalError)) throw new Error('no FatalError was thrown');
  return error;
}

describe('a mistake in an export', () => {
  test.each(mistakes)('%s', async (_what, text, saying) => {
    const error = await errorOf(load(text));
    expect(error.reason).toBe('usage');
    expect(error.message).toContain(`nightly.yaml${saying}`);
    expect(error.message.split('\n')).toHaveLength(1);
  });
});

test('a pipeline of the other kind says which command it is for', async () => {
  await load(contacts);
  expect(await readPipelineKind(file)).toBe('export');
  expect(await errorOf(loadImportPipeline(file))).toMatchObject({
    reason: 'usage',
    message: `The pipeline ${file} exports; it imports nothing.`,
    next: [toCommand('export', file)],
  });
  const other = join(folder, 'import.yaml');
  await writeFile(
    other,
    'pipeline: a\nimport:\n  source: { format: csv, path: a.csv }\n  mapping: mapping.yaml\n',
  );
  expect(await readPipelineKind(other)).toBe('import');
  expect(await errorOf(loadExportPipeline(other))).toMatchObject({
    reason: 'usage',
    message: `The pipeline ${other} imports; it exports nothing.`,
    next: [toCommand('import', other)],
  });
});
