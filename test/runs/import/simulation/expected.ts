import type { Outcome } from '../../../../src/model/outcome.ts';
import { commentParts } from '../../../../src/steps/comments.ts';
import { type InputPerson, peopleOf } from './input-people.ts';
import { refusedName } from './model-body.ts';
import type { Scene } from './people.ts';
import { joined, laidOver, type Plain, plain, show } from './plain.ts';
import type { SimulatedPolicy } from './policy.ts';

/** A contact of the expectation; what comes earlier in a list is older. */
export interface Expectation {
  now: Plain;
}

/** What must come out of an import. */
export interface Expected {
  readonly people: readonly Expectation[];
  /** By item. */
  readonly outcomes: readonly Outcome[];
  readonly merges: number;
  /** The comments of each person who gets some, in order, as they are sent. */
  readonly comments: readonly { readonly on: Expectation; readonly texts: readonly string[] }[];
}

/** What must come out, by going through the people of the input one after the other in a world without trouble. */
export function expected(scene: Scene, policy: SimulatedPolicy, steps: 'all' | 'notHeld'): Expected {
  return new Reckoning(scene, policy, steps).end();
}

class Reckoning {
  readonly #policy: SimulatedPolicy;
  readonly #scene: Scene;
  readonly #steps: 'all' | 'notHeld';
  readonly #comments: { on: Expectation; texts: readonly string[] }[] = [];
  #people: Expectation[];
  #merges = 0;

  constructor(scene: Scene, policy: SimulatedPolicy, steps: 'all' | 'notHeld') {
    this.#steps = steps;
    this.#scene = scene;
    this.#policy = policy;
    this.#people = scene.there.map((now) => ({ now }));
  }

  end(): Expected {
    const { items } = this.#scene;
    const outcomes: Outcome[] = items.map(() => 'rejected');
    for (const person of peopleOf(items, this.#policy.duplicates)) {
      const outcome = person.kind === 'person' ? this.#apply(person) : person.kind;
      for (const item of person.items) outcomes[item] = outcome;
      if (person.kind !== 'person' || !wentIn.includes(outcome)) continue;
      for (const item of person.items.slice(0, -1)) outcomes[item] = 'folded';
    }
    return { people: this.#people, outcomes, merges: this.#merges, comments: this.#comments };
  }

  #apply(person: InputPerson): Outcome {
    const { onMatch, onConflict } = this.#policy;
    const { values } = person.draft;
    const found = this.#found(person);
    const [oldest, second, ...more] = found;
    if (oldest === undefined) return this.#create(person);
    if (onMatch === 'skip') return 'skipped';
    if (onMatch === 'reject') return 'rejected';
    if (second === undefined) return this.#update(person, oldest, values);
    if (onConflict === 'reject') return 'rejected';
    if (onConflict === 'review' || more.length > 0) return 'proposed';
    if (onConflict === 'merge') return this.#merge(person, oldest, second);
    return this.#prefer(person, onConflict === 'prefer-email' ? 'email' : 'phone');
  }

  /** Whom the e-mail and the phone lead to, the oldest first; a single read sees the first of several. */
  #found(person: InputPerson): readonly Expectation[] {
    const led = (['email', 'phone'] as const).flatMap((kind) => this.#ledTo(person, kind));
    return this.#people.filter((each) => led.includes(each));
  }

  #ledTo({ identifiers }: InputPerson, kind: 'email' | 'phone'): readonly Expectation[] {
    const value = identifiers[kind];
    const all = this.#people.filter(({ now }) => value !== undefined && now.fields[kind] === value);
    return this.#policy.lookup === 'snapshot' ? all : all.slice(0, 1);
  }

  #create({ draft, comments }: InputPerson): Outcome {
    if (draft.values.contact.firstName === refusedName) return 'rejected';
    const contact = { ...draft.defaults.contact, ...draft.values.contact };
    const created = { now: plain({ ...draft.values, contact }) };
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
    older.now = isFill ? filled(both, values) : laidOver(both, values);
    this.#people = this.#people.filter((each) => each !== newer);
    for (const comment of this.#comments) if (comment.on === newer) comment.on = older;
    this.#merges += 1;
    this.#belongings(person.draft, older, false);
    if (this.#policy.existing) this.#comment(older, person.comments);
    return 'merged';
  }

  #prefer(person: InputPerson, kind: 'email' | 'phone'): Outcome {
    const [on, ...others] = this.#ledTo(person, kind);
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
    if (comments.length > 0) this.#comments.push({ on, texts: comments.flatMap(commentParts) });
  }
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
