import { canBeLinkedAsOnePerson, type IdentityEvidence } from '../evidence.ts';
import { type AnswerLookup, judgeRows, type LinkStrength, type PairJudgement } from './judged-rows.ts';

/** Two rows that share a value, by their places: their indexes in the list of rows. */
export interface RowPair extends PairJudgement {
  readonly one: number;
  readonly other: number;
}

/** The rows clustered by person, and the judged pairs. */
export interface PersonClusters {
  /** The person of each row: the lowest place among the person's rows. */
  readonly person: readonly number[];
  /** All pairs of rows that share a value, each with the lower place first, sorted by place. */
  readonly pairs: readonly RowPair[];
  /** Rows that could be either of two people, linked to both with the same strength. */
  readonly ambiguous: ReadonlySet<number>;
}

/**
 * Clusters rows that are one person: first by answers, then by strong and last by weak links. A strong or weak link
 * joins two people only if it is clear (`isClear`) and every row of one fits every row of the other. Under `unsure:
 * same`, undecided pairs are joined, too, unless any two rows of the two people are judged to be different people.
 */
export function clusterSamePersonRows(
  rows: readonly IdentityEvidence[],
  having: ReadonlyMap<string, readonly number[]>,
  answers: AnswerLookup,
  unsure: 'review' | 'same' | 'different',
): PersonClusters {
  const joining = new Joining(rows, having, answers);
  const pairs = joining.pairs();
  const links = pairs.filter(({ verdict }) => verdict === 'same');
  const clear = new Set(links.filter((link) => joining.isClear(link)));
  for (const strength of ['answered', 'strong', 'weak'] as const) {
    for (const link of links) {
      if (link.strength !== strength) continue;
      if (strength === 'answered' || (clear.has(link) && joining.isComplete(link))) joining.unite(link);
    }
  }
  if (unsure === 'same') {
    for (const pair of pairs) {
      if ((pair.verdict === 'ask' || pair.verdict === 'same') && !joining.areApart(pair)) joining.unite(pair);
    }
  }
  return { person: joining.people(), pairs, ambiguous: joining.ambiguous };
}

class Joining {
  readonly #rows: readonly IdentityEvidence[];
  readonly #near: readonly Map<number, RowPair>[];
  /** The person of each row, identified by the place of one of the person's rows. */
  readonly #person: number[];
  readonly #members: number[][];
  /** For each person, one row per kind (`kindOf`), which represents all rows of that kind in comparisons. */
  readonly #kinds: Map<string, number>[];
  readonly ambiguous = new Set<number>();

  constructor(
    rows: readonly IdentityEvidence[],
    having: ReadonlyMap<string, readonly number[]>,
    answers: AnswerLookup,
  ) {
    this.#rows = rows;
    this.#near = rows.map(() => new Map());
    this.#person = rows.map((_, place) => place);
    this.#members = rows.map((_, place) => [place]);
    this.#kinds = rows.map((row, place) => new Map([[kindOf(row), place]]));
    for (const places of having.values()) {
      for (const [n, one] of places.entries()) {
        for (const other of places.slice(n + 1)) this.#judge(one, other, answers);
      }
    }
  }

  pairs(): readonly RowPair[] {
    return this.#near.flatMap((near, place) =>
      [...near.values()].filter(({ one }) => one === place).sort((a, b) => a.other - b.other),
    );
  }

  people(): readonly number[] {
    const lowest = new Map<number, number>();
    for (const [place, person] of this.#person.entries()) {
      if (!lowest.has(person)) lowest.set(person, place);
    }
    return this.#person.map((person) => lowest.get(person) ?? person);
  }

  /**
   * Returns true if there is no third row that is linked at least as strongly to one of the two rows and does not fit
   * the other. A row with equally strong links to rows that do not fit each other is added to `ambiguous`.
   */
  isClear({ one, other, strength }: RowPair): boolean {
    const isClear = this.#isClearOf(one, other, strength);
    return this.#isClearOf(other, one, strength) && isClear;
  }

  #isClearOf(place: number, other: number, strength: LinkStrength): boolean {
    let isClear = true;
    for (const [third, { verdict, strength: thirds }] of this.#near[place] ?? []) {
      if (third === other || verdict !== 'same' || (strength !== 'weak' && thirds === 'weak')) continue;
      if (this.#fit(third, other, strength)) continue;
      isClear = false;
      if (thirds === strength) this.ambiguous.add(place);
    }
    return isClear;
  }

  /**
   * Returns true if two rows can be one person: by their verdict if they share a value; otherwise if both could be
   * linked to one person with this strength.
   */
  #fit(one: number, other: number, strength: LinkStrength): boolean {
    const pair = this.#near[one]?.get(other);
    if (pair !== undefined) return pair.verdict === 'same';
    const [a, b] = [this.#rows[one], this.#rows[other]];
    return (
      a !== undefined &&
      b !== undefined &&
      canBeLinkedAsOnePerson(a, b, strength === 'weak' ? 'weak' : 'strong')
    );
  }

  /** Returns true if every row of one person fits every row of the other. */
  isComplete({ one, other, strength }: RowPair): boolean {
    const [a, b] = [this.#personOf(one), this.#personOf(other)];
    if (a === b) return true;
    if (this.#isAnyAcross(a, b, ({ verdict }) => verdict !== 'same')) return false;
    const theirs = [...(this.#kinds[b]?.values() ?? [])];
    return [...(this.#kinds[a]?.values() ?? [])].every((mine) =>
      theirs.every((their) => this.#fit(mine, their, strength)),
    );
  }

  areApart({ one, other }: RowPair): boolean {
    return this.#isAnyAcross(
      this.#personOf(one),
      this.#personOf(other),
      ({ verdict }) => verdict === 'different' || verdict === 'reused',
    );
  }

  unite({ one, other }: RowPair): void {
    const [a, b] = [this.#personOf(one), this.#personOf(other)];
    if (a === b) return;
    const [many, few] = this.#membersOf(a).length >= this.#membersOf(b).length ? [a, b] : [b, a];
    for (const place of this.#membersOf(few)) {
      this.#person[place] = many;
      this.#membersOf(many).push(place);
    }
    for (const [kind, place] of this.#kinds[few] ?? []) this.#kinds[many]?.set(kind, place);
  }

  #judge(one: number, other: number, answers: AnswerLookup): void {
    const [a, b] = [this.#rows[one], this.#rows[other]];
    if (a === undefined || b === undefined || this.#near[one]?.has(other)) return;
    const pair = { one, other, ...judgeRows(a, b, answers) };
    this.#near[one]?.set(other, pair);
    this.#near[other]?.set(one, pair);
  }

  #personOf(place: number): number {
    return this.#person[place] ?? place;
  }

  #membersOf(person: number): number[] {
    return this.#members[person] ?? [];
  }

  #isAnyAcross(a: number, b: number, is: (pair: RowPair) => boolean): boolean {
    const [few, target] =
      this.#membersOf(a).length <= this.#membersOf(b).length
        ? [this.#membersOf(a), b]
        : [this.#membersOf(b), a];
    return few.some((place) =>
      [...(this.#near[place] ?? [])].some(([other, pair]) => this.#personOf(other) === target && is(pair)),
    );
  }
}

/**
 * Returns a key; rows with equal keys fit the same rows. The key has the names, the date of birth, the phone, and the
 * e-mail if the row has a phone. Without a phone, the value of the e-mail makes no difference, so the key says only whether there is one.
 */
function kindOf({ first, family, birthDate = null, email, phone }: IdentityEvidence): string {
  return JSON.stringify([first, family, birthDate, phone, phone === null ? email === null : email]);
}
