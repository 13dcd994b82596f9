import { afterAll, describe, expect, it } from 'vitest';
import { table } from '../../../identity/naive-evidence.ts';
import { isLong, some } from '../../../long.ts';
import { decisionsIn } from './decisions.ts';
import { everyDecision } from './every-decision.ts';
import { type HistoryPlan, play } from './history.ts';
import { Journals } from './journals.ts';
import type { Trouble } from './network.ts';
import type { Scene } from './people.ts';
import { drawn, mannersOf, policyOf } from './plans.ts';
import { plainPolicy, type SimulatedPolicy } from './policy.ts';
import {
  phoneOfAnother,
  somebodyKnown,
  somebodyNew,
  twiceTwo,
  twoRowsOneContact,
  twoThatAreOne,
} from './scenes.ts';

/** How many histories each suite plays; whoever looks for more sets the variable to 20, or 1000. */
const times = Number(process.env.LONGSHORE_SIMULATION ?? (isLong ? '3' : '0.06'));

/** From one instant to die at to the next: `npm test` tries every other one. */
const step = isLong ? 1 : 2;

const journals = new Journals();
afterAll(() => journals.remove());

const base: HistoryPlan = {
  seed: 1,
  rows: 12,
  manners: mannersOf(0),
  trouble: { rate: 0, latestMs: 1_500 },
  policy: plainPolicy,
  keyed: true,
  full: false,
  concurrency: 4,
  deaths: [],
  stops: [],
};

async function playAll(plans: Iterable<HistoryPlan>): Promise<number> {
  let played = 0;
  for (const plan of plans) {
    await play(plan, journals);
    played += 1;
  }
  return played;
}

function* seeds(first: number, count: number): Iterable<number> {
  for (let seed = first; seed < first + count * times; seed += 1) yield seed;
}

function* plans(first: number, count: number, more: (seed: number) => Partial<HistoryPlan>) {
  for (const seed of seeds(first, count)) {
    const drawnOf = {
      manners: mannersOf(seed),
      policy: policyOf(seed),
      keyed: seed % 2 === 0,
      full: seed % 3 === 0,
    };
    yield { ...base, seed, ...drawnOf, ...more(seed) };
  }
}

const withoutTrouble = () => plans(1_000, 100, (seed) => ({ manners: mannersOf(seed >> 2) }));
const inTrouble = () =>
  plans(3_000, 100, (seed) => ({ trouble: { rate: 0.05 + (seed % 4) * 0.05, latestMs: 1_500 } }));
const dying = () => plans(4_000, 160, drawn);

const patience = { timeout: 240_000 * Math.max(1, times) };

