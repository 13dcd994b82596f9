import type { InputRow, RowLinkRules } from '../../src/identity/input-index/index.ts';
import { naiveFits, naiveJudge } from './naive-evidence.ts';
import { naiveGroups } from './naive-groups.ts';

/** What the index of the input is to say of people, by the numbers of rows. */
export interface NaivePeople {
  readonly groups: readonly (readonly number[])[];
  /** `row > holder` for each row of a person who is asked about. */
  readonly questions: readonly string[];
  readonly reused: readonly number[];
  /** `row kind > holder`. */
  readonly shared: readonly string[];
}

/** The rows of one person. */
export type NaivePerson = readonly InputRow[];

/** Who is who in an input. */
export interface NaiveInput {
  /** The first in the order of keys comes first, whoever has no key by the e-mail. */
  readonly people: readonly NaivePerson[];
  /** Who waits for answers, and about whom. */
  readonly asked: ReadonlyMap<NaivePerson, readonly NaivePerson[]>;
  readonly reused: ReadonlySet<NaivePerson>;
  /** By `row kind`: who has a value that the row goes without. */
  readonly shared: ReadonlyMap<string, NaivePerson>;
  /** What two people of the input are to each other, where they share anything. */
  readonly between: (one: NaivePerson, other: NaivePerson) => string | undefined;
}

/** Computes in memory, the plain way, who is who: every row with every other. */
export function naiveInput(all: readonly InputRow[], switchboard: number): NaiveInput {
  const { weak } = naiveGroups(all, switchboard);
  const rows = all
    .map((row) => (row.phone !== null && weak.has(row.phone) ? { ...row, phone: null } : row))
    .sort((a, b) => compareContent(a, b) || a.seq - b.seq);
  const ambiguous = new Set<InputRow>();
  const people = joined(rows, ambiguous);
  const reusedKeys = people.flatMap((person, n) =>
    people.slice(n + 1).flatMap((other) => {
      const both = keysOf(person).filter((key) => keysOf(other).includes(key));
      return between(person, other) === 'reused' ? both : [];
    }),
  );
  const reused = new Set(people.filter((person) => keysOf(person).some((key) => reusedKeys.includes(key))));
  const possible = people.filter((person) => !reused.has(person));
  const holders = asked(possible, (person) => person.some((row) => ambiguous.has(row)));
  const written = possible.filter((person) => !holders.has(person));
  const shared = sharedAmong(written);
  for (const [person, holder] of withNothing(written, shared)) holders.set(person, [holder]);
  return { people, asked: holders, reused, shared, between };
}

/** The same in the words of the index. */
export function naivePeople(all: readonly InputRow[], rules: RowLinkRules): NaivePeople {
  const { people, asked: holders, reused, shared } = naiveInput(all, rules.switchboard);
  return {
    groups: people
      .filter((person) => person.length > 1)
      .map(seqsOf)
      .sort(([a = 0], [b = 0]) => a - b),
    questions: [...holders]
      .flatMap(([person, others]) =>
        person.flatMap(({ seq }) => others.map((other) => `${seq} > ${seqsOf(other)[0]}`)),
      )
      .sort(),
    reused: seqsOf([...reused].flat()),
    shared: [...shared].map(([value, holder]) => `${value} > ${seqsOf(holder)[0]}`).sort(),
  };
}

type Person = NaivePerson;

const kinds = ['email', 'phone'] as const;
const [strong, weakly] = [1, 2];

function judged(a: InputRow, b: InputRow) {
  const judgement = naiveJudge(a, b, 'row');
  return { ...judgement, a, b, strength: judgement.isStrong ? strong : weakly };
}

function areFit(a: InputRow, b: InputRow, strength: number): boolean {
  const { verdict, equal } = judged(a, b);
  return equal.length > 0 ? verdict === 'same' : naiveFits(a, b, strength === weakly ? 'weak' : 'strong');
}

