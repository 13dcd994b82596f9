import type { IdentityEvidence, IdentityVerdict, JudgedEvidence } from '../evidence.ts';
import { clusterSamePersonRows, type PersonClusters, type RowPair } from './join-rows.ts';
import { type AnswerLookup, getVerdictOnDifferentPeople, indexRowsByValue } from './judged-rows.ts';
import type { PersonSharingIdentifier } from './questions.ts';

/** The rules for pairs of rows that the evidence does not decide. */
export interface UndecidedPairRules {
  /** The verdict on undecided pairs; `review` asks a question about each. */
  readonly unsure: 'review' | 'same' | 'different';
  readonly answers: AnswerLookup;
}

/** Two rows that may or may not be one person, by their indexes in the list of rows. */
export interface IdentityQuestion extends JudgedEvidence {
  readonly asking: number;
  /** The row of the other person. */
  readonly holder: number;
}

/** The most people who wait for one person and are asked about each other, too. */
const mostAskedTogether = 10;

/** The holders of a row's e-mail and phone, by the indexes of their rows. */
export interface IdentifierHolderPositions {
  readonly email?: number;
  readonly phone?: number;
}

/** A row of another person with the same e-mail or phone, by its index in the list of rows. */
export interface RowSharingIdentifier extends Pick<PersonSharingIdentifier, 'kind' | 'isBefore'> {
  readonly place: number;
}

/** The people of a list of rows. A row is given by its index in the list, a person by the lowest index of its rows. */
export interface PeoplePartition {
  /** The person of each row. */
  readonly person: readonly number[];
  /** The questions, by the person that waits for the answers. */
  readonly questions: ReadonlyMap<number, readonly IdentityQuestion[]>;
  /** For each person whose key other people also have, the lowest of those other people. */
  readonly reused: ReadonlyMap<number, number>;
  /** The holders of values that belong to other people, by row. */
  readonly shared: ReadonlyMap<number, IdentifierHolderPositions>;
  /** The rows of other people with the same values, by row. */
  readonly rivals: ReadonlyMap<number, readonly RowSharingIdentifier[]>;
}

/**
 * Splits rows that are linked by shared values into people. The rows have different contents and are sorted by
 * `createRowSortKey`, so the result does not depend on their order in the input.
 */
export function partitionIntoPeople(
  rows: readonly IdentityEvidence[],
  { unsure, answers }: UndecidedPairRules,
  having = indexRowsByValue(rows),
): PeoplePartition {
  const joined = clusterSamePersonRows(rows, having, answers, unsure);
  const between = judgePeople(joined, unsure);
  const reused = reusedKeys(joined, having, between);
  const questions = questionsOf(joined, between, reused);
  const isWritten = (person: number) => !questions.has(person) && !reused.has(person);
  const shared = sharedValues(rows, joined, having, isWritten);
  const nothing = unsure === 'different' ? [] : whoHasNothing(rows, joined, shared);
  if (unsure === 'same') {
    const { person } = joined;
    const into = new Map(nothing.map(([whose, { holder }]) => [whose, person[holder] ?? holder]));
    const people = { ...joined, person: person.map((whose) => into.get(whose) ?? whose) };
    const rivals = rivalsOf(people, having, isWritten);
    return { person: people.person, questions, reused, shared: withoutOwn(people, shared), rivals };
  }
  for (const [whose, asked] of nothing) questions.set(whose, [asked]);
  return { person: joined.person, questions, reused, shared, rivals: rivalsOf(joined, having, isWritten) };
}

/** The verdict on two people, the lower first, with the pair of rows that decided it. */
interface Between {
  readonly people: readonly [low: number, high: number];
  readonly verdict: IdentityVerdict;
  readonly pair: RowPair;
}

function judgePeople(
  { person, pairs }: PersonClusters,
  unsure: UndecidedPairRules['unsure'],
): readonly Between[] {
  const across = new Map<string, { people: readonly [number, number]; pairs: RowPair[] }>();
  for (const pair of pairs) {
    const [a, b] = [person[pair.one] ?? pair.one, person[pair.other] ?? pair.other];
    if (a === b) continue;
    const people = [Math.min(a, b), Math.max(a, b)] as const;
    const found = across.get(people.join()) ?? { people, pairs: [] };
    found.pairs.push(pair);
    across.set(people.join(), found);
  }
  return [...across.values()].map(({ people, pairs }) => {
    const { verdict, pair } = judgeAcross(pairs);
    return {
      people,
      pair,
      verdict: verdict === 'ask' && unsure !== 'review' ? getVerdictOnDifferentPeople(pair.equal) : verdict,
    };
  });
}

