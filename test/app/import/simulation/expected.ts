import type { Outcome } from '../../../../src/model/outcome.ts';
import { splitComment } from '../../../../src/steps/comments.ts';
import {
  areBornApart,
  type NaiveJudgement,
  type NaiveSide,
  naiveJudge,
  naiveNames,
} from '../../../identity/naive-evidence.ts';
import { bornOf, type IdentifierKind, type InputPerson, peopleOf } from './input-people.ts';
import { refusedName } from './model-body.ts';
import type { Scene } from './people.ts';
import { joined, laidOver, type Plain, plain, show } from './plain.ts';
import type { SimulatedPolicy } from './policy.ts';

/** A contact of the expectation; what comes earlier in a list is older. */
export interface Expectation {
  now: Plain;
  /** As the contact list shows it before the import; undefined of whoever is created. */
  readonly listed?: Plain;
  /** Who of the input has become this contact. */
  readonly of: Set<InputPerson>;
}

/** What must come out of an import. */
export interface Expected {
  readonly people: readonly Expectation[];
  /** By item. */
  readonly outcomes: readonly Outcome[];
  readonly merges: number;
  /** The comments of each person who gets some, in order, as they are sent. */
  readonly comments: readonly { readonly on: Expectation; readonly texts: readonly string[] }[];
  /** How it was decided who is who, once for each decision. */
  readonly decisions: readonly string[];
}

/** What must come out, by going through the people of the input one after the other in a world without trouble. */
export function expected(scene: Scene, policy: SimulatedPolicy, steps: 'all' | 'notHeld'): Expected {
  return new Reckoning(scene, policy, steps).end();
}

class Reckoning {
  readonly #policy: SimulatedPolicy;
  readonly #scene: Scene;
  readonly #steps: 'all' | 'notHeld';
  readonly #decisions: string[] = [];
  readonly #comments: { on: Expectation; texts: readonly string[] }[] = [];
  #people: Expectation[];
  #merges = 0;

  constructor(scene: Scene, policy: SimulatedPolicy, steps: 'all' | 'notHeld') {
    this.#steps = steps;
    this.#scene = scene;
    this.#policy = policy;
    this.#people = scene.there.map((now) => ({ now, listed: now, of: new Set() }));
  }

  end(): Expected {
    const { items } = this.#scene;
    const outcomes: Outcome[] = items.map(() => 'rejected');
    for (const person of peopleOf(items, this.#policy.duplicates)) {
      if (person.kind !== 'person') this.#decisions.push(person.why);
      else if (person.isWithout) this.#decisions.push('without what another row has');
      const outcome = person.kind === 'person' ? this.#apply(person) : person.kind;
      for (const item of person.items) outcomes[item] = outcome;
      if (person.kind !== 'person' || !wentIn.includes(outcome)) continue;
      for (const item of person.items.slice(0, -1)) outcomes[item] = 'folded';
    }
    const [people, merges, comments] = [this.#people, this.#merges, this.#comments];
    return { people, outcomes, merges, comments, decisions: this.#decisions };
  }

  #apply(person: InputPerson): Outcome {
    const { onMatch, onConflict } = this.#policy;
    const judged = this.#found(person).map((on) => ({ on, verdict: this.#verdict(person, on) }));
    const ofVerdict = (wanted: string) =>
      judged.filter(({ verdict }) => verdict === wanted).map(({ on }) => on);
    if (ofVerdict('ask').length > 0) return 'proposed';
    const [oldest, second, ...more] = ofVerdict('same');
    const own = this.#without(person, ofVerdict('different'), ofVerdict('same'));
    if (oldest === undefined && own.identifiers.length === 0)
      return this.#noted('asked: nothing left of the contacts', 'proposed');
    if (oldest === undefined) return this.#create(own);
    if (onMatch === 'skip') return 'skipped';
    if (onMatch === 'reject') return 'rejected';
    if (second === undefined) return this.#update(own, oldest, own.draft.values);
    if (onConflict === 'reject') return 'rejected';
    if (onConflict === 'review' || more.length > 0) return 'proposed';
    if (onConflict !== 'merge')
      return this.#prefer(own, onConflict === 'prefer-email' ? 'email' : 'phone', [oldest, second]);
    if (!areOnePerson(own, oldest, second))
      return this.#noted('two contacts that are not one person', 'proposed');
    return this.#merge(own, oldest, second);
  }

  #noted<T>(decision: string, outcome: T): T {
    this.#decisions.push(decision);
    return outcome;
  }

  /** What is decided about a person and a contact; of what the rows say of them the best counts. */
  #verdict(person: InputPerson, on: Expectation): NaiveJudgement['verdict'] {
    const contact = contactSide(person, on);
    const isOfOthers = [...on.of].some((each) => each !== person);
    const all = person.sides.map((side) => {
      const judged = naiveJudge(rowSide(person, side, contact), contact, isOfOthers ? 'row' : 'contact');
      return { verdict: claimed(person, side, contact, judged) ?? judged.verdict, line: judged.line };
    });
    const best = order.flatMap((wanted) => all.find(({ verdict }) => verdict === wanted) ?? [])[0];
    if (best === undefined) throw new Error('a person without rows');
    return this.#noted(`contact: ${best.line} → ${best.verdict}`, best.verdict);
  }

