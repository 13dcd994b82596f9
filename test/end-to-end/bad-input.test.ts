import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import * as command from './command.ts';
import { run } from './in-process.ts';
import { writePeople } from './people.ts';

/** Something that is wrong before the first row: the import refuses, says where, and sends nothing. */
interface Case {
  readonly name: string;
  /** Spoils what lies in the folder: people.csv, mapping.yaml, pipeline.yaml. */
  readonly spoil?: (folder: string) => void;
  /** In place of `--workspace URL`. */
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly sandbox?: SandboxOptions;
  /** 2 where nothing is said. */
  readonly code?: number;
  /** The whole error: DIR is the folder, URL the workspace. */
  readonly says: string;
}

const remove = (name: string) => (folder: string) => rmSync(join(folder, name));
const write = (name: string, text: string) => (folder: string) => writeFileSync(join(folder, name), text);
const folderInstead = (name: string) => (folder: string) => {
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
};
const edit = (name: string, from: string, to: string) => (folder: string) => {
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
};
const journal = (make: (path: string) => void) => (folder: string) => {
  mkdirSync(join(folder, 'work'));
  make(join(folder, 'work', 'journal.db'));
};

const header = 'ID,First,Last,Email,Phone,Score';
const fix = 'Fix it, then: npx longshore check DIR/pipeline.yaml --work-dir DIR/work';
const mendWith = 'Fix it, then: npx longshore check DIR/pipeline.yaml --workspace URL --work-dir DIR/work';

const input: readonly Case[] = [
  {
    name: 'a missing file',
    spoil: remove('people.csv'),
    says: `DIR/people.csv does not exist.
  Check the path; in YAML it is relative to the YAML file (there are: mapping.yaml, pipeline.yaml).`,
  },
  {
    name: 'an empty file',
    spoil: write('people.csv', ''),
    says: 'DIR/people.csv is empty.\n  Export it again, or use another file.',
  },
  {
    name: 'a file of blanks',
    spoil: write('people.csv', ' \n\n  \n'),
    says: 'DIR/people.csv has only empty lines.\n  Export it again, or use another file.',
  },
  {
    name: 'a directory',
    spoil: folderInstead('people.csv'),
    says: `DIR/people.csv is a directory.
  Use a file in it, or set "format: dump" if its files belong together.`,
  },
  {
    name: 'an empty pipe',
    spoil: edit('pipeline.yaml', 'path: people.csv', 'path: "-"'),
    stdin: '',
    says: 'standard input is empty.\n  Export it again, or use another file.',
  },
  {
    name: 'a header without a mapped column, and a near one',
    spoil: edit('people.csv', 'Email', 'E-mail'),
    says: `DIR/mapping.yaml:6:12: contact.email.from: the input has no column "Email"; did you mean "E-mail"?
  ${mendWith}`,
  },
  {
    name: 'a header without several mapped columns',
    spoil: write('people.csv', 'ID,First,Surname,Mail,Phone,Score\n1,a,b,c@d.ee,,1\n'),
    says: `DIR/mapping.yaml:5:15: contact.lastName.from: the input has no column "Last"; it has "ID", "First", "Surname", "Mail", "Phone", "Score"
       DIR/mapping.yaml:6:12: contact.email.from: the input has no column "Email"; did you mean "Mail"?
  ${mendWith}`,
  },
  {
    name: 'a column that is there twice',
    spoil: edit('people.csv', 'Last,Email', 'First,Email'),
    says: `DIR/people.csv has columns with the same name: "First" (columns 2, 3).
  Rename them, or set "duplicateHeaders: number" to call the second "Name.2".`,
  },
  {
    name: 'an unclosed quote',
    spoil: write('people.csv', `${header}\n1,Ada,"L,a@example.com,,1\n2,Bob,B,b@example.com,,2\n`),
    says: `DIR/people.csv has a quote in line 2 that is never closed, so the rest of the file would be one cell.
  Close or remove that quote, or set "quote: false" if the file quotes nothing.`,
  },
];

