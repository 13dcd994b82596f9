import { expect, it } from 'vitest';
import { problemsBetween } from '../../../src/journal/index.ts';
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
    expect(problemsBetween(file, run.number, 0, 100)).toEqual([]);
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

it('reads whoever is in the list once, and updates them', async () => {
  const seed = {
    contacts: [{ id: 7, firstName: 'Old', email: 'p2@example.com', phone: '+12015551002' }],
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
        real.sandbox.add({ contacts: [{ id: 900, firstName: 'Else', email: 'p5@example.com' }] });
      },
    });
    let doubled: readonly unknown[] = [];
    const { exitCode } = await real.import({}, ({ file, run }) => {
      doubled = problemsBetween(file, run.number, 0, 100);
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
    }
  },
);
