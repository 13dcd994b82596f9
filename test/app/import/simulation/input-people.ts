import type { DuplicatesPolicy, InputRow } from '../../../../src/identity/input-index/index.ts';
import type { Draft } from '../../../../src/model/draft.ts';
import type { SourceItem } from '../../../../src/model/row.ts';
import { type NaivePerson, naiveInput } from '../../../identity/naive-people.ts';
import { mapRow } from './map-row.ts';
import { switchboard } from './policy.ts';

/** An e-mail or a phone. */
export type IdentifierKind = 'email' | 'phone';

/** One person of the input, by the rules alone. */
export interface InputPerson {
  readonly kind: 'person';
  /** The items of its rows, the last of which carries the outcome. */
  readonly items: readonly number[];
  /** What is sent: without what is another person's of the input. */
  readonly draft: Draft;
  /** What each row says of who it is. */
  readonly sides: readonly InputRow[];
  /** Of the e-mail and the phone that are sent those that say who somebody is. */
  readonly identifiers: readonly IdentifierKind[];
  /** Whether an e-mail or a phone is another person's of the input. */
  readonly isWithout: boolean;
  /** The comments of all rows, in order. */
  readonly comments: readonly string[];
  /** Who say a value, this person among them: whoever has it first, then by key. */
  readonly claimants: (kind: IdentifierKind) => readonly Claimant[];
}

/** A person of the input who says an e-mail or a phone. */
export interface Claimant {
  readonly isSelf: boolean;
  /** Whether the value is sent for them, where the workspace has nobody with it. */
  readonly isHolder: boolean;
  /** The names of the rows that say the value. */
  readonly names: readonly InputRow[];
}

/** Rows of which nothing is sent. */
interface LeftOut {
  readonly kind: 'skipped' | 'rejected' | 'proposed';
  readonly items: readonly number[];
  readonly why: Why;
}

/** What becomes of an input by the rules alone, and how it was decided. */
export type Why = 'duplicate' | 'key.reused' | 'asked about a row' | 'nothing left';

interface MappedRow {
  readonly item: number;
  readonly draft: Draft;
}

/** The people of the input in the order of their last rows; what cannot be mapped is nobody. */
export function peopleOf(
  items: readonly SourceItem[],
  duplicates: DuplicatesPolicy,
): readonly (InputPerson | LeftOut)[] {
  const rows = new Map(unifiedTags(mappedRows(items)).map((row) => [row.item, row]));
  const input = new Input(rows);
  return input.people
    .toSorted((a, b) => Math.max(...itemsOf(a)) - Math.max(...itemsOf(b)))
    .flatMap((person) => input.taken(person, duplicates));
}

/** What the rows of an input say of who they are. */
export function sidesOf(items: readonly SourceItem[]): readonly InputRow[] {
  return mappedRows(items).map(evidenceOf);
}

function mappedRows(items: readonly SourceItem[]): readonly MappedRow[] {
  return items.flatMap((item, n): MappedRow[] => {
    const row = item.kind === 'row' ? mapRow(item) : undefined;
    return row?.ok === true ? [{ item: n, draft: row.draft }] : [];
  });
}

/** The first spelling of a tag in the input is everybody's. */
function unifiedTags(rows: readonly MappedRow[]): readonly MappedRow[] {
  const spellings = new Map<string, string>();
  for (const tag of rows.flatMap(({ draft }) => draft.tags ?? [])) {
    if (!spellings.has(tag.toLowerCase())) spellings.set(tag.toLowerCase(), tag);
  }
  return rows.map(({ item, draft }) => {
    const { tags } = draft;
    if (tags === undefined) return { item, draft };
    return { item, draft: { ...draft, tags: tags.map((tag) => spellings.get(tag.toLowerCase()) ?? tag) } };
  });
}

const plainly = (name: string) => name.normalize('NFD').toLowerCase();

function evidenceOf({ item, draft }: MappedRow): InputRow {
  const {
    email = null,
    phone = null,
    firstName: first = null,
    lastName: family = null,
  } = draft.values.contact;
  const person = `${first ?? ''} ${family ?? ''}`.trim().toLowerCase();
  return {
    seq: item,
    line: item + 2,
    key: draft.key,
    email,
    phone,
    first,
    family,
    birthDate: bornOf(draft.values.customFields),
    person,
  };
}

/** The date of birth among the values of custom fields. */
export function bornOf({ Born }: Draft['values']['customFields']): string | null {
  return typeof Born === 'string' ? Born : null;
}