/**
 * Returns the verdict on two people, and the pair of their rows that decides it, in this order of precedence: a pair
 * answered to be two people; a pair judged to be the same or in strong doubt, for which the verdict is `ask`; a pair
 * judged to be two people. If all pairs are in weak doubt, the verdict is `ask`.
 */
function judgeAcross(pairs: readonly RowPair[]): {
  readonly verdict: IdentityVerdict;
  readonly pair: RowPair;
} {
  const asks = ({ verdict, strength }: RowPair) =>
    verdict === 'same' || (verdict === 'ask' && strength !== 'weak');
  const order: readonly (readonly [IdentityVerdict, (pair: RowPair) => boolean])[] = [
    ['reused', ({ verdict, strength }) => strength === 'answered' && verdict === 'reused'],
    ['different', ({ verdict, strength }) => strength === 'answered' && verdict === 'different'],
    ['ask', asks],
    ['reused', ({ verdict }) => verdict === 'reused'],
    ['different', ({ verdict }) => verdict === 'different'],
  ];
  for (const [verdict, says] of order) {
    const pair = pairs.find(says);
    if (pair !== undefined) return { verdict, pair };
  }
  const [pair] = pairs;
  if (pair === undefined) throw new Error('There are no two rows to judge.');
  return { verdict: 'ask', pair };
}

/**
 * Returns the people with a reused key, each with the lowest other person that has it. A key is reused if at least two
 * of its people were judged to be different people (`reused`): its owner is then unknown.
 */
function reusedKeys(
  { person }: PersonClusters,
  having: ReadonlyMap<string, readonly number[]>,
  between: readonly Between[],
): ReadonlyMap<number, number> {
  const apart = new Set(
    between.flatMap(({ people, verdict }) => (verdict === 'reused' ? [people.join()] : [])),
  );
  const reused = new Map<number, number>();
  for (const [value, places] of having) {
    if (!value.startsWith('key:')) continue;
    const people = [...new Set(places.map((place) => person[place] ?? place))].sort((a, b) => a - b);
    const isReused = people.some((low, n) =>
      people.slice(n + 1).some((high) => apart.has([low, high].join())),
    );
    if (!isReused) continue;
    for (const one of people) {
      const others = people.filter((other) => other !== one);
      reused.set(one, Math.min(...others, reused.get(one) ?? Number.POSITIVE_INFINITY));
    }
  }
  return reused;
}

/**
 * Returns the questions, by the person that waits for the answers: the higher of two people. A person that could be
 * either of two others (`ambiguous`) waits even if it is the lower one. It is asked about the first who is written, about
 * those who were answered not to be that one, and about those before it who wait for that one, too: the answers about a
 * family need no second round.
 */
function questionsOf(
  { person, ambiguous }: PersonClusters,
  between: readonly Between[],
  reused: ReadonlyMap<number, number>,
): Map<number, readonly IdentityQuestion[]> {
  const asked = new Map<number, Map<number, RowPair>>();
  for (const { people, verdict, pair } of between) {
    if (verdict !== 'ask' || people.some((one) => reused.has(one))) continue;
    const [low, high] = people;
    asked.set(low, (asked.get(low) ?? new Map<number, RowPair>()).set(high, pair));
    asked.set(high, (asked.get(high) ?? new Map<number, RowPair>()).set(low, pair));
  }
  const isAmbiguous = new Set([...ambiguous].map((place) => person[place]));
  const order = (one: number) => (isAmbiguous.has(one) ? 1 : 0);
  const written = new Set<number>();
  /** Those who wait, by the person that they are asked about first. */
  const waiting = new Map<number, number[]>();
  for (const one of [...asked.keys()].sort((a, b) => order(a) - order(b) || a - b)) {
    const [first] = [...(asked.get(one)?.keys() ?? [])]
      .filter((other) => written.has(other))
      .sort((a, b) => a - b);
    if (first === undefined) written.add(one);
    else waiting.set(first, [...(waiting.get(first) ?? []), one]);
  }
  const toldApart = new Set(
    between.flatMap(({ people, verdict, pair }) =>
      verdict === 'different' && pair.strength === 'answered' ? [people.join()] : [],
    ),
  );
  const ask = (one: number, other: number): readonly IdentityQuestion[] => {
    const pair = asked.get(one)?.get(other);
    return pair === undefined ? [] : [question(pair, person[pair.one] === one)];
  };
  return new Map(
    [...waiting].flatMap(([holder, ones]) =>
      ones.map((one, n) => {
        const apart = [...(asked.get(one)?.keys() ?? [])].filter(
          (other) => written.has(other) && toldApart.has([holder, other].sort((a, b) => a - b).join()),
        );
        const more =
          ones.length > mostAskedTogether ? [] : [...apart.sort((a, b) => a - b), ...ones.slice(0, n)];
        return [one, [holder, ...more].flatMap((other) => ask(one, other))] as const;
      }),
    ),
  );
}