  /** Without the e-mail or phone of contacts that are other people's. */
  #without(person: InputPerson, others: readonly Expectation[], own: readonly Expectation[]): InputPerson {
    const { draft, identifiers } = person;
    const has = (kind: IdentifierKind) => (each: Expectation) =>
      each.now.fields[kind] === draft.values.contact[kind];
    const left = identifiers.filter((kind) => others.some(has(kind)) && !own.some(has(kind)));
    const contact = Object.fromEntries(
      Object.entries(draft.values.contact).filter(([name]) => left.every((kind) => kind !== name)),
    );
    return {
      ...person,
      draft: { ...draft, values: { ...draft.values, contact } },
      identifiers: identifiers.filter((kind) => !left.includes(kind)),
    };
  }

  /** Whom the e-mails and phones of all rows lead to, the oldest first. */
  #found(person: InputPerson): readonly Expectation[] {
    const led = kinds.flatMap((kind) => this.#ledTo(person, kind));
    return this.#people.filter((each) => led.includes(each));
  }

  /** The list has everybody with a value; where it has nobody of a person, and without it, a read gives the first. */
  #ledTo(person: InputPerson, kind: IdentifierKind): readonly Expectation[] {
    const values = (of: IdentifierKind) => new Set(person.sides.flatMap((side) => side[of] ?? []));
    const listed = (of: IdentifierKind) =>
      this.#people.filter(({ now, listed }) =>
        [...values(of)].some((value) => now.fields[of] === value && listed?.fields[of] === value),
      );
    if (this.#policy.lookup === 'snapshot' && kinds.some((of) => listed(of).length > 0)) return listed(kind);
    return [...values(kind)].flatMap(
      (value) => this.#people.find(({ now }) => now.fields[kind] === value) ?? [],
    );
  }

  #create(person: InputPerson): Outcome {
    const { draft, comments } = person;
    if (draft.values.contact.firstName === refusedName) return 'rejected';
    const contact = { ...draft.defaults.contact, ...draft.values.contact };
    const created = { now: plain({ ...draft.values, contact }), of: new Set([person]) };
    this.#people.push(created);
    this.#belongings(draft, created, true);
    this.#comment(created, comments);
    return 'created';
  }

  #update(person: InputPerson, on: Expectation, values: InputPerson['draft']['values']): Outcome {
    const before = show(on.now);
    const isRefused = values.contact.firstName === refusedName;
    if (isRefused && (this.#policy.onMatch === 'update' || on.now.fields.firstName === undefined))
      return 'rejected';
    on.of.add(person);
    on.now = this.#policy.onMatch === 'fill' ? filled(on.now, values) : laidOver(on.now, values);
    const closes = this.#belongings(person.draft, on, false);
    if (this.#policy.existing) this.#comment(on, person.comments);
    const commented = this.#policy.existing && person.comments.length > 0;
    return commented || closes || show(on.now) !== before ? 'updated' : 'unchanged';
  }

  #merge(person: InputPerson, older: Expectation, newer: Expectation): Outcome {
    const { values } = person.draft;
    const both = joined(older.now, newer.now);
    const isFill = this.#policy.onMatch === 'fill';
    if (!isFill && values.contact.firstName === refusedName) return 'rejected';
    older.of.add(person);
    for (const each of newer.of) older.of.add(each);
    older.now = isFill ? filled(both, values) : laidOver(both, values);
    this.#people = this.#people.filter((each) => each !== newer);
    for (const comment of this.#comments) if (comment.on === newer) comment.on = older;
    this.#merges += 1;
    this.#belongings(person.draft, older, false);
    if (this.#policy.existing) this.#comment(older, person.comments);
    return 'merged';
  }

  #prefer(person: InputPerson, kind: IdentifierKind, own: readonly Expectation[]): Outcome {
    const [on, ...others] = this.#ledTo(person, kind).filter((each) => own.includes(each));
    if (on === undefined || others.length > 0) return 'proposed';
    const { contact, customFields } = person.draft.values;
    const { [kind === 'email' ? 'phone' : 'email']: _, ...rest } = contact;
    return this.#update(person, on, { contact: rest, customFields });
  }

  /** Says whether a conversation was closed with a category, which is sent whatever stands there. */
  #belongings(draft: InputPerson['draft'], on: Expectation, created: boolean): boolean {
    const { tags = [], lifecycle, assignee, conversation } = draft;
    const isOpen = (present: unknown) => created || this.#policy.onMatch !== 'fill' || present === null;
    const has = new Set(on.now.tags.map((tag) => tag.toLowerCase()));
    on.now = { ...on.now, tags: [...on.now.tags, ...tags.filter((tag) => !has.has(tag.toLowerCase()))] };
    if (this.#steps === 'notHeld') return false;
    if (lifecycle !== undefined && isOpen(on.now.lifecycle)) on.now = { ...on.now, lifecycle };
    if (assignee !== undefined && isOpen(on.now.assignee)) on.now = { ...on.now, assignee: assignee.userId };
    if (conversation === undefined || !(created || this.#policy.existing)) return false;
    if (on.now.status === 'blocked') return false;
    const { status, category } = conversation;
    if (status === on.now.status && category === undefined) return false;
    on.now = { ...on.now, status, category: category ?? null };
    return true;
  }

  #comment(on: Expectation, comments: readonly string[]): void {
    if (comments.length > 0) this.#comments.push({ on, texts: comments.flatMap(splitComment) });
  }
}

const kinds = ['email', 'phone'] as const;
const order = ['same', 'ask', 'different', 'reused'] as const;

/** A first name that the mapping writes where a row has none is no name. */
function contactSide({ draft }: InputPerson, { now: { fields, custom } }: Expectation): NaiveSide {
  const first = fields.firstName === draft.defaults.contact.firstName ? null : fields.firstName;
  return {
    ...{ key: null, first: first ?? null, family: fields.lastName ?? null },
    ...{ email: fields.email ?? null, phone: fields.phone ?? null, birthDate: bornOf(custom) },
  };
}

/** A row says what the other rows of its person say; of several values the one that the contact has. */
function rowSide({ sides }: InputPerson, side: NaiveSide, contact: NaiveSide): NaiveSide {
  const value = (kind: IdentifierKind) => {
    const all = sides.flatMap((each) => each[kind] ?? []);
    return all.find((each) => each === contact[kind]) ?? all[0] ?? null;
  };
  return { ...side, key: null, email: value('email'), phone: value('phone') };
}

/**
 * Several people of the input say what is equal: the contact is evidence for the first of them who bears its name, and where
 * nobody does for whoever has the value.
 */
function claimed(
  person: InputPerson,
  side: NaiveSide,
  contact: NaiveSide,
  { equal }: NaiveJudgement,
): 'same' | 'different' | undefined {
  const claims = equal.map((kind) => (kind === 'key' ? [] : person.claimants(kind)));
  if (claims.some((each) => each.length < 2)) return undefined;
  const bears = (names: readonly NaiveSide[]) =>
    names.some((name) => naiveNames(name, contact) === 'match' && !areBornApart(name, contact));
  const all = claims.flat();
  const owner =
    all.find(({ isSelf, names }) => bears(isSelf ? [side] : names)) ?? all.find(({ isHolder }) => isHolder);
  if (owner?.isSelf !== true) return 'different';
  return owner.isHolder ? undefined : 'same';
}

/**
 * Whether two contacts of a person are one person: each is what a row with the other's name would be taken for, and of two
 * profiles, of which only one identifier is known, the names decide as of two rows.
 */
function areOnePerson(person: InputPerson, ...pair: readonly [Expectation, Expectation]): boolean {
  const [one, other] = [contactSide(person, pair[0]), contactSide(person, pair[1])];
  const both = (is: 'row' | 'contact') =>
    (
      [
        [one, other],
        [other, one],
      ] as const
    ).map(([named, to]) => naiveJudge(rowSide(person, named, to), to, is));
  const asContacts = both('contact');
  const areProfiles = asContacts.every(({ line }) => line === 'weak: a contact without another identifier');
  return (areProfiles ? both('row') : asContacts).every(({ verdict }) => verdict === 'same');
}

/** What went into a contact. */
const wentIn: readonly Outcome[] = ['created', 'updated', 'merged', 'unchanged'];

/** Only what is empty there. */
function filled(before: Plain, { contact, customFields }: InputPerson['draft']['values']): Plain {
  const wanted = plain({ contact, customFields });
  return {
    ...before,
    fields: { ...wanted.fields, ...before.fields },
    custom: { ...wanted.custom, ...before.custom },
  };
}
