import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { unescapeCsvFormula } from '../../src/model/spreadsheet-guard.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { utf8 } from '../exporters/records.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Ended } from './command.ts';
import { bigWorkspace } from './export/big-workspace.ts';
import { columnsIn } from './export/columns.ts';
import { type Planted, readPlanted } from './export/planted.ts';
import { wantedValues } from './export/wanted.ts';
import { run } from './in-process.ts';
import { customField, readCsv } from './scene.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tokens = { old: 'the-token-of-the-old', new: 'the-token-of-the-new' };
// The pace of a workspace is kept, so that people are what takes the time.
const size = 100;
const seed = bigWorkspace({ contacts: size, messages: 3 * size, whole: false, seed: 7 });

type ContactRecord = ReturnType<Sandbox['contacts']>[number];

interface Moved {
  readonly planted: Planted;
  readonly to: Sandbox;
  readonly ended: Ended;
  /** A CSV file of the import. */
  csv(name: string): ReturnType<typeof readCsv>;
}

/** How the old workspace is brought to the import: gives the pipeline that a person has in the end. */
type Way = (parts: {
  readonly folder: string;
  readonly from: Sandbox;
  command(...args: readonly string[]): Promise<Ended>;
}) => Promise<string>;

/** Moves a workspace into another one that knows the same users. */
async function moving(way: Way, look: (moved: Moved) => void): Promise<void> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'old.db');
  const from = await startSandbox({ seed, file, tokens: [tokens.old], rate: 'off' });
  const users = seed.users?.map((user, n) => ({ ...user, id: 900 + n }));
  const to = await startSandbox({ seed: { users }, tokens: [tokens.new], rate: 'off' });
  const env = { LONGSHORE_SOURCE_BASE_URL: from.baseUrl, LONGSHORE_SOURCE_TOKEN: tokens.old };
  const workDir = join(folder.path, 'work');
  const command =
    (target: Sandbox, token: string) =>
    (...args: readonly string[]) =>
      run([...args, '--work-dir', workDir], {
        ...env,
        LONGSHORE_BASE_URL: target.baseUrl,
        LONGSHORE_TOKEN: token,
      });
  try {
    const pipeline = await way({ folder: folder.path, from, command: command(from, tokens.old) });
    const ended = await command(to, tokens.new)('import', pipeline, '--json');
    const { run: id } = JSON.parse(ended.stdout);
    look({ planted: readPlanted(file), to, ended, csv: (name) => readCsv(join(workDir, 'runs', id, name)) });
  } finally {
    await from.close();
    await to.close();
    folder.remove();
  }
}

/** An export in a format, and the draft that is made of it. */
const byExport =
  (format: string): Way =>
  async ({ folder, command }) => {
    const pipeline = join(folder, 'export.yaml');
    const kinds = { contacts: { format }, messages: { format }, workspaceObjects: ['customFields', 'users'] };
    // JSON is YAML.
    writeFileSync(
      pipeline,
      JSON.stringify({ pipeline: 'whole', export: { to: 'exports/{date}', ...kinds } }),
    );
    expect(await command('export', pipeline)).toMatchObject({ code: 0 });
    expect(await command('draft', join(folder, 'exports/latest'), '--out', folder)).toMatchObject({
      code: 0,
    });
    const drafted = join(folder, 'pipelines/import-whole.yaml');
    // The contacts that have neither e-mail nor phone cannot be created, and check says so.
    const { code, stdout } = await command('check', drafted);
    expect([code, stdout]).toEqual([3, expect.stringContaining('identity.missing')]);
    return drafted;
  };

/** The old workspace itself is asked for its custom fields, and is read. */
const directly: Way = async ({ folder, from, command }) => {
  const { code, stdout, stderr } = await command('draft', from.baseUrl, '--out', folder);
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(tokens.old)]);
  const drafted = join(folder, 'pipelines/import-old-workspace.yaml');
  const files = [drafted, join(folder, 'mappings/old-workspace.yaml')];
  for (const file of files) expect(readFileSync(file, 'utf8')).not.toContain(tokens.old);
  expect(await command('check', drafted, '--online')).toMatchObject({ code: 0 });
  return drafted;
};

const same = ['lastName', 'phone', 'language', 'profilePic', 'countryCode', 'lifecycle'] as const;
const fields = seed.customFields?.map(({ name }) => name) ?? [];

/** What moves of a contact: all but id, date of creation, blocked state and tags, which the interface cannot set. */
function moved(contact: ContactRecord): object {
  return {
    firstName: contact.firstName,
    email: contact.email,
    ...Object.fromEntries(same.map((name) => [name, contact[name]])),
    customFields: Object.fromEntries(
      [...fields, 'Blocked before', 'Contact since'].map((name) => [name, customField(contact, name)]),
    ),
    assignee: contact.assignee?.email ?? null,
    status: contact.status,
    comments: contact.comments.map(({ text }) => text),
  };
}

