import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRunStatus } from '../../../src/app/status/report/run-status.ts';
import {
  listRowsWithContact,
  listRowsWithProblems,
  openJournalDatabase,
} from '../../../src/journal/index.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { systemClock } from '../../../src/workspace/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { edit } from '../verify/real-verify.ts';
import { realImport } from './real-import.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
`;

const row = (n: number) => `${n},Name${n},p${n}@example.com,+1201555${1_000 + n}`;
const rows = (count: number) => [
  'Id,Name,Email,Phone',
  ...Array.from({ length: count }, (_, n) => row(n + 1)),
];

const exclusive = ['  policy: { workspace: exclusive, lookup: snapshot }', '  limits: { settle: 1s }'];

const noted = (event: { readonly kind: string; readonly text?: string }) =>
  event.kind === 'note' && event.text?.includes('was read again');

it('creates whoever is not in the list with one request each', async () => {
  const real = await realImport(mapping, rows(20), exclusive);
  const { exitCode } = await real.import({}, ({ file, run }) => {
    expect(listRowsWithProblems(file, run.number, 0, 100)).toEqual([]);
  });
  expect(exitCode).toBe(0);
  const count = (method: string, path: RegExp) =>
    real.sandbox.log.filter((each) => each.method === method && path.test(each.path)).length;
  expect(count('GET', /^\/contact\//)).toBe(0);
  expect(count('POST', /^\/contact\/(?!list)/)).toBe(20);
  expect(count('POST', /^\/contact\/list/)).toBe(2);
  expect(real.sandbox.contacts()).toHaveLength(20);
  expect(real.events.some(noted)).toBe(true);
});

it('the closing pass learns the id of everybody it finds, also of rows that are one person', async () => {
  const same = '4,Name3,p3@example.com,+12015551003';
  const real = await realImport(mapping, [...rows(3), same], exclusive);
  let contacts: readonly (readonly [number, number | null])[] = [];
  await real.import({}, ({ file, run }) => {
    contacts = listRowsWithContact(file, run, 0, 100).map(({ line, contact }) => [line, contact]);
  });
  const [one, two, three] = real.sandbox
    .contacts()
    .map(({ email, id }) => [email, id] as const)
    .sort();
  expect(contacts).toEqual([
    [2, one?.[1]],
    [3, two?.[1]],
    [4, three?.[1]],
    [5, three?.[1]],
  ]);
});

it('reads whoever is in the list once, and updates them', async () => {
  const seed = {
    contacts: [{ id: 7, firstName: 'NAME2', email: 'p2@example.com', phone: '+12015551002' }],
  };
  const real = await realImport(mapping, rows(3), exclusive, '', { seed });
  await real.import();
  const reads = real.sandbox.log.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/contact/'),
  );
  expect(reads.map(({ path }) => path)).toEqual(['/contact/id:7']);
  expect(real.sandbox.contacts().map(({ firstName }) => firstName)).toEqual(['Name2', 'Name1', 'Name3']);
});

it.each(['refuse', 'duplicate'] as const)(
  'finds whom somebody else created meanwhile, where the workspace would %s them',
  async (existing) => {
    let added = false;
    const real = await realImport(mapping, rows(5), exclusive, '', {
      existing,
      onPhase(phase, { method, path }) {
        // Somebody creates the fifth person after the list was read.
        if (added || phase !== 'received' || method !== 'POST' || path === '/contact/list') return;
        added = true;
        real.sandbox.add({ contacts: [{ id: 900, firstName: 'NAME5', email: 'p5@example.com' }] });
      },
    });
    let doubled: readonly unknown[] = [];
    let shown: readonly unknown[] = [];
    const { exitCode } = await real.import({}, ({ file, run }) => {
      doubled = listRowsWithProblems(file, run.number, 0, 100);
      shown = createRunStatus(file, run, { invocation: usualInvocation }).problems;
    });
    const fifth = real.sandbox.contacts().filter(({ email }) => email === 'p5@example.com');
    if (existing === 'refuse') {
      expect({ doubled, exitCode }).toEqual({ doubled: [], exitCode: 0 });
      expect(fifth).toMatchObject([{ id: 900, firstName: 'Name5' }]);
    } else {
      expect(exitCode).toBe(3);
      expect(fifth).toHaveLength(2);
      const [one, other] = fifth.map(({ id }) => id);
      const reason = expect.stringContaining(`contacts ${one} and ${other}`);
      expect(doubled).toMatchObject([{ line: 6, problems: [{ code: 'identity.doubled', reason }] }]);
      // As the summary of the run names it.
      expect(shown).toEqual([{ consequence: 'doubled', code: 'identity.doubled', n: 1 }]);
    }
  },
);

it('looks through every page of those whom it created, and says so before it waits', async () => {
  let added = false;
  const settings = ['  policy: { workspace: exclusive, lookup: snapshot }', '  limits: { settle: 1h }'];
  // However busy the machine is, an hour is not over before the import has ended.
  const waits: Clock = {
    ...systemClock,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 1_000), signal),
  };
  const real = await realImport(mapping, rows(1_100), settings, '', {
    existing: 'duplicate',
    onPhase(phase, { path }) {
      if (added || phase !== 'received' || !path.startsWith('/contact/email:')) return;
      added = true;
      real.sandbox.add({
        contacts: [
          { firstName: 'Else', phone: '+12015552001' },
          { firstName: 'Else', email: 'p1100@example.com' },
        ],
      });
    },
  });
  let doubled: readonly number[] = [];
  await real.import({ waits }, ({ file, run }) => {
    doubled = listRowsWithProblems(file, run.number, 0, 2_000).map(({ line }) => line);
  });
  expect(doubled).toEqual([1_002, 1_101]);
  const notes = real.events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
  expect(notes.at(-2)).toMatch(/^Waiting until the last new contact shows in the list, 3\d{3} seconds/);
  expect(notes.at(-1)).toContain('2 of the contacts that the import created are there twice');
});

it('finds whom somebody else created under an identifier of a row that was folded into another', async () => {
  const header = 'Id,Name,Email,Phone';
  const both = ['1,Ada,old@example.com,+12015551001', '2,Ada,new@example.com,+12015551001'];
  const real = await realImport(mapping, [header, ...both], exclusive, '', {
    onPhase(phase, { path }) {
      if (phase === 'applied' && path.startsWith('/contact/email:'))
        real.sandbox.add({ contacts: [{ id: 900, firstName: 'Else', email: 'old@example.com' }] });
    },
  });
  const { exitCode } = await real.import({}, ({ file, run }) => {
    const [, carrier] = listRowsWithProblems(file, run.number, 0, 100);
    const reason = expect.stringContaining('contacts 1 and 900');
    expect(carrier?.problems.at(-1)).toMatchObject({ code: 'identity.doubled', reason });
  });
  expect(exitCode).toBe(3);
});

it('does not read the list again where everybody was looked up', async () => {
  const single = ['  policy: { workspace: exclusive, lookup: single }', '  limits: { settle: 1s }'];
  const real = await realImport(mapping, rows(3), single);
  await real.import();
  expect(real.sandbox.log.filter(({ path }) => path === '/contact/list')).toEqual([]);
});

it('a pass that a crash cut off after its findings is done again: what was put right since is taken back', async () => {
  let added = false;
  const real = await realImport(mapping, rows(3), exclusive, '', {
    existing: 'duplicate',
    onPhase(phase, { path }) {
      if (added || phase !== 'received' || !path.startsWith('/contact/email:')) return;
      added = true;
      const twins = [2, 3].map((n) => ({ id: 900 + n, firstName: 'Else', email: `p${n}@example.com` }));
      real.sandbox.add({ contacts: twins });
    },
  });
  let doubled: readonly unknown[] = [];
  const look = ({ file, run }: Parameters<NonNullable<Parameters<typeof real.import>[1]>>[0]) => {
    doubled = listRowsWithProblems(file, run.number, 0, 100).map(({ line, problems }) => [
      line,
      problems.length,
    ]);
  };
  const first = await real.import({}, look);
  expect({ exitCode: first.exitCode, doubled }).toEqual({
    exitCode: 3,
    doubled: [
      [3, 1],
      [4, 1],
    ],
  });
  const journal = openJournalDatabase(join(real.folder, 'work'));
  journal.prepare("UPDATE run SET state = 'running'").run();
  journal.close();
  await edit(real, 902, { email: 'somebody@example.com' });
  const again = await real.import({}, look);
  expect(again.run.id).toBe(first.run.id);
  expect({ exitCode: again.exitCode, doubled }).toEqual({ exitCode: 3, doubled: [[4, 1]] });
  expect(real.sandbox.contacts()).toHaveLength(5);
});
