import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../long.ts';
import { caseSeed } from '../../source-seed.ts';
import { realImport } from './real-import.ts';
import { companies, createsNobodyTwice, namesWhoeverIsDoubled, type Tally } from './shared-workspace.ts';

const seed = caseSeed();
const runs = (few: number) => (isLong ? 50 : few);
const options = { timeout: 600_000 };

const met = ['created', 'others create', 'others move', 'others remove', 'others delete'];

function expectMet(tally: Tally, all: readonly string[]): void {
  for (const what of all)
    expect(tally.get(what) ?? 0, `${what} in ${JSON.stringify([...tally])}`).toBeGreaterThan(0);
}

it(
  `under shared nobody is created twice while somebody else is at work (${runs(12)} cases, seed ${seed})`,
  options,
  async () => {
    const tally: Tally = new Map();
    const holds = fc.asyncProperty(companies, (company) => createsNobodyTwice(company, tally));
    await fc.assert(holds, { seed, numRuns: runs(12), endOnFailure: true });
    expectMet(tally, [...met, 'updated']);
  },
);

it(
  `under exclusive the closing pass names whoever is there twice (${runs(8)} cases, seed ${seed})`,
  options,
  async () => {
    const tally: Tally = new Map();
    const holds = fc.asyncProperty(companies, (company) => namesWhoeverIsDoubled(company, tally));
    await fc.assert(holds, { seed, numRuns: runs(8), endOnFailure: true });
    expectMet(tally, [...met, 'doubled']);
  },
);

const ada = { email: 'ada@example.com', phone: '+12015550101' };

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
`;

/** What becomes of Ada, whom the import has looked up when somebody creates her, before its own create arrives. */
it.each([
  // The specification's create names one identifier; a second contact with the other one is never refused.
  { existing: 'refuse', theirs: { email: ada.email }, contacts: [{ id: 900, firstName: 'Ada', ...ada }] },
  { existing: 'refuse', theirs: { phone: ada.phone }, contacts: [{ id: 900 }, { id: 901, ...ada }] },
  { existing: 'duplicate', theirs: { email: ada.email }, contacts: [{ id: 900 }, { id: 901, ...ada }] },
  { existing: 'duplicate', theirs: { phone: ada.phone }, contacts: [{ id: 900 }, { id: 901, ...ada }] },
] as const)(
  'who is created between the look-up and the create, $theirs where the workspace would $existing',
  async ({ existing, theirs, contacts }) => {
    const rows = ['Id,Name,Email,Phone', `1,Ada,${ada.email},${ada.phone}`];
    const real = await realImport(mapping, rows, ['  limits: { settle: 1s }'], '', {
      existing,
      onPhase(phase, { method, path }) {
        if (phase !== 'received' || method !== 'POST' || !path.startsWith('/contact/email:')) return;
        real.sandbox.add({ contacts: [{ id: 900, firstName: 'A.', ...theirs }] });
      },
    });
    const { exitCode } = await real.import();
    expect(exitCode).toBe(0);
    expect(real.sandbox.contacts()).toMatchObject(contacts);
    expect(real.sandbox.contacts()).toHaveLength(contacts.length);
  },
);

it('who is created after the list was read is found by the e-mail, though the list has another person with the phone', async () => {
  const rows = ['Id,Name,Email,Phone', `1,Ada,${ada.email},${ada.phone}`];
  const ben = { id: 5, firstName: 'Ben', email: 'ben@example.com', phone: ada.phone };
  const settings = ['  policy: { lookup: snapshot }', '  limits: { settle: 1s }'];
  const real = await realImport(mapping, rows, settings, '', {
    seed: { contacts: [ben] },
    existing: 'duplicate',
    onPhase(phase, { path }) {
      const isThere = real.sandbox.contacts().length > 1;
      if (phase !== 'received' || path !== '/contact/id:5' || isThere) return;
      real.sandbox.add({ contacts: [{ id: 900, firstName: 'A.', email: ada.email }] });
    },
  });
  await real.import();
  expect(real.sandbox.contacts()).toMatchObject([ben, { id: 900, firstName: 'Ada', phone: null }]);
});