describe('an import leaves the workspace exact, each person once, and its rows add up', patience, () => {
  it('without trouble, under every policy', async () => {
    await playAll(withoutTrouble());
  });

  const existing = { ...plainPolicy, existing: true };
  const merging = { ...existing, onConflict: 'merge' } as const;
  const exclusive = { ...plainPolicy, lookup: 'snapshot', exclusive: true } as const;
  const kept = { hurdles: ['queued', 'queued', 'queued', 'queued', 'queued'] } as const;
  type Dying = [
    what: string,
    scene: Scene,
    policy: SimulatedPolicy,
    trouble: Partial<Trouble>,
    manners: number[],
  ];
  const onlyLong: readonly Dying[] = isLong
    ? [
        // Longer than a new contact takes: what is known of its intent says nothing any more about when it left.
        ['two people whose creates were kept waiting', twiceTwo, plainPolicy, kept, [7]],
        ['a new person while steps are held', somebodyNew, { ...plainPolicy, hold: true }, {}, [4]],
        ['a new person with everything whom nobody looks up', somebodyNew, exclusive, {}, [5, 14]],
      ]
    : [];
  it.each<Dying>([
    ['two new people in two rows each', twiceTwo, plainPolicy, {}, [0, 5, 6, 11]],
    ['two people whose creates arrive late', twiceTwo, plainPolicy, { hurdles: ['late'] }, [4, 7]],
    ['two new people whom nobody looks up', twiceTwo, exclusive, { hurdles: ['late'] }, [7, 4, 5, 15]],
    ['a new person with everything', somebodyNew, plainPolicy, {}, [5, 14]],
    ['somebody who is there', somebodyKnown, existing, {}, [2]],
    [
      'somebody of whom only what is empty is filled',
      somebodyKnown,
      { ...existing, onMatch: 'fill' },
      {},
      [0],
    ],
    ['a new person whose phone another one of the list has', phoneOfAnother, exclusive, {}, [4, 5]],
    ['two contacts that are merged', twoThatAreOne, merging, {}, [2, 16]],
    ...onlyLong,
  ])('when it dies at each instant of %s', async (_what, scene, policy, more, manners) => {
    for (const manner of some(manners)) {
      const trouble = { ...base.trouble, ...more };
      const history = { ...base, seed: 2_007, scene, policy, trouble, manners: mannersOf(manner) };
      const { points, fill } = await play(history, journals);
      for (let death = 1; death <= points; death += step) {
        const died = await play({ ...history, deaths: [death] }, journals);
        expect(died.fill, `dead at ${death}`).toBe(fill);
      }
    }
  });

  // In some of them the update of the one arrives when the other has been sent by the next process.
  it.each(some([2, 3, 7, 8], 2))(
    'when it dies at each instant of two rows that lead to one contact, %i',
    async (seed) => {
      const history = { ...base, seed, scene: twoRowsOneContact, manners: mannersOf(2) };
      const { points } = await play(history, journals);
      for (let death = 1; death <= points; death += 1) await play({ ...history, deaths: [death] }, journals);
    },
  );

  it('when answers are lost, late, broken, and the workspace is busy', async () => {
    await playAll(inTrouble());
  });

  it('when it dies again and again in the middle of trouble', async () => {
    await playAll(dying());
  });

  it('when it is interrupted by signals in the middle of trouble', async () => {
    await playAll(
      plans(5_000, 50, (seed) => ({
        trouble: { rate: 0.1, latestMs: 1_500 },
        stops: [30 + (seed % 7) * 40, 3 * (seed % 100)],
      })),
    );
  });

  it('when the workspace is away for longer than a new contact takes', async () => {
    await playAll(
      plans(6_000, 30, (seed) => ({
        trouble: { rate: 0.1, latestMs: 1_500, outage: [100 + (seed % 10) * 30, 90_000] },
        deaths: seed % 2 === 0 ? [] : [20 + (seed % 60)],
      })),
    );
  });
});

/** The scene with every decision under policies that make the most of it, in peace and with deaths. */
const every = { keyed: true, scene: everyDecision } as const;
const listed = { ...plainPolicy, lookup: 'snapshot' } as const;
const decided: readonly HistoryPlan[] = [
  { ...base, ...every },
  { ...base, policy: { ...listed, onConflict: 'merge' }, manners: mannersOf(5), ...every },
  { ...base, ...drawn(4_001), policy: listed, ...every },
];

/** What is decided of more than two sides. */
const ofSeveral = [
  'key.reused',
  'asked about a row',
  'asked: nothing left of the contacts',
  'without what another row has',
  'two contacts that are not one person',
];

/** No contact has a key before the import, and where nothing is equal there is nothing to decide. */
const everyKind = [
  ...ofSeveral,
  ...Object.keys(table).flatMap((line) => {
    if (line === 'nothing is equal' || line === 'key: not comparable') return [];
    const ofRows = line === 'weak: a contact without another identifier' ? [] : [`rows: ${line}`];
    return [...ofRows, ...(line.startsWith('key:') ? [] : [`contact: ${line}`])];
  }),
];

/** What the drawn histories have without a scene that is made for it. */
const usualKinds = [
  'key.reused',
  'asked about a row',
  'without what another row has',
  ...['e-mail: in common', 'e-mail: nothing in common', 'weak: the names match'].flatMap((line) => [
    `rows: ${line}`,
    `contact: ${line}`,
  ]),
  ...['weak: first names differ, and so do the others', 'weak: first names differ, one lacks'].flatMap(
    (line) => [`rows: ${line}`, `contact: ${line}`],
  ),
  'contact: weak: a contact without another identifier',
  'rows: weak: first names match, families differ',
];

describe('who is who', patience, () => {
  it('is decided as the table says, each line of it, also when it dies in the middle of trouble', async () => {
    expect(await playAll(decided)).toBe(decided.length);
  });

  it('each kind of decision occurs among the histories that are played', () => {
    const drawnOnes = decisionsIn([...withoutTrouble(), ...inTrouble(), ...dying()]);
    const all = decisionsIn([...decided, ...withoutTrouble(), ...inTrouble(), ...dying()]);
    const missing = (kinds: readonly string[], tally: ReadonlyMap<string, number>) =>
      kinds.filter((kind) => [...tally.keys()].every((each) => !each.startsWith(kind)));
    expect(missing(everyKind, all), JSON.stringify([...all])).toEqual([]);
    expect(missing(usualKinds, drawnOnes), JSON.stringify([...drawnOnes])).toEqual([]);
  });
});