function itemsOf(person: NaivePerson): readonly number[] {
  return person.map(({ seq }) => seq).sort((a, b) => a - b);
}

class Input {
  readonly #rows: ReadonlyMap<number, MappedRow>;
  readonly #found: ReturnType<typeof naiveInput>;

  constructor(rows: ReadonlyMap<number, MappedRow>) {
    this.#rows = rows;
    this.#found = naiveInput([...rows.values()].map(evidenceOf), switchboard);
  }

  get people(): readonly NaivePerson[] {
    return this.#found.people;
  }

  taken(person: NaivePerson, duplicates: DuplicatesPolicy): readonly (InputPerson | LeftOut)[] {
    const items = itemsOf(person);
    if (duplicates === 'merge' || items.length === 1) return [this.#sent(person, items)];
    if (duplicates === 'reject') return [{ kind: 'rejected', items, why: 'duplicate' }];
    const one = duplicates === 'first' ? items.slice(0, 1) : items.slice(-1);
    const others = items.filter((item) => !one.includes(item));
    return [this.#sent(person, one), { kind: 'skipped', items: others, why: 'duplicate' }];
  }

  /** A later cell wins; tags and comments are united. */
  #sent(person: NaivePerson, items: readonly number[]): InputPerson | LeftOut {
    const { asked, reused, shared } = this.#found;
    if (reused.has(person)) return { kind: 'rejected', items, why: 'key.reused' };
    if (asked.has(person)) return { kind: 'proposed', items, why: 'asked about a row' };
    const sides = person.filter(({ seq }) => items.includes(seq)).toSorted((a, b) => a.seq - b.seq);
    const drafts = items.flatMap((item) => this.#rows.get(item)?.draft ?? []);
    const contact = Object.assign({}, ...drafts.map((draft) => draft.values.contact));
    const names = drafts.flatMap((draft) => draft.values.contact.firstName ?? []);
    const named = names.findLast(
      (name) => name.length > 2 && plainly(name)[0] === plainly(contact.firstName)[0],
    );
    if (named !== undefined && contact.firstName.length <= 2) contact.firstName = named;
    for (const field of ['firstName', 'lastName'] as const) {
      const spellings = drafts.flatMap((draft) => draft.values.contact[field] ?? []);
      const spelled = spellings.findLast(
        (name) => /^\p{Lu}.*\p{Ll}/u.test(name) && name.toUpperCase() === contact[field]?.toUpperCase(),
      );
      if (spelled !== undefined) contact[field] = spelled;
    }
    const isOthers = (kind: IdentifierKind) =>
      shared.has(`${sides.find((side) => side[kind] === contact[kind])?.seq} ${kind}`);
    const said = kinds.filter((kind) =>
      sides.some((side) => side[kind] === contact[kind] && side[kind] !== null),
    );
    const others = said.filter(isOthers);
    if (others.length === said.length) return { kind: 'rejected', items, why: 'nothing left' };
    for (const kind of others) delete contact[kind];
    const customFields = Object.assign({}, ...drafts.map((draft) => draft.values.customFields));
    const tags = new Set(drafts.flatMap((draft) => draft.tags ?? []));
    return {
      ...{ kind: 'person', items, sides },
      draft: { ...Object.assign({}, ...drafts), values: { contact, customFields }, tags: [...tags] },
      identifiers: said.filter((kind) => !others.includes(kind)),
      isWithout: others.length > 0,
      comments: drafts.flatMap(({ comments = [] }) => comments.map(({ text }) => text)),
      claimants: (kind) => this.#claimants(person, sides, kind),
    };
  }

  /** Whoever is not written comes after all who are. */
  #claimants(person: NaivePerson, sides: readonly InputRow[], kind: IdentifierKind): readonly Claimant[] {
    const values = sides.flatMap((side) => side[kind] ?? []);
    const { people, asked, reused } = this.#found;
    const isWritten = (each: NaivePerson) => !asked.has(each) && !reused.has(each);
    const saying = [...people.filter(isWritten), ...people.filter((each) => !isWritten(each))]
      .map((each) => ({
        isSelf: each === person,
        names: each.filter((row) => values.includes(row[kind] ?? '')),
      }))
      .filter(({ names }) => names.length > 0);
    return saying.map((each, n) => ({ ...each, isHolder: n === 0 }));
  }
}

const kinds = ['email', 'phone'] as const;
