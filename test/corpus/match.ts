import type { Listings } from './listings.ts';
import { plain } from './names.ts';
import type { KnownContact, TruePerson, TrueRow } from './truth.ts';
import type { Contact } from './workspace-state.ts';

/** Which contact is which person, and which contacts are left. */
export interface Matched {
  readonly contactOf: ReadonlyMap<TruePerson, Contact>;
  /** Contacts that are a person who has another one, too. */
  readonly doubles: readonly { readonly contact: Contact; readonly person: TruePerson }[];
  readonly strangers: readonly Contact[];
}

const folded = (text: string) =>
  plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const enough = 4;
/** The title that an export puts before some names. */
const title = 'dr';

/** Pairs contacts and people by what they share, the surest pair first; each contact is one person's. */
export function matched(
  contacts: readonly Contact[],
  people: readonly TruePerson[],
  listings: Listings,
  others: readonly KnownContact[],
): Matched {
  const rated = people
    .flatMap((person) =>
      contacts.map((contact) => ({ person, contact, score: scoreOf(contact, person, listings) })),
    )
    .filter(
      ({ score, contact, person }) =>
        score >= enough &&
        // The contact of another is a person's only where it has got the person's names.
        (others.every(({ id }) => id !== contact.id) || nameScore(contact, person.rows) >= enough),
    )
    .sort((one, other) => other.score - one.score);
  const contactOf = new Map<TruePerson, Contact>();
  const personOf = new Map<Contact, TruePerson>();
  for (const { person, contact } of rated) {
    if (contactOf.has(person) || personOf.has(contact)) continue;
    contactOf.set(person, contact);
    personOf.set(contact, person);
  }
  const left = contacts.filter((contact) => !personOf.has(contact));
  const doubles = left.flatMap((contact) => {
    const best = rated.find((pair) => pair.contact === contact);
    return best === undefined ? [] : [{ contact, person: best.person }];
  });
  const strangers = left.filter((contact) => doubles.every((double) => double.contact !== contact));
  return { contactOf, doubles, strangers };
}

/** What a row says of itself: addresses and numbers with whether others have them, too. */
export function identifiersOf(rows: readonly TrueRow[]) {
  const emails = new Map<string, boolean>();
  const phones = new Map<string, boolean>();
  for (const { wanted } of rows.flatMap(({ cells }) => cells)) {
    if (wanted.as === 'email') emails.set(wanted.address, wanted.isShared === true);
    if (wanted.as === 'phone')
      for (const number of wanted.numbers) phones.set(number, wanted.isShared === true);
  }
  return { emails, phones };
}

function scoreOf(contact: Contact, person: TruePerson, listings: Listings): number {
  const { emails, phones } = identifiersOf(person.rows);
  const names = nameScore(contact, person.rows);
  const email = contact.email === null ? undefined : emails.get(contact.email.toLowerCase());
  const phone = contact.phone === null ? undefined : phones.get(contact.phone);
  const codes = person.rows.flatMap(({ cells }) =>
    cells.flatMap(({ raw, wanted }) => (wanted.as === 'value' && /^C-\d{5}-\d{3}$/.test(raw) ? [raw] : [])),
  );
  const hasCode = Object.values(contact.custom).some((value) => codes.includes(value));
  const isNamed = person.rows.some((row) => listings.accountOf(row)?.contactId === contact.id);
  return (
    names +
    (email === undefined ? 0 : email ? 1 : 4) +
    (phone === undefined ? 0 : phone ? 1 : 3) +
    (hasCode ? 2 : 0) +
    (isNamed ? 1 : 0) +
    (person.contactId === contact.id ? 4 : 0)
  );
}

function nameScore(contact: Contact, rows: readonly TrueRow[]): number {
  const words = (text: string) =>
    folded(text)
      .split(' ')
      .filter((word) => word !== title)
      .sort()
      .join(' ');
  const own = words(`${contact.firstName ?? ''} ${contact.lastName ?? ''}`);
  const isWhole = rows.some(({ first, last }) => first + last !== '' && words(`${first} ${last}`) === own);
  if (isWhole) return 4;
  const first = folded(contact.firstName ?? '');
  return rows.some((row) => row.first !== '' && folded(row.first) === first) ? 1 : 0;
}