/** The same of a contact of the old workspace, worked out of its database. */
function wanted(contact: Planted['contacts'][number], history: readonly string[]): object {
  const value = (name: string) => contact[name] ?? null;
  const [columns, values] = fieldsOf(contact);
  const since = new Date(Number(contact.created_at) * 1_000).toISOString().slice(0, 10);
  return {
    firstName: value('firstName') ?? 'Unknown',
    // Addresses are the same without regard to case, and are written in small letters.
    email: contact.email === null ? null : String(contact.email).toLowerCase(),
    ...Object.fromEntries(same.map((name) => [name, value(name)])),
    customFields: {
      ...Object.fromEntries(columns.map((name, at) => [name, values[at]])),
      'Blocked before': String(contact.isBlocked),
      'Contact since': since,
    },
    assignee: Object.entries(contact.assignee ?? {}).find(([name]) => name === 'email')?.[1] ?? null,
    // What is blocked stays as a new one is.
    status: contact.status === 'blocked' ? 'open' : contact.status,
    comments: history,
  };
}

function fieldsOf({ custom_fields }: Planted['contacts'][number]): [string[], unknown[]] {
  const entries = Array.isArray(custom_fields) ? custom_fields : [];
  return [entries.map(({ name }) => name), entries.map(({ value }) => value)];
}

/** The messages of each contact, as the shipped mapping writes them down, in the order of time. */
function histories(planted: Planted): ReadonlyMap<unknown, string[]> {
  const columns = columnsIn('messages', []);
  const names = columns.map(({ name }) => name);
  const found = new Map<unknown, string[]>();
  for (const values of wantedValues('messages', planted, columns)) {
    const of = new Map(names.map((name, at) => [name, values[at]]));
    const at =
      of.get('created') === null ? '' : `${String(of.get('created')).slice(0, 16).replace('T', ' ')} `;
    const comment = `${at}${of.get('direction')} ${of.get('sender')}: ${of.get('text')}`;
    found.set(of.get('contactId'), [...(found.get(of.get('contactId')) ?? []), utf8(comment).trim()]);
  }
  return found;
}

const reachable = (contact: Planted['contacts'][number]): boolean =>
  contact.email !== null || contact.phone !== null;

function byIdentity(people: readonly object[]): unknown[] {
  return people
    .map((person) => JSON.parse(JSON.stringify(person)))
    .sort((a, b) => {
      const [one, other] = [`${a.email} ${a.phone}`, `${b.email} ${b.phone}`];
      return one < other ? -1 : 1;
    });
}

/** What stands in the local workspace of a work dir, without what it has given names to. */
function standing(workDir: string): unknown {
  const { contacts, customFields } = readPlanted(join(workDir, 'sandbox.db'));
  const db = new Database(join(workDir, 'sandbox.db'), { readonly: true });
  try {
    const comments = db.prepare<[], unknown>('SELECT contact, text FROM comments ORDER BY contact, id').all();
    return { comments, contacts: contacts.map(({ created_at: _, ...contact }) => contact), customFields };
  } finally {
    db.close();
  }
}

describe.concurrent('a workspace moved into another', () => {
  it('is the same by each of the shipped pipelines', async () => {
    const folder = temporaryFolder();
    try {
      const [first, ...others] = await Promise.all(
        ['import-workspace', 'import-export', 'import-export-sqlite'].map(async (name) => {
          const workDir = join(folder.path, name);
          const args = ['--workspace', 'sandbox', '--work-dir', workDir, '--json'];
          const { stdout } = await run(['import', join(root, 'pipelines', `${name}.yaml`), ...args]);
          expect(JSON.parse(stdout).rows).toMatchObject({ read: 4, created: 3, rejected: 1 });
          return standing(workDir);
        }),
      );
      for (const other of others) expect(other).toEqual(first);
    } finally {
      folder.remove();
    }
  });

  it.each<[string, Way]>([
    ['directly', directly],
    ['through an export in NDJSON', byExport('ndjson')],
    ['through an export in SQLite', byExport('sqlite')],
  ])('%s is the same, field by field', (_, way) =>
    moving(way, ({ planted, to, ended, csv }) => {
      expect(ended, ended.stderr).toMatchObject({ code: 3 });
      const { rows } = JSON.parse(ended.stdout);
      const people = planted.contacts.filter(reachable);
      expect(rows).toMatchObject({ read: size, created: people.length, rejected: size - people.length });
      const codes = csv('rejects.csv').map(({ id, _code }) => [Number(id), _code]);
      const strangers = planted.contacts.filter((contact) => !reachable(contact));
      expect(codes).toEqual(strangers.map(({ id }) => [id, 'identity.missing']));

      const history = histories(planted);
      const expected = people.map((contact) => wanted(contact, history.get(contact.id) ?? []));
      expect(byIdentity(to.contacts().map(moved))).toEqual(byIdentity(expected));

      const tagged = people.flatMap(({ email, tags }) =>
        Array.isArray(tags) && tags.length > 0 ? [[String(email ?? '').toLowerCase(), tags.join(';')]] : [],
      );
      const tags = csv('contact-tags.csv').map((line) => [line.email, unescapeCsvFormula(line.tags ?? '')]);
      expect(tags.sort()).toEqual(tagged.sort());
    }),
  );
});