function question({ one, other, ...judged }: RowPair, isOneAsking: boolean): IdentityQuestion {
  const { equal, names, birthDatesDiffer } = judged;
  const [asking, holder] = isOneAsking ? [one, other] : [other, one];
  return { asking, holder, equal, names, birthDatesDiffer };
}

/**
 * Returns, by row, the rows that hold its e-mail and phone, if these belong to another person. Of the written people
 * who share a value, the one with the lowest row holds it. Further ones do not count, because they are not sent as
 * the contact's own.
 */
function sharedValues(
  all: readonly IdentityEvidence[],
  { person }: PersonClusters,
  having: ReadonlyMap<string, readonly number[]>,
  isWritten: (person: number) => boolean,
): ReadonlyMap<number, IdentifierHolderPositions> {
  const shared = new Map<number, IdentifierHolderPositions>();
  for (const [value, places] of having) {
    if (value.startsWith('key:')) continue;
    const kind = value.startsWith('email:') ? 'email' : 'phone';
    const whose = (place: number) => person[place] ?? place;
    const isSent = (place: number) => value === `${kind}:${all[place]?.[kind]}`;
    const rows = places.filter((place) => isWritten(whose(place)) && isSent(place));
    const holder = Math.min(...rows.map(whose));
    const held = rows.find((place) => whose(place) === holder);
    for (const place of rows) {
      if (whose(place) !== holder) shared.set(place, { ...shared.get(place), [kind]: held });
    }
  }
  return shared;
}

/** Removes the values whose holder now belongs to the same person as the row itself. */
function withoutOwn(
  { person }: PersonClusters,
  shared: ReadonlyMap<number, IdentifierHolderPositions>,
): ReadonlyMap<number, IdentifierHolderPositions> {
  const others = (place: number, values: IdentifierHolderPositions) =>
    Object.entries(values).filter(([, holder]) => person[holder] !== person[place]);
  const left = [...shared].map(([place, values]) => [place, others(place, values)] as const);
  return new Map(
    left.flatMap(([place, values]) => (values.length > 0 ? [[place, Object.fromEntries(values)]] : [])),
  );
}

/**
 * Returns, for each row whose person is written, the rows of other people with the same e-mail or phone. `isBefore` is
 * true if the other person has precedence: it is also written, and is the lower of the two.
 */
function rivalsOf(
  { person }: PersonClusters,
  having: ReadonlyMap<string, readonly number[]>,
  isWritten: (person: number) => boolean,
): ReadonlyMap<number, readonly RowSharingIdentifier[]> {
  const rivals = new Map<number, RowSharingIdentifier[]>();
  const whose = (place: number) => person[place] ?? place;
  const rank = (place: number) => (isWritten(whose(place)) ? 0 : person.length) + whose(place);
  for (const [value, places] of having) {
    if (value.startsWith('key:') || places.every((place) => whose(place) === whose(places[0] ?? 0))) continue;
    const kind = value.startsWith('email:') ? 'email' : 'phone';
    for (const own of places.filter((place) => isWritten(whose(place)))) {
      const others = places
        .filter((place) => whose(place) !== whose(own))
        .map((place) => ({ kind, place, isBefore: rank(place) < rank(own) }) as const);
      rivals.set(own, [...(rivals.get(own) ?? []), ...others]);
    }
  }
  return rivals;
}

/**
 * Returns a question for each person whose e-mails and phones all belong to others: such a person cannot be written,
 * and may be one of those others.
 */
function whoHasNothing(
  rows: readonly IdentityEvidence[],
  { person, pairs }: PersonClusters,
  shared: ReadonlyMap<number, IdentifierHolderPositions>,
): readonly (readonly [whose: number, IdentityQuestion])[] {
  const hasLeft = new Set<number>();
  for (const [place, { email, phone }] of rows.entries()) {
    const { email: notEmail, phone: notPhone } = shared.get(place) ?? {};
    const has = (email !== null && notEmail === undefined) || (phone !== null && notPhone === undefined);
    if (has) hasLeft.add(person[place] ?? place);
  }
  const found = new Map<number, IdentityQuestion>();
  for (const [place, { email, phone }] of shared) {
    const whose = person[place] ?? place;
    const holders = [email, phone].filter((each) => each !== undefined);
    const [holder = place] = holders.sort((a, b) => (person[a] ?? a) - (person[b] ?? b));
    const pair = pairs.find(
      ({ one, other }) => one === Math.min(place, holder) && other === Math.max(place, holder),
    );
    if (hasLeft.has(whose) || found.has(whose) || pair === undefined || pair.strength === 'answered')
      continue;
    found.set(whose, question(pair, pair.one === place));
  }
  return [...found];
}
