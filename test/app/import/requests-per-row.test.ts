import { expect, it } from 'vitest';
import { type RealImport, realImport } from './real-import.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
`;

const row = (n: number, name = `Name${n}`) => `${n},${name},p${n}@example.com,+1201555${1_000 + n}`;
const rows = (count: number) => [
  'Id,Name,Email,Phone',
  ...Array.from({ length: count }, (_, n) => row(n + 1)),
];

const settings = (policy: string) => [`  policy: { ${policy} }`, '  limits: { settle: 100ms }'];

const importOf = (policy: string, options: Parameters<typeof realImport>[4] = {}, of = mapping) =>
  realImport(of, rows(10), settings(policy), '', options);

/** The requests for contacts since the last count, by kind. */
function counted({ sandbox }: RealImport) {
  const count = (method: string, path: RegExp) =>
    sandbox.log.filter((each) => each.method === method && path.test(each.path)).length;
  const found = {
    reads: count('GET', /^\/contact\//),
    creates: count('POST', /^\/contact\/(?!list)/),
    updates: count('PUT', /^\/contact\//),
    pages: count('POST', /^\/contact\/list/),
  };
  sandbox.resetLog();
  return found;
}

const none = { reads: 0, creates: 0, updates: 0, pages: 0 };

it.each([
  ['workspace: exclusive, lookup: snapshot', { ...none, creates: 10, pages: 2 }],
  ['workspace: shared, lookup: single', { ...none, creates: 10, reads: 20 }],
  // Whoever is not in the list may have come since.
  ['workspace: shared, lookup: snapshot', { ...none, creates: 10, reads: 20, pages: 1 }],
])('a new row under %s', async (policy, requests) => {
  const real = await importOf(policy);
  await real.import();
  expect(counted(real)).toEqual(requests);
});

it.each(['exclusive', 'shared'])(
  'a delta run under %s asks nothing about unchanged rows',
  async (workspace) => {
    const real = await importOf(`workspace: ${workspace}, lookup: auto`);
    await real.import();
    counted(real);
    real.write(['Id,Name,Email,Phone', ...Array.from({ length: 10 }, (_, n) => row(n + 1))]);
    await real.import();
    expect(counted(real)).toEqual(none);
    // One is written, whose id is not known yet: the e-mail that it was created with finds it.
    real.write(['Id,Name,Email,Phone', row(1, 'Other'), ...rows(10).slice(2)]);
    await real.import();
    expect(counted(real)).toEqual({ ...none, reads: 1, updates: 1 });
    // From now on it is.
    real.write(['Id,Name,Email,Phone', row(1, 'Third'), ...rows(10).slice(2)]);
    await real.import();
    expect(real.sandbox.log.filter(({ method }) => method === 'GET').map(({ path }) => path)).toContain(
      '/contact/id:1',
    );
    expect(counted(real)).toEqual({ ...none, reads: 1, updates: 1 });
  },
);

it.each(['exclusive', 'shared'])(
  'whom this run has created is read once for what follows, under %s',
  async (workspace) => {
    const steps = `${mapping}lifecycle: { from: Name }\ncomments: [{ name: origin, text: "{Id}" }]\n`;
    const real = await importOf(`workspace: ${workspace}, lookup: snapshot`, {}, steps);
    await real.import();
    const lookUps = workspace === 'shared' ? 20 : 0;
    const { reads, creates } = counted(real);
    // The create, the lifecycle and the comment of each are all POST.
    expect({ reads, creates }).toEqual({ reads: lookUps + 10, creates: 30 });
  },
);

it('who is in the list is read once, whatever identifiers lead there', async () => {
  const contacts = Array.from({ length: 10 }, (_, n) => ({
    ...{ firstName: `NAME${n + 1}`, email: `p${n + 1}@example.com`, phone: `+1201555${1_001 + n}` },
  }));
  const real = await importOf('lookup: snapshot', { seed: { contacts } });
  await real.import();
  expect(counted(real)).toEqual({ ...none, reads: 10, updates: 10, pages: 1 });
});
