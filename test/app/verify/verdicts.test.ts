import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournalDatabase } from '../../../src/journal/index.ts';
import { isWrite, type RealImport, realImport } from '../import/real-import.ts';
import { edit, verify } from './real-verify.ts';

const mapping = `mapping: verdicts
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  lastName: { from: Last }
  email: { from: Email }
customFields:
  Plan: { from: Plan, type: text }
`;

const customFields = [{ id: 1, name: 'Plan', dataType: 'text' as const }];

const lines = ['Id,Name,Last,Email,Plan'].concat(
  [1, 2, 3, 4, 5, 6].map((n) => `${n},Name${n},Last Name ${n},p${n}@example.test,Gold ${n}`),
);

/** Six people who are there already, each with an old plan. */
const seed = {
  customFields,
  contacts: [1, 2, 3, 4, 5, 6].map((n) => ({
    id: n,
    firstName: `Name${n}`,
    email: `p${n}@example.test`,
    custom_fields: [{ name: 'Plan', value: `old ${n}` }],
  })),
};

async function imported(options: Parameters<typeof realImport>[4] = {}): Promise<RealImport> {
  const real = await realImport(mapping, lines, [], '', { seed, ...options });
  await real.import();
  return real;
}

it('calls it a lost write where the old value is still there', async () => {
  const real = await imported();
  await edit(real, 3, { lastName: null }, { Plan: 'old 3' });
  const { verification, lines: found } = await verify(real);
  expect(found.map(({ contactId, field, cause }) => [contactId, field, cause])).toEqual([
    ['3', 'lastName', 'lost'],
    ['3', 'customFields.Plan', 'lost'],
  ]);
  expect(found[1]).toMatchObject({
    _line: '4',
    _key: '3',
    written: 'Gold 3',
    found: 'old 3',
    before: 'old 3',
  });
  expect(verification).toMatchObject({ exitCode: 3, causes: { lost: 2, edited: 0, normalised: 0 } });
});

it('calls it normalised where the same change was made to many contacts, and an edit where it was made to one', async () => {
  const real = await imported();
  for (const n of [1, 2, 4, 5, 6]) await edit(real, n, { lastName: `LAST NAME ${n}` });
  await edit(real, 3, { lastName: 'Somebody Else' }, { Plan: 'GOLD 3' });
  const { verification, lines: found } = await verify(real);
  expect(
    Object.fromEntries(found.map(({ contactId, field, cause }) => [`${contactId} ${field}`, cause])),
  ).toEqual({
    '1 lastName': 'normalised: in upper case',
    '2 lastName': 'normalised: in upper case',
    '3 customFields.Plan': 'edited',
    '3 lastName': 'edited',
    '4 lastName': 'normalised: in upper case',
    '5 lastName': 'normalised: in upper case',
    '6 lastName': 'normalised: in upper case',
  });
  expect(verification.normalised).toEqual([{ field: 'lastName', what: 'in upper case', n: 5 }]);
  expect(verification.causes).toMatchObject({ normalised: 5, edited: 2 });
});

it('does not call it normalised where as many values were left as they are', async () => {
  const real = await imported();
  for (const n of [1, 2, 3]) await edit(real, n, { lastName: `LAST NAME ${n}` });
  const { verification } = await verify(real);
  expect(verification.causes).toMatchObject({ normalised: 0, edited: 3 });
});

it('says who is missing, and asks for them once more by themselves', async () => {
  const real = await imported({
    seed: { ...seed, contacts: [...seed.contacts, { id: 50, firstName: 'Old', created_at: 5 }] },
  });
  const workspace = real.open(new AbortController().signal);
  await workspace.contacts.merge({ contactIds: [50, 2], firstName: 'Old' });
  await workspace.close(0);
  const { verification, lines: found } = await verify(real);
  expect(found).toMatchObject([{ contactId: '2', field: '', verdict: 'missing' }]);
  expect(verification).toMatchObject({ exitCode: 3, contacts: { missing: 1, matched: 5, different: 0 } });
  expect(real.sandbox.log.filter(({ path }) => path === '/contact/id:2')).toHaveLength(1);
});

