import type { CountryCode } from 'libphonenumber-js/max';
import type { Locale } from './locales.ts';
import { areUnlike, type Name, nameBook, plain, retyped } from './names.ts';
import { phoneBook } from './phones.ts';
import type { Random } from './random.ts';
import { groupShares, personShares } from './shares.ts';
import type { GroupKind, KnownContact } from './truth.ts';

/** A row of a person, before it is written in the columns of an export. */
export interface Member {
  /** Which person of the group it is. */
  readonly person: number;
  readonly name: Name;
  readonly email?: { readonly address: string; readonly isShared?: true };
  readonly phone?: { readonly number: string; readonly country: CountryCode; readonly isShared?: true };
  /** Has the key of the first row of its group. */
  readonly repeatsKey?: true;
  /** Has the other cells of the first row of its group, as far as it has any. */
  readonly repeatsDetails?: true;
}

export interface Group {
  readonly kind: GroupKind;
  readonly members: readonly Member[];
  /** The members about whom the table says ask, or the member and the contact. */
  readonly asked?: string;
  readonly contact?: KnownContact;
  /** The contact is the first person of the group. */
  readonly isContact?: true;
}

interface Cast {
  readonly random: Random;
  readonly locale: Locale;
  readonly newName: ReturnType<typeof nameBook>;
  readonly newPhone: ReturnType<typeof phoneBook>;
  readonly newEmail: (name: Name) => string;
  readonly newContactId: () => number;
}

const domains = ['example.com', 'example.org', 'example.net', 'mail.test', 'post.test'];
const roles = ['info', 'office', 'sales', 'support'];

/** What gives names, numbers and addresses, each once. */
export function castOf(random: Random, locale: Locale): Cast {
  let addresses = 0;
  let contacts = 900;
  const newEmail = ({ first, last }: Name) => {
    addresses += 1;
    const name = plain(`${first}.${last}`)
      .toLowerCase()
      .replace(/[^a-z.]/g, '');
    return `${name.length < 5 ? 'user' : name}${addresses}@${random.pick(domains)}`;
  };
  const newContactId = () => {
    contacts += 1;
    return contacts;
  };
  return {
    random,
    locale,
    newName: nameBook(random, locale),
    newPhone: phoneBook(random),
    newEmail,
    newContactId,
  };
}

/** The groups of an export of so many rows, at least. */
export function groupsOf(
  cast: Cast,
  rows: number,
  has: { readonly keys: boolean; readonly contacts: boolean; readonly switchboard: boolean },
): Group[] {
  const groups: Group[] = has.switchboard ? [switchboard(cast)] : [];
  let count = 0;
  while (count < rows) {
    const drawn = cast.random.weighted(groupShares);
    const needsKey = drawn === 'repeatedKey' || drawn === 'reusedKey' || drawn === 'askSameKey';
    const isOdd = (needsKey && !has.keys) || (drawn.startsWith('contact') && !has.contacts);
    const group = groupOf(isOdd ? 'single' : drawn, cast);
    groups.push(group);
    count += group.members.length;
  }
  return groups;
}

function switchboard(cast: Cast): Group {
  const number = cast.newPhone(cast.locale.country);
  const members = Array.from({ length: cast.random.int(6, 8) }, (_, person): Member => {
    const name = cast.newName();
    return {
      person,
      name,
      email: { address: cast.newEmail(name) },
      phone: { number, country: cast.locale.country },
    };
  });
  return { kind: 'switchboard', members };
}

/** Two names without anything in common. */
function strangers(cast: Cast): readonly [Name, Name] {
  const one = cast.newName();
  const other = cast.newName(
    ({ first, last }) =>
      areUnlike(first, one.first) &&
      areUnlike(last, one.last) &&
      areUnlike(first, one.last) &&
      areUnlike(last, one.first),
  );
  return [one, other];
}

/** Names of one family, whose first names are all unlike each other. */
function family(cast: Cast, size: number): readonly Name[] {
  const names: Name[] = [cast.newName()];
  while (names.length < size) {
    const last = names[0]?.last;
    names.push(
      cast.newName((name) => name.last === last && names.every(({ first }) => areUnlike(first, name.first))),
    );
  }
  return names;
}

