import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../long.ts';
import { companies, createsNobodyTwice, namesWhoeverIsDoubled, type Tally } from './shared-workspace.ts';

/** Always the same cases in `npm test`, others each time in `npm run test:long`, or those of LONGSHORE_TEST_SEED. */
const wanted = process.env.LONGSHORE_TEST_SEED ?? (isLong ? 'random' : '20261122');
const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
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
