import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeedJsonSchema, startSandbox } from '../../src/sandbox/index.ts';
import { heldClock, startForTest } from './caller.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

test('without a seed there are users and closing notes, and no contact', async () => {
  const { call, sandbox } = await startForTest();
  expect((await call('GET', '/space/user')).json).toMatchObject({ items: [{ role: 'owner' }, {}, {}] });
  expect((await call('GET', '/space/closing_notes')).json).toMatchObject({ items: [{}, {}, {}] });
  expect(sandbox.contacts()).toEqual([]);
});

test('a JSON file says the same as an object', async () => {
  const seed = {
    users: [{ firstName: 'U', lastName: 'V', email: 'u@example.com', team: null }],
    customFields: [
      { name: 'Score', dataType: 'number' as const },
      { name: 'Opted in', dataType: 'checkbox' as const },
    ],
    contacts: [
      {
        firstName: 'A',
        email: 'a@example.com',
        assignee: 'U@example.com',
        status: 'blocked' as const,
        tags: ['x'],
        custom_fields: [
          { name: 'Score', value: '42' },
          { name: 'Opted in', value: true },
        ],
      },
      { firstName: 'B', email: 'a@example.com' },
    ],
    messages: [{ contactId: 'email:a@example.com', message: { type: 'text', text: 'Hi' } }],
  };
  const clock = heldClock();
  const fromObject = await startForTest({ seed, clock });
  const fromFile = await startForTest({ seed: await fileWith('seed.json', JSON.stringify(seed)), clock });
  expect(fromFile.sandbox.contacts()).toEqual(fromObject.sandbox.contacts());
  expect(fromFile.sandbox.contacts()).toMatchObject([
    {
      id: 1,
      isBlocked: true,
      status: 'blocked',
      tags: ['x'],
      assignee: { id: 1 },
      custom_fields: [{ value: '42' }, { value: 'true' }],
      created_at: 1_700_000_000,
    },
    { id: 2, firstName: 'B', email: 'a@example.com' },
  ]);
  expect((await fromFile.call('GET', '/contact/id:1/message/list')).json).toMatchObject({
    items: [{ contactId: 1, message: { text: 'Hi' } }],
  });
  expect((await fromFile.call('GET', '/space/user/1')).json).toMatchObject({ team: null, role: 'agent' });
});

test('its JSON Schema knows every key, and refuses others', () => {
  expect(createSeedJsonSchema()).toMatchObject({
    additionalProperties: false,
    properties: Object.fromEntries(
      ['users', 'customFields', 'closingNotes', 'tags', 'channels', 'templates', 'contacts', 'messages'].map(
        (key) => [key, { type: 'array' }],
      ),
    ),
  });
});

test('a CSV file gives contacts; what is no contact field becomes a custom field', async () => {
  const text = [
    '\uFEFFfirstName,email,tags,Company Name,id,created_at,assignee',
    'Ada,ada@example.com,vip; old,"Ac,me",7,1600000000,agent@sandbox.test',
    'Bob,,,,,,',
  ].join('\r\n');
  const { sandbox } = await startForTest({ seed: await fileWith('contacts.csv', text), clock: heldClock() });
  const empty = { custom_fields: [{ name: 'Company Name', value: null }], tags: [], assignee: null };
  expect(sandbox.contacts()).toMatchObject([
    {
      id: 7,
      firstName: 'Ada',
      email: 'ada@example.com',
      tags: ['vip', 'old'],
      custom_fields: [{ name: 'Company Name', value: 'Ac,me' }],
      created_at: 1_600_000_000,
      assignee: { email: 'agent@sandbox.test' },
    },
    { id: 8, firstName: 'Bob', email: null, created_at: 1_700_000_000, ...empty },
  ]);
});