it('expects those gone that the import merged away', async () => {
  const real = await realImport(
    mapping.replace(
      '  email: { from: Email }',
      '  email: { from: Email }\n  phone: { from: Phone, country: MY }',
    ),
    ['Id,Name,Last,Email,Phone,Plan', '1,Dee,D,dee@example.test,+60123456789,gold'],
    ['  policy: { onConflict: merge }'],
    '',
    {
      seed: {
        customFields,
        contacts: [
          { id: 8, firstName: 'Dee', email: 'dee@example.test', created_at: 20 },
          { id: 9, firstName: 'D.', phone: '+60123456789', created_at: 10 },
        ],
      },
    },
  );
  await real.import();
  const { verification, lines: found } = await verify(real);
  expect(found).toMatchObject([{ contactId: '8', verdict: 'gone', cause: 'merged into 9' }]);
  expect(verification).toMatchObject({ exitCode: 0, contacts: { written: 2, matched: 1, gone: 1 } });
  // As if the merge had never been: its answer came, and both are still there.
  real.sandbox.add({ contacts: [{ id: 8, firstName: 'Dee', email: 'dee2@example.test' }] });
  expect((await verify(real)).lines).toMatchObject([{ contactId: '8', verdict: 'different', cause: 'lost' }]);
});

it('says what waits: tags by file until they are imported, deferred steps until they are taken', async () => {
  const real = await realImport(
    `${mapping}tags: { from: Tags, split: ";", attach: file }\nlifecycle: { from: Stage }\n`,
    [
      'Id,Name,Last,Email,Plan,Tags,Stage',
      '1,Name1,B,p1@example.test,x,vip;new,Customer',
      '2,C,D,n@example.test,y,,Lead',
    ],
    ['  deferred: [lifecycle]'],
    '',
    { seed, extensions: { attachTags: true } },
  );
  await real.import();
  const before = await verify(real, { deferred: ['lifecycle'] });
  expect(before.lines.map(({ field, verdict, cause, written }) => [field, verdict, cause, written])).toEqual(
    expect.arrayContaining([
      ['tags', 'notYet', 'tagsByFile', 'vip'],
      ['tags', 'notYet', 'tagsByFile', 'new'],
      ['lifecycle', 'notYet', 'deferred', ''],
      ['lifecycle', 'notYet', 'deferred', ''],
    ]),
  );
  expect(before.verification).toMatchObject({ exitCode: 3, contacts: { notYet: 2, different: 0 } });
  const workspace = real.open(new AbortController().signal);
  const endpoint = { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' } as const;
  const { createExtensionEndpoint: extensionEndpoint } = await import('../../../src/workspace/index.ts');
  await workspace.extensions.call(extensionEndpoint(endpoint), { kind: 'id', value: '1' }, ['VIP', 'new']);
  await workspace.close(0);
  // Deferred steps alone are on purpose.
  expect((await verify(real, { deferred: ['lifecycle'] })).verification).toMatchObject({
    exitCode: 0,
    notYet: { tagsByFile: 0, deferred: 2 },
  });
  await real.import({ selection: { kind: 'deferred' } });
  const after = await verify(real, { all: true, deferred: ['lifecycle'] });
  expect(after.lines).toEqual([]);
  expect(after.verification).toMatchObject({ exitCode: 0, contacts: { written: 2, matched: 2 } });
});

it('compares lifecycle, assignee, conversation and attached tags, and lists what no reading shows', async () => {
  const real = await realImport(
    `${mapping}tags: { from: Tags, split: ";", attach: extension }
lifecycle: { from: Stage }
assignee: { from: Owner }
conversation: { status: closed, existing: true, category: Migrated }
comments:
  existing: send
  entries: [{ name: origin, text: "Record {Id}" }]
`,
    [
      'Id,Name,Last,Email,Plan,Tags,Stage,Owner',
      '1,Name1,B,p1@example.test,x,vip;new,Customer,agent@sandbox.test',
    ],
    ['  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }'],
    '',
    { seed, extensions: { attachTags: true } },
  );
  await real.import();
  const first = await verify(real);
  expect(first.verification).toMatchObject({
    exitCode: 0,
    contacts: { written: 1, matched: 1 },
    cannotVerify: { comments: 1, closings: 1, workspaceTags: 2 },
  });
  expect(first.page).toContain('the API cannot read them');
  const workspace = real.open(new AbortController().signal);
  const one = { kind: 'id', value: '1' } as const;
  await workspace.contacts.setLifecycle(one, null);
  await workspace.conversations.assign(one, '1');
  await workspace.conversations.setStatus(one, { status: 'open' });
  await workspace.close(0);
  const { lines: found } = await verify(real);
  expect(
    found
      .filter(({ verdict }) => verdict === 'different')
      .map(({ field, cause, written }) => [field, cause, written]),
  ).toEqual([
    ['assignee', 'edited', '3'],
    ['conversation', 'lost', 'closed'],
    ['lifecycle', 'lost', 'Customer'],
  ]);
});

it('does not call it different where the answer was lost and nobody knows yet', async () => {
  const real = await imported();
  await edit(real, 3, {}, { Plan: 'old 3' });
  const journal = openJournalDatabase(join(real.folder, 'work'));
  journal.exec("UPDATE step SET state = 'sent' WHERE seq = 2");
  journal.close();
  const { verification, lines: found } = await verify(real);
  expect(found).toMatchObject([
    { contactId: '3', field: 'customFields.Plan', verdict: 'notYet', cause: 'inFlight' },
  ]);
  expect(verification).toMatchObject({ exitCode: 3, notYet: { inFlight: 1 }, contacts: { notYet: 1 } });
});

it('expects what a later run wrote', async () => {
  const real = await realImport(mapping, lines, [], '', { seed: { customFields } });
  await real.import();
  real.write(lines.map((line) => line.replace('Gold 4', 'Platinum')));
  await real.import();
  const first = await verify(real);
  expect(first.verification).toMatchObject({ exitCode: 0, values: { byLaterRun: 1, different: 0 } });
  const id = real.sandbox.contacts()[3]?.id ?? 0;
  await edit(real, id, {}, { Plan: 'Gold 4' });
  expect((await verify(real)).lines).toMatchObject([
    { contactId: String(id), written: 'Platinum', found: 'Gold 4', cause: 'lost' },
  ]);
});

it('reads a sample, and says what that says of all', async () => {
  const real = await imported();
  const few = { all: false, sample: 0.5, randomness: { next: () => 0 } };
  const { verification, page } = await verify(real, few);
  expect(verification).toMatchObject({
    contacts: { written: 6, matched: 3 },
    sample: { contacts: 3, atMost: 2 },
  });
  expect(page).toContain('with 95 % confidence at most 34 % of the contacts (2) differ or are missing');
  expect(real.sandbox.log.filter(isWrite)).toEqual([]);
});

it('knows by its e-mail whom an import created, also where another mapping has written to the contact since', async () => {
  const real = await realImport(mapping, lines, [], '', { seed: { customFields } });
  await real.import();
  writeFileSync(join(real.folder, 'mapping.yaml'), mapping.replace('mapping: verdicts', 'mapping: another'));
  real.write(lines.map((line) => line.replace('Gold', 'Other')));
  await real.import();
  for (const all of [false, true]) {
    const { verification, lines: found } = await verify(real, { all });
    expect(found).toEqual([]);
    expect(verification).toMatchObject({ exitCode: 0, contacts: { written: 6, matched: 6 } });
  }
});

it('says whom it could not read', async () => {
  const real = await imported();
  const workspace = real.open(new AbortController().signal);
  const refused = { kind: 'refused', status: 403, message: 'Forbidden' } as const;
  const read = () => Promise.resolve(refused);
  const list = () => Promise.resolve({ kind: 'ok', value: { items: [], next: null } } as const);
  const blind = { ...workspace, contacts: { read, list } };
  const { verification, lines: found } = await verify(real, { workspace: blind });
  await workspace.close(0);
  expect(found[0]).toMatchObject({ verdict: 'unread', cause: 'Forbidden' });
  expect(verification).toMatchObject({ exitCode: 3, contacts: { unread: 6, missing: 0 } });
});

it('leaves no file behind where it is stopped in the middle', async () => {
  const real = await imported();
  const workspace = real.open(new AbortController().signal);
  const list = () => Promise.reject(new Error('stopped'));
  const stopped = { ...workspace, contacts: { read: list, list } };
  await expect(verify(real, { workspace: stopped })).rejects.toThrow('stopped');
  await workspace.close(0);
  expect(readdirSync(join(real.folder, 'work', 'spool')).filter((name) => name.endsWith('.part'))).toEqual(
    [],
  );
});