const yaml: readonly Case[] = [
  {
    name: 'a misspelt key of the pipeline',
    spoil: edit('pipeline.yaml', 'mapping:', 'maping:'),
    says: `DIR/pipeline.yaml:4:3: import.maping: the key "maping" is not known here; did you mean "mapping"?
  ${mendWith}`,
  },
  {
    name: 'a misspelt value of the pipeline',
    spoil: edit('pipeline.yaml', '  limits: {}', '  policy: { onMatch: updat }'),
    says: `DIR/pipeline.yaml:5:22: import.policy.onMatch: the text "updat" is not one of "update", "fill", "skip", "reject"; did you mean "update"?
  ${mendWith}`,
  },
  {
    name: 'a misspelt key of the mapping',
    spoil: edit('mapping.yaml', 'firstName: {', 'firstNmae: {'),
    says: `DIR/mapping.yaml:4:3: contact.firstNmae: the key "firstNmae" is not known here; did you mean "firstName"?
  ${fix}`,
  },
  {
    name: 'a missing mapping',
    spoil: remove('mapping.yaml'),
    says: `There is no mapping at DIR/mapping.yaml.\n  ${fix}`,
  },
  {
    name: 'a missing pipeline',
    spoil: remove('pipeline.yaml'),
    says: `There is no pipeline at DIR/pipeline.yaml.
  Check the path, or draft a pipeline: npx longshore draft --help`,
  },
  {
    name: 'a token in the YAML',
    spoil: edit('pipeline.yaml', '  limits: {}', '  workspace: { token: abc }'),
    says: `DIR/pipeline.yaml:5:16: import.workspace.token: the key "token" is not known here; known are baseUrl, tokenEnv, sandbox
  ${mendWith}`,
  },
  {
    name: 'an http address in the YAML that is not loopback',
    spoil: edit('pipeline.yaml', '  limits: {}', '  workspace: { baseUrl: "http://api.example.com/v1" }'),
    says: `DIR/pipeline.yaml:5:25: import.workspace.baseUrl: this is not an https address without user name, such as https://api.example.com/v1 (http is allowed only for this machine)
  ${mendWith}`,
  },
];

const settings: readonly Case[] = [
  {
    name: 'an http address that is not loopback',
    flags: ['--workspace', 'http://api.example.com/v1'],
    says: `--workspace: The base URL of the workspace is http, and its host is not this machine. Use https, or http to 127.0.0.1, [::1] or localhost.
  --workspace takes "sandbox" or a base URL such as https://host/v1.`,
  },
  {
    name: 'a malformed base URL',
    flags: ['--workspace', 'sandbx'],
    says: `--workspace: The base URL of the workspace is not a URL. It looks like https://host/v1.
  --workspace takes "sandbox" or a base URL such as https://host/v1.`,
  },
  {
    name: 'a base URL with a password, which is not repeated',
    flags: [],
    env: { LONGSHORE_BASE_URL: 'https://me:secret-word@example.com/v1' },
    says: `LONGSHORE_BASE_URL: The base URL of the workspace has a user or a password. Leave both out.
  Fix LONGSHORE_BASE_URL, or rehearse with --workspace sandbox.`,
  },
  {
    name: 'no workspace',
    flags: [],
    says: `No target workspace set.
  export LONGSHORE_BASE_URL=https://…/v1   (or workspace.baseUrl in the pipeline; --workspace sandbox is a local one to rehearse on)`,
  },
  {
    name: 'no token',
    env: { LONGSHORE_TOKEN: ' ' },
    says: `No token: the environment variable LONGSHORE_TOKEN is not set.
  export LONGSHORE_TOKEN=…   (see the workspace settings: Integrations, Developer API)`,
  },
  {
    name: 'a token that cannot be one',
    env: { LONGSHORE_TOKEN: 'one\ntwo' },
    says: `LONGSHORE_TOKEN: The token of the workspace has a space, a line break or a character that is not ASCII. Copy it again.
  export LONGSHORE_TOKEN=…   (the token alone, in one line)`,
  },
  {
    name: 'a token that is refused',
    env: { LONGSHORE_TOKEN: 'another-token' },
    code: 5,
    says: `The workspace refused the token (401 UN_AUTHORIZED).
  Check the token in the workspace settings: Integrations, Developer API.
  Then: npx longshore import DIR/pipeline.yaml --workspace URL --work-dir DIR/work`,
  },
  {
    name: 'a workspace that forbids everything',
    sandbox: { forbidden: ['*'] },
    code: 5,
    says: `403: the token lacks permission for GET /space/user (Forbidden).
  Give the token this permission in the workspace settings: Integrations, Developer API.
  Then: npx longshore import DIR/pipeline.yaml --workspace URL --work-dir DIR/work`,
  },
  {
    name: 'a work dir that cannot be written',
    flags: ['--workspace', 'sandbox', '--work-dir', '/dev/null/work'],
    says: '/dev/null/work: the work dir cannot be written (ENOTDIR).\n  Choose a folder of your own with --work-dir.',
  },
  {
    name: 'a journal of a newer version',
    spoil: journal((path) => {
      const file = new Database(path);
      file.exec('CREATE TABLE run (number INTEGER)');
      file.pragma(`application_id = ${0x4c534852}`);
      file.pragma('user_version = 999');
      file.close();
    }),
    says: `DIR/work/journal.db: the journal has version 999, written by a newer Longshore; this one reads versions up to N.
  Use the newer Longshore, or another --work-dir (without the memory of these runs).`,
  },
  {
    name: 'a file that is not a journal',
    spoil: journal((path) => writeFileSync(path, 'these are notes, and no journal\n'.repeat(200))),
    says: `DIR/work/journal.db: this file is not a journal of Longshore.
  Move the file away, or choose another folder with --work-dir.`,
  },
];