function groupOf(kind: keyof typeof groupShares, cast: Cast): Group {
  const { random, locale, newEmail, newPhone, newName } = cast;
  const { country } = locale;
  const phoneOf = (number: string, isShared?: true) => ({ number, country, ...(isShared && { isShared }) });
  const emailOf = (name: Name) => ({ address: newEmail(name) });
  switch (kind) {
    case 'single':
      return { kind, members: [single(cast)] };
    case 'family': {
      const number = newPhone(country);
      const members = family(cast, random.chance(0.25) ? 3 : 2).map(
        (name, person): Member => ({ person, name, email: emailOf(name), phone: phoneOf(number, true) }),
      );
      return { kind, members };
    }
    case 'sharedMailbox': {
      const address = `${random.pick(roles)}@haus${random.int(1000, 9999)}.test`;
      const members = strangers(cast).map(
        (name, person): Member => ({
          person,
          name,
          email: { address, isShared: true },
          phone: phoneOf(newPhone(country)),
        }),
      );
      return { kind, members };
    }
    case 'duplicateByEmail': {
      const name = newName();
      const email = emailOf(name);
      const phone = random.chance(personShares.phone) ? { phone: phoneOf(newPhone(country)) } : {};
      const again: Member = {
        ...{ person: 0, name: retyped(name, random, true), email },
        ...(random.chance(0.5) ? phone : {}),
        ...(random.chance(0.7) && { repeatsDetails: true }),
      };
      return { kind, members: [{ person: 0, name, email, ...phone }, again] };
    }
    case 'duplicateByPhone': {
      const name = newName();
      const phone = phoneOf(newPhone(country));
      const last = random.chance(0.3) ? '' : random.chance(0.5) ? plain(name.last) : name.last;
      const again: Member = {
        ...{ person: 0, name: { first: plain(name.first), last }, phone, repeatsDetails: true },
        ...(random.chance(0.5) && { email: emailOf(name) }),
      };
      return { kind, members: [{ person: 0, name, email: emailOf(name), phone }, again] };
    }
    case 'repeatedKey': {
      const one = single(cast);
      const again: Member = { ...one, name: retyped(one.name, random, false), repeatsKey: true };
      return { kind, members: [one, random.chance(0.5) ? { ...again, repeatsDetails: true } : again] };
    }
    case 'noIdentifier':
      return { kind, members: [{ person: 0, name: newName() }] };
    case 'nameless':
      return {
        kind,
        members: [{ person: 0, name: { first: '', last: '' }, email: emailOf({ first: '', last: '' }) }],
      };
    case 'contactByPhone':
    case 'contactByEmail':
    case 'contactOfFamily':
    case 'contactAskEmail':
      return withContact(kind, cast);
    default:
      return askedGroup(kind, cast);
  }
}

/** One person with what most people have: at least an e-mail or a phone. */
function single({ random, locale, newName, newEmail, newPhone }: Cast): Member {
  const name = newName();
  const email = random.chance(personShares.email) ? { email: { address: newEmail(name) } } : {};
  const country = locale.country;
  const hasPhone = random.chance(personShares.phone) || email.email === undefined;
  return { person: 0, name, ...email, ...(hasPhone && { phone: { number: newPhone(country), country } }) };
}

function marriedName({ first, last }: Name, { newName }: Cast): Name {
  return newName((name) => name.first === first && areUnlike(name.last, last));
}

function askedGroup(
  kind: 'reusedKey' | 'askSameEmail' | 'askMarried' | 'askChild' | 'askNoName' | 'askSameKey' | 'askScript',
  cast: Cast,
): Group {
  const { locale, newEmail, newPhone, newName } = cast;
  const [one, other] = strangers(cast);
  const phone = { number: newPhone(locale.country), country: locale.country };
  const email = (name: Name) => ({ address: newEmail(name) });
  const first: Member = { person: 0, name: one, email: email(one) };
  switch (kind) {
    case 'reusedKey':
      return { kind, members: [first, { person: 1, name: other, email: email(other), repeatsKey: true }] };
    case 'askSameKey':
      return {
        kind,
        members: [
          { ...first, phone },
          { person: 1, name: other, email: email(other), phone, repeatsKey: true },
        ],
        asked: 'one key and one phone, other names',
      };
    case 'askSameEmail':
      return {
        kind,
        members: [first, { ...first, person: 1, name: other }],
        asked: 'one e-mail, other names',
      };
    case 'askMarried':
      return {
        kind,
        members: [
          { ...first, phone },
          { person: 0, name: marriedName(one, cast), email: email(other), phone },
        ],
        asked: 'one phone and first name, another family name',
      };
    case 'askChild': {
      const child = newName((name) => name.last === one.last && areUnlike(name.first, one.first));
      return {
        kind,
        members: [
          { ...first, phone },
          { person: 1, name: child, phone },
        ],
        asked: 'one phone, other first names, one without an e-mail',
      };
    }
    case 'askNoName':
      return {
        kind,
        members: [
          { ...first, phone },
          { person: 1, name: { first: '', last: '' }, email: email({ first: '', last: '' }), phone },
        ],
        asked: 'one phone, other e-mails, one without a name',
      };
    case 'askScript':
      return {
        kind,
        members: [
          { ...first, phone },
          { person: 0, name: { first: 'Елена', last: 'Орлова' }, email: email(other), phone },
        ],
        asked: 'one phone, another script',
      };
  }
}

function withContact(
  kind: 'contactByPhone' | 'contactByEmail' | 'contactOfFamily' | 'contactAskEmail',
  cast: Cast,
): Group {
  const { locale, newEmail, newPhone, newContactId, newName } = cast;
  const [one, other] = strangers(cast);
  const id = newContactId();
  const number = newPhone(locale.country);
  const address = newEmail(one);
  const member: Member = {
    person: 0,
    name: one,
    email: { address },
    phone: { number, country: locale.country },
  };
  switch (kind) {
    case 'contactByPhone':
      return {
        kind,
        members: [member],
        contact: { id, firstName: 'Sunshine', phone: number },
        isContact: true,
      };
    case 'contactByEmail': {
      const contact = { id, firstName: plain(one.first), lastName: one.last, email: address };
      return { kind, members: [member], contact, isContact: true };
    }
    case 'contactOfFamily': {
      const relative = newName(({ first, last }) => last === one.last && areUnlike(first, one.first));
      const contact = {
        ...{ id, firstName: relative.first, lastName: relative.last },
        ...{ email: newEmail(relative), phone: number },
      };
      const phone = { number, country: locale.country, isShared: true as const };
      return { kind, members: [{ ...member, phone }], contact };
    }
    case 'contactAskEmail':
      return {
        kind,
        members: [member],
        contact: { id, firstName: other.first, lastName: other.last, email: address },
        asked: 'the e-mail of a contact with other names',
      };
  }
}
