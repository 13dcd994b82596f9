import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { type RealImport, realImport } from '../import/real-import.ts';
import { edit } from '../verify/real-verify.ts';
import { lastRun, preview, undo } from './real-undo.ts';
import { Stopper } from './stopper.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: name }
  lastName: { from: surname, empty: clear }
  email: { from: email }
customFields:
  Plan: { from: plan, type: list, allowed: [gold, silver] }
tags: { from: tags, split: ";", attach: file }
lifecycle: { from: stage }
assignee: { from: owner }
conversation: { status: closed, existing: true }
`;

const seed = {
  customFields: [{ id: 1, name: 'Plan', dataType: 'list' as const, allowedValues: ['gold', 'silver'] }],
  contacts: [
    {
      id: 10,
      firstName: 'Ann',
      email: 'ann@example.test',
      custom_fields: [{ name: 'Plan', value: 'gold' }],
      lifecycle: 'New Lead',
    },
    { id: 11, firstName: 'Bo', lastName: 'Li', email: 'bo@example.test', lifecycle: 'Customer' },
  ],
};

const rows = [
  'Id,name,surname,email,plan,tags,stage,owner',
  '1,Anna,Lee,ann@example.test,silver,vip,Customer,1',
  '2,Bo,,bo@example.test,gold,vip,New Lead,2',
];

async function imported(options: Parameters<typeof realImport>[4] = {}): Promise<{
  readonly real: RealImport;
  readonly before: ReturnType<Sandbox['contacts']>;
  readonly after: ReturnType<Sandbox['contacts']>;
}> {
  const real = await realImport(mapping, rows, ['  limits: { settle: 2s }'], '', { seed, ...options });
  const before = real.sandbox.contacts();
  await real.import();
  return { real, before, after: real.sandbox.contacts() };
}

/** Whether the workspace has the tag: nobody lists them, and an update without a change says so. */
async function hasTag(real: RealImport, name: string): Promise<boolean> {
  const workspace = real.open(new AbortController().signal);
  const answer = await workspace.tags.update({ currentName: name });
  await workspace.close(0);
  return answer.kind === 'ok';
}

it('puts values, states and tags back, and the next import sends them again', async () => {
  const { real, before, after } = await imported();
  expect(after).not.toEqual(before);
  const { exitCode, kept } = await undo(real);
  expect(kept).toEqual([]);
  expect(exitCode).toBe(0);
  expect(real.sandbox.contacts()).toEqual(before);
  expect(await hasTag(real, 'vip')).toBe(false);
  await real.import();
  expect(real.sandbox.contacts()).toEqual(after);
  expect(await hasTag(real, 'vip')).toBe(true);
});

it('leaves conversations and tags alone without their flags, and lists them', async () => {
  const { real, before } = await imported();
  const { exitCode, kept } = await undo(real, lastRun(real), { conversations: false, deleteTags: false });
  expect(exitCode).toBe(3);
  expect(kept.map(({ kind, contact, what }) => [kind, contact, what])).toEqual([
    ['tag', null, 'vip'],
    ['conversation', 10, 'conversation'],
    ['conversation', 11, 'conversation'],
  ]);
  expect(real.sandbox.contacts()).toEqual(before.map((contact) => ({ ...contact, status: 'closed' })));
});

it('undoes an undo: the tag is there again, and the import after it sends nothing', async () => {
  const { real, after } = await imported();
  const { run } = await undo(real);
  const { kept } = await undo(real, run);
  expect(kept).toEqual([]);
  expect(real.sandbox.contacts()).toEqual(after);
  expect(await hasTag(real, 'vip')).toBe(true);
  real.sandbox.resetLog();
  await real.import();
  expect(real.settings()).toEqual([]);
  expect(real.sandbox.contacts()).toEqual(after);
});

it('keeps a tag that a contact carries', async () => {
  const { real } = await imported({ extensions: { attachTags: true } });
  const workspace = real.open(new AbortController().signal);
  real.sandbox.add({ contacts: [{ id: 12, firstName: 'Cy', tags: ['vip'] }] });
  await workspace.close(0);
  const { kept } = await undo(real);
  expect(kept.map(({ kind, what, why }) => [kind, what, why])).toEqual([
    ['tag', 'vip', 'contact 12 carries it'],
  ]);
  expect(await hasTag(real, 'vip')).toBe(true);
});

describe('an import that gave an existing contact another phone and created a contact with the old one', () => {
  const people =
    'mapping: people\nkey: Id\ncontact:\n  firstName: { from: Name }\n  phone: { from: Phone, country: DE }\n';

  async function givenAway(options: Parameters<typeof realImport>[4] = {}) {
    const lines = ['Id,Name,Phone', '2,Lena,+49894561230', '3,Ida,+49301234567'];
    const real = await realImport(people, lines, ['  limits: { settle: 2s, concurrency: 1 }'], '', options);
    await real.import();
    real.write(['Id,Name,Phone', '2,Lena,+491605550012', '3,Ida B,+49301234567', '4,Lukas,+49894561230']);
    await real.import();
    return { real, lena: real.sandbox.contacts().find(({ firstName }) => firstName === 'Lena')?.id };
  }

  function hint(lena: number | undefined) {
    return {
      kind: 'contact',
      identifier: 'phone:+49894561230',
      why: 'the run created this contact, and the interface cannot delete one; the undo puts its phone back into another contact',
      todo: `Delete it in the workspace before the next import; keep contact ${lena}, which has its phone again`,
      sharesIdentifier: true,
    };
  }

  it('undone, names the contact that has its phone again, and never as created', async () => {
    const { real, lena } = await givenAway();
    const before = await preview(real);
    expect(before).toMatchObject({
      kept: { contact: 1 },
      why: { [hint(lena).why]: 1 },
      sharedIdentifiers: 1,
    });
    const { kept } = await undo(real);
    expect(kept).toMatchObject([hint(lena)]);
    expect(kept[0]?.contact).not.toBe(lena);
    const phones = real.sandbox.contacts().filter(({ phone }) => phone === '+49894561230');
    expect(phones.map(({ firstName }) => firstName)).toEqual(['Lena', 'Lukas']);
  });

  it('says the same where the answer about that contact was lost and the undo continued', async () => {
    const stopper = new Stopper();
    const { real, lena } = await givenAway({ onPhase: stopper.onPhase });
    const run = lastRun(real);
    const stop = stopper.at(real.sandbox, 'PUT', '/contact/{identifier}');
    const { run: stopped } = await undo(real, run, {
      stop,
      limits: { settle: 2_000, attempts: 3, concurrency: 1 },
    });
    expect(stopped.state).toBe('interrupted');
    const { run: continued, kept } = await undo(real, run);
    expect(continued.id).toBe(stopped.id);
    expect(kept).toMatchObject([hint(lena)]);
    // So does a second undo, which has nothing left to put back.
    expect((await undo(real, run)).kept).toMatchObject([hint(lena)]);
  });

  it('finds the created contact by its other identifier, too', async () => {
    const mapped = people.replace('  phone:', '  email: { from: Email }\n  phone:');
    const mapping = `${mapped}identify: [phone, email]\n`;
    const head = 'Id,Name,Phone,Email';
    const first = [head, '2,Lena,+49894561230,lena@example.test'];
    const real = await realImport(mapping, first, ['  limits: { settle: 2s }']);
    await real.import();
    real.write([head, '2,Lena,+491605550012,lena@example.test', '4,Lukas,+49894561230,lukas@example.test']);
    await real.import();
    const [lena, lukas] = real.sandbox.contacts().map(({ id }) => id);
    const { kept } = await undo(real);
    expect(kept).toMatchObject([{ contact: lukas, todo: hint(lena).todo }]);
  });

  it('says nothing of a contact that the undo leaves as it is', async () => {
    const { real, lena } = await givenAway();
    await edit(real, lena ?? 0, { phone: '+49301112223' });
    expect((await preview(real)).sharedIdentifiers).toBe(0);
    const { kept } = await undo(real);
    expect(kept.map(({ kind, sharesIdentifier }) => [kind, sharesIdentifier])).toEqual([
      ['contact', undefined],
      ['value', undefined],
    ]);
  });
});

it('leaves what somebody has edited since, and what a later run wrote', async () => {
  const { real, before } = await imported();
  const first = lastRun(real);
  await edit(real, 10, { firstName: 'Annie' });
  real.write([rows[0] ?? '', rows[1] ?? '', '2,Bob,,bo@example.test,gold,vip,New Lead,2']);
  const { run: later } = await real.import();
  const { kept } = await undo(real, first);
  expect(kept.map(({ kind, contact, what }) => [kind, contact, what])).toEqual([['value', 10, 'firstName']]);
  const second = await undo(real, later);
  expect(second.kept).toEqual([]);
  const now = real.sandbox.contacts();
  expect(now).toEqual(before.map((each) => (each.id === 10 ? { ...each, firstName: 'Annie' } : each)));
});

it('lists what the workspace does not clear, and puts the rest back', async () => {
  const { real, before } = await imported({ emptyValues: 'ignore' });
  const { exitCode, kept } = await undo(real);
  expect(exitCode).toBe(3);
  expect(kept.map(({ kind, contact, what, todo }) => [kind, contact, what, todo])).toEqual([
    ['value', 10, 'lastName', 'Clear it in the workspace'],
    ['value', 11, 'customFields.Plan', 'Clear it in the workspace'],
  ]);
  const kept11 = [{ name: 'Plan', value: 'gold' }];
  expect(real.sandbox.contacts()).toEqual(
    before.map((each) =>
      each.id === 10 ? { ...each, lastName: 'Lee' } : { ...each, custom_fields: kept11 },
    ),
  );
});

describe('a stop at a request whose answer is lost', () => {
  const contact = '/contact/{identifier}';
  it.each([
    ['update', 'PUT', contact],
    ['lifecycle', 'POST', `${contact}/lifecycle/update`],
    ['assignee', 'POST', `${contact}/conversation/assignee`],
    ['conversation', 'POST', `${contact}/conversation/status`],
    ['deleteTag', 'DELETE', '/space/tag'],
  ])('of %s: continued, the undo ends the same', async (_, method, template) => {
    const stopper = new Stopper();
    const { real, before, after } = await imported({ onPhase: stopper.onPhase });
    const run = lastRun(real);
    const stop = stopper.at(real.sandbox, method, template);
    const stopped = await undo(real, run, { stop });
    expect(stopped.run.state).toBe('interrupted');
    const { run: undone, kept } = await undo(real, run);
    expect(undone.id).toBe(stopped.run.id);
    expect(kept).toEqual([]);
    expect(real.sandbox.contacts()).toEqual(before);
    expect(await hasTag(real, 'vip')).toBe(false);
    // The undo remembers all that it replaced, too.
    await undo(real, undone);
    expect(real.sandbox.contacts()).toEqual(after);
    real.sandbox.resetLog();
    await real.import();
    expect(real.sandbox.counts()).not.toHaveProperty([`PUT ${contact}`]);
  });

  it('of an import’s update that was edited in part before it continued: every value has its record', async () => {
    const stopper = new Stopper();
    const options = { seed, onPhase: stopper.onPhase };
    const real = await realImport(mapping, rows, ['  limits: { settle: 2s, concurrency: 1 }'], '', options);
    const before = real.sandbox.contacts();
    const stop = stopper.at(real.sandbox, 'PUT', contact);
    const { run } = await real.import({ stop });
    expect(run.state).toBe('interrupted');
    await edit(real, 10, { firstName: 'Annie' });
    await real.import();
    const { kept } = await undo(real, run);
    expect(kept).toEqual([]);
    // Of a value that the run wrote twice the one before the first comes back.
    expect(real.sandbox.contacts()).toEqual(before);
  });
});