const score = 'Score: { from: Score, type: number }';
const fields: readonly Case[] = [
  {
    name: 'a custom field that the workspace does not have',
    spoil: edit('mapping.yaml', 'Score: { from', 'Skore: { from'),
    says: `DIR/mapping.yaml:9:3: customFields.Skore: the workspace has no custom field "Skore"; did you mean "Score"? ("create: true" creates it)
  ${mendWith}`,
  },
  {
    name: 'a custom field of another type',
    spoil: edit('mapping.yaml', 'type: number', 'type: date'),
    says: `DIR/mapping.yaml:9:25: customFields.Score.type: the workspace's field is of type "number", not "date"
  ${mendWith}`,
  },
  {
    name: 'a list value that the workspace does not allow',
    spoil: edit('mapping.yaml', score, 'Plan: { from: Score, type: list, allowed: [gold, bronze] }'),
    says: `DIR/mapping.yaml:9:36: customFields.Plan.allowed: the workspace's field does not allow "bronze"; it has "gold", "silver"
  ${mendWith}`,
  },
];

const groups = { input, yaml, settings, fields };

describe.each(Object.entries(groups))('what is wrong before the first row: %s', (_, cases) => {
  it.concurrent.each(cases)('$name', async ({ spoil, flags, env, stdin, sandbox: options, code, says }) => {
    const folder = temporaryFolder();
    const { pipeline, seed } = writePeople(folder.path, 4, '{}');
    const sandbox = await startSandbox({ seed, ...options });
    sandbox.add({ customFields: [{ name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] }] });
    try {
      spoil?.(folder.path);
      const work = join(folder.path, 'work');
      const where = flags ?? ['--workspace', sandbox.baseUrl];
      const args = ['import', pipeline, '--work-dir', work, ...where];
      const withToken = { LONGSHORE_TOKEN: 'sandbox', ...env };
      const ended =
        stdin === undefined ? await run(args, withToken) : await command.run(args, withToken, stdin);
      const shown = ended.stderr
        .replaceAll(folder.path, 'DIR')
        .replaceAll(sandbox.baseUrl, 'URL')
        .replace(/up to \d+/, 'up to N');
      expect(shown.slice(shown.indexOf('error: '))).toBe(`error: ${says}\n`);
      expect(ended).toMatchObject({ code: code ?? 2, stdout: '' });
      expect(sandbox.log.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(existsSync(join(work, 'runs'))).toBe(false);
    } finally {
      await sandbox.close();
      folder.remove();
    }
  });
});

it.skipIf(process.getuid?.() === 0)('an unreadable file', async () => {
  const folder = temporaryFolder();
  const { pipeline } = writePeople(folder.path, 4, '{}');
  chmodSync(join(folder.path, 'people.csv'), 0);
  const { code, stderr } = await run(['check', pipeline, '--work-dir', folder.path]);
  folder.remove();
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('people.csv cannot be read'),
  });
});