describe('a seed that does not fit is refused, and says where', () => {
  test.each([
    [{ contacts: [{ firstName: 'A', email: 'x' }] }, /contacts\.0\.email/],
    [{ contacts: [{ name: 'A' }] }, /contacts\.0/],
    [
      { contacts: [{ firstName: 'A', custom_fields: [{ name: 'Nope', value: '1' }] }] },
      /no custom field "Nope"/,
    ],
    [
      {
        customFields: [{ name: 'N', dataType: 'number' }],
        contacts: [{ firstName: 'A', custom_fields: [{ name: 'N', value: 'x' }] }],
      },
      /"x" is no number for "N"/,
    ],
    [{ contacts: [{ firstName: 'A', assignee: 'nobody@example.com' }] }, /no user nobody@example.com/],
    [{ messages: [{ contactId: 3 }] }, /no contact 3/],
    [{ templates: [{ name: 'T' }] }, /"T" of the seed names no channelId/],
    [{ customFields: [{ name: 'N', dataType: 'colour' }] }, /dataType/],
    [{ people: [] }, /people/],
  ])('%j', async (seed, message) => {
    await expect(startSandbox({ seed: await fileWith('bad.json', JSON.stringify(seed)) })).rejects.toThrow(
      message,
    );
  });

  test('a CSV file by its line', async () => {
    const text = 'firstName,email\nAda,ada@example.com\nBob,bob\n';
    await expect(startSandbox({ seed: await fileWith('bad.csv', text) })).rejects.toThrow(
      /bad\.csv, line 3: email/,
    );
    const twice = await fileWith('twice.csv', 'firstName,a,a\nAda,1,2\n');
    await expect(startSandbox({ seed: twice })).rejects.toThrow(/different/);
    const foreign = await fileWith('foreign.csv', 'Record ID,First Name,E-Mail\n1,Ada,a@example.com\n');
    await expect(startSandbox({ seed: foreign })).rejects.toThrow(
      `${foreign} is no seed: its header is "Record ID, First Name, E-Mail", and a seed has columns such as id, firstName, email, phone.`,
    );
    await expect(startSandbox({ seed: join(folder, 'nowhere.csv') })).rejects.toThrow(
      /There is no seed at .*nowhere\.csv/,
    );
    await expect(startSandbox({ seed: await fileWith('seed.txt', '') })).rejects.toThrow(/\.json or \.csv/);
  });
});

describe('a file-backed sandbox', () => {
  test('keeps its id and its contacts, and is seeded once', async () => {
    const file = join(folder, 'deep', 'sandbox.db');
    const options = { file, seed: { contacts: [{ firstName: 'A' }] } };
    const first = await startForTest(options);
    await first.call('POST', '/contact/email:b@example.com', { firstName: 'B' });
    const { id } = first.sandbox;
    await first.sandbox.close();
    const second = await startForTest(options);
    expect(second.sandbox.id).toBe(id);
    expect([first.sandbox.seedUse, second.sandbox.seedUse]).toEqual(['used', 'as before']);
    await second.sandbox.close();
    const third = await startForTest({ file, seed: { contacts: [{ firstName: 'C' }] } });
    expect(third.sandbox.seedUse).toBe('not used');
    expect(third.sandbox.contacts()).toMatchObject([{ firstName: 'A' }, { firstName: 'B' }]);
    const other = await startForTest();
    expect(other.sandbox.id).not.toBe(id);
  });

  test('is private to its owner', async () => {
    const file = join(folder, 'private', 'sandbox.db');
    const { call } = await startForTest({ file });
    await call('POST', '/contact/email:b@example.com', { firstName: 'B' });
    const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(file)).toBe('600');
    expect(await mode(`${file}-wal`)).toBe('600');
    expect(await mode(join(folder, 'private'))).toBe('700');
  });

  test('whose seed failed is seeded by the next start', async () => {
    const file = join(folder, 'again.db');
    const seed = await fileWith('half.csv', `firstName,email\nAda,a@example.com\nBob,bob\n`);
    await expect(startSandbox({ file, seed })).rejects.toThrow(/line 3/);
    await writeFile(seed, 'firstName,email\nAda,a@example.com\n');
    const { sandbox } = await startForTest({ file, seed });
    expect(sandbox.contacts()).toMatchObject([{ id: 1, firstName: 'Ada' }]);
  });

  test('is refused where the file is something else', async () => {
    const file = await fileWith(
      'other.db',
      'this is no database, and it is longer than a header of SQLite is',
    );
    await expect(startSandbox({ file })).rejects.toThrow(/not a database/);
  });
});

test('the same seed, clock and requests give the same workspace', async () => {
  const run = async () => {
    const { call, sandbox } = await startForTest({ clock: heldClock() });
    await call('POST', '/contact/email:a@example.com', { firstName: 'A' });
    await call('POST', '/contact/email:a@example.com/comment', { text: 'x' });
    return { contacts: sandbox.contacts(), log: sandbox.log };
  };
  expect(await run()).toEqual(await run());
});