/** Every two rows that say the same, as long as nothing speaks against it, the strong ones first. */
function joined(rows: readonly InputRow[], ambiguous: Set<InputRow>): readonly Person[] {
  const isClear = (a: InputRow, b: InputRow, strength: number) => {
    const rivals = rows
      .filter((third) => third !== a && third !== b)
      .map((third) => judged(a, third))
      .filter((link) => link.verdict === 'same' && link.strength <= strength && !areFit(link.b, b, strength));
    if (rivals.some((link) => link.strength === strength)) ambiguous.add(a);
    return rivals.length === 0;
  };
  let people: readonly Person[] = rows.map((row) => [row]);
  const links = rows
    .flatMap((a, n) => rows.slice(n + 1).map((b) => judged(a, b)))
    .filter(({ verdict }) => verdict === 'same')
    .filter(({ a, b, strength }) =>
      [isClear(a, b, strength), isClear(b, a, strength)].every((clear) => clear),
    );
  for (const { a, b, strength } of links.sort((one, other) => one.strength - other.strength)) {
    const [one = [], other = []] = [a, b].map((row) => people.find((person) => person.includes(row)));
    const fits = one.every((x) => other.every((y) => areFit(x, y, strength)));
    if (one !== other && fits)
      people = [...people.filter((person) => person !== one && person !== other), [...one, ...other]];
  }
  const rank = (person: Person) => Math.min(...person.map((row) => rows.indexOf(row)));
  return people.toSorted((a, b) => rank(a) - rank(b));
}

/** What the rows of two people say together. */
function between(one: Person, other: Person): string | undefined {
  const pairs = one.flatMap((a) => other.map((b) => judged(a, b))).filter(({ equal }) => equal.length > 0);
  const isAsked = pairs.some(
    ({ verdict, strength }) => verdict === 'same' || (verdict === 'ask' && strength === strong),
  );
  if (isAsked) return 'ask';
  return ['reused', 'different', 'ask'].find((each) => pairs.some(({ verdict }) => verdict === each));
}

/**
 * Who waits for answers, and whom they are about: one who is written, and those who wait for the same one, each pair
 * once; `isLate` is true for a person who could be either of two.
 */
function asked(
  people: readonly Person[],
  isLate: (person: Person) => boolean,
): Map<Person, readonly Person[]> {
  const first = new Map<Person, Person>();
  const written = new Set<Person>();
  for (const person of [...people.filter((each) => !isLate(each)), ...people.filter(isLate)]) {
    const holder = people.find((other) => written.has(other) && between(person, other) === 'ask');
    if (holder === undefined) written.add(person);
    else first.set(person, holder);
  }
  const waiting = [...first.keys()];
  return new Map(
    waiting.map((person, n) => {
      const holder = first.get(person) ?? person;
      const isOfHolder = (other: Person) => first.get(other) === holder;
      const before = waiting
        .slice(0, n)
        .filter((other) => isOfHolder(other) && between(person, other) === 'ask');
      return [person, waiting.filter(isOfHolder).length > 10 ? [holder] : [holder, ...before]] as const;
    }),
  );
}

function sharedAmong(written: readonly Person[]): ReadonlyMap<string, Person> {
  const shared = new Map<string, Person>();
  for (const [person, row, kind] of written.flatMap((each) => valuesOf(each))) {
    const holder = written.find((other) => other.some((theirs) => theirs[kind] === row[kind]));
    if (holder !== undefined && holder !== person) shared.set(`${row.seq} ${kind}`, holder);
  }
  return shared;
}

function withNothing(
  written: readonly Person[],
  shared: ReadonlyMap<string, Person>,
): readonly (readonly [Person, Person])[] {
  return written.flatMap((person) => {
    const owners = valuesOf(person).map(([, { seq }, kind]) => shared.get(`${seq} ${kind}`));
    if (owners.length === 0 || owners.includes(undefined)) return [];
    const holder = written.find((other) => owners.includes(other));
    return holder === undefined ? [] : [[person, holder] as const];
  });
}

function valuesOf(person: Person): readonly (readonly [Person, InputRow, 'email' | 'phone'])[] {
  return person.flatMap((row) =>
    kinds.filter((kind) => row[kind] !== null).map((kind) => [person, row, kind] as const),
  );
}

function keysOf(person: Person): readonly string[] {
  return person.flatMap(({ key }) => key ?? []);
}

function seqsOf(person: Person): readonly number[] {
  return person.map(({ seq }) => seq).sort((a, b) => a - b);
}

/** The keys of these tests are as long as each other: their texts are in the order of their numbers. */
function compareContent(a: InputRow, b: InputRow): number {
  for (const name of ['key', 'email', 'phone', 'first', 'family', 'birthDate'] as const) {
    const [one = null, other = null] = [a[name], b[name]];
    if (one === other) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other ? -1 : 1;
  }
  return 0;
}
