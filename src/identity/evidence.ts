import { compareNames, hasNameInCommon, hasWordsOfItsOwn, type NameMatch, type PersonName } from './names.ts';

/**
 * The data of a row or a workspace contact that identifies a person; identifiers are in comparable form (see
 * `toComparableEmail`).
 */
export interface IdentityEvidence extends PersonName {
  /** The source key of the row; for a contact, the key that the journal recorded for it. */
  readonly key: string | null;
  readonly email: string | null;
  /** Null also where too many people share the phone for it to identify one of them. */
  readonly phone: string | null;
  /**
   * The further e-mails and phones of a row, weak evidence like its first phone. A shared one counts for less if each of
   * the two has a first one that the other does not have.
   */
  readonly further?: readonly string[];
  /** The date of birth, as `toComparableBirthDate` returns it. */
  readonly birthDate?: string | null;
}

/**
 * The verdict on two rows, or a row and a contact: one person, unclear, two people, or two people with one key
 * (`reused`).
 */
export type IdentityVerdict = 'same' | 'ask' | 'different' | 'reused';

/** The verdict with its evidence: the equal values and the comparison of the names. */
export interface IdentityJudgement {
  readonly verdict: IdentityVerdict;
  readonly equal: readonly ('key' | 'email' | 'phone')[];
  readonly names: NameMatch;
  /** True if both have a date of birth, and not the same one. */
  readonly birthDatesDiffer: boolean;
  /** True if a key or a personal e-mail is equal. */
  readonly strong: boolean;
  /**
   * True if the verdict is `same` whatever the names: no key is equal, and the shared phone or role address is the only
   * identifier that the contact has.
   */
  readonly alone: boolean;
}

/**
 * Judges whether two rows, or a row and a contact, are one person: an equal key or e-mail is strong evidence, an equal
 * phone or role address is weak, and names confirm or contradict it. Unless the keys are equal, different dates of birth
 * contradict it, too. The order of two rows does not matter.
 */
export function judgeSamePerson(
  row: IdentityEvidence,
  other: IdentityEvidence,
  otherIs: 'row' | 'contact',
): IdentityJudgement {
  const same = (a: string | null, b: string | null) => a !== null && a === b;
  const key = same(row.key, other.key);
  const isFirstEmail = same(row.email, other.email);
  const email = share(listEvidenceEmails, row, other);
  const phone = share(listEvidencePhones, row, other);
  const strong = isFirstEmail && !isRoleAddress(row.email);
  const equal = (['key', 'email', 'phone'] as const).filter((name) => ({ key, email, phone })[name]);
  const names = compareNames(row, other);
  const isOnlyOne = otherIs === 'contact' && [other.email, other.phone].includes(null);
  const alone = isOnlyOne && !key && !strong && (phone || isFirstEmail);
  const byShared = (): IdentityVerdict => {
    if (alone) return 'same';
    if (phone) return byWeak(row, other, names, haveOwn('phone', row, other));
    return isFirstEmail ? byWeak(row, other, names) : byFurtherEmail(row, other, names);
  };
  const byIdentifiers = (): IdentityVerdict => {
    if (strong) return byEmail(row, other, names);
    return equal.length > 0 ? byShared() : 'different';
  };
  const birthDatesDiffer = haveDifferentBirthDates(row, other);
  const verdict = key
    ? byKey(names, strong, phone || email)
    : birthDatesDiffer
      ? contradictedByBirthDates(byIdentifiers(), names)
      : byIdentifiers();
  return {
    verdict,
    equal,
    names,
    birthDatesDiffer,
    strong: key || strong,
    alone: alone && verdict === 'same',
  };
}

/** Returns true if both have a date of birth, and not the same one. */
export function haveDifferentBirthDates(
  { birthDate: one = null }: Pick<IdentityEvidence, 'birthDate'>,
  { birthDate: other = null }: Pick<IdentityEvidence, 'birthDate'>,
): boolean {
  return one !== null && other !== null && one !== other;
}

/** A father and a son may have one name, phone and e-mail; two first names besides two dates of birth are two people. */
function contradictedByBirthDates(verdict: IdentityVerdict, names: NameMatch): IdentityVerdict {
  if (verdict === 'same') return 'ask';
  return verdict === 'ask' && (names === 'family' || names === 'differ') ? 'different' : verdict;
}

/**
 * Returns true if two rows that have no value in common can still be one person, linked through other rows. They are
 * judged as if they shared a personal e-mail (`strong`), or a value that several people may share (`weak`).
 */
export function canBeLinkedAsOnePerson(
  one: IdentityEvidence,
  other: IdentityEvidence,
  link: 'strong' | 'weak',
): boolean {
  if (haveDifferentBirthDates(one, other)) return false;
  const names = compareNames(one, other);
  return (link === 'strong' ? byEmail(one, other, names) : byWeak(one, other, names)) === 'same';
}

function byKey(names: NameMatch, strong: boolean, weak: boolean): IdentityVerdict {
  if (strong || names === 'missing' || hasNameInCommon(names)) return 'same';
  if (names === 'incomparable') return weak ? 'same' : 'ask';
  return weak ? 'ask' : 'reused';
}

function byEmail(row: IdentityEvidence, other: IdentityEvidence, names: NameMatch): IdentityVerdict {
  switch (names) {
    case 'match':
    case 'first':
    case 'missing':
      return 'same';
    case 'family':
    case 'partly':
      // A family often has one mailbox and one phone, and a person may go by two first names: no value tells them apart.
      return hasWordsOfItsOwn(row, other) && hasWordsOfItsOwn(other, row) ? 'ask' : 'same';
    case 'differ':
    case 'incomparable':
      return 'ask';
  }
}

/** A second e-mail is often that of a team or an assistant: other names are another person's. */
function byFurtherEmail(row: IdentityEvidence, other: IdentityEvidence, names: NameMatch): IdentityVerdict {
  if (names === 'family' || names === 'differ') return 'different';
  return byWeak(row, other, names, haveOwn('email', row, other));
}

/** Returns all phones of a row or a contact, the first one and the further ones. */
export function listEvidencePhones({ phone, further = [] }: IdentityEvidence): readonly string[] {
  const others = further.filter((value) => !isEmail(value));
  return phone === null ? others : [phone, ...others];
}

/** Returns all e-mails of a row or a contact, the first one and the further ones. */
export function listEvidenceEmails({ email, further = [] }: IdentityEvidence): readonly string[] {
  const others = further.filter(isEmail);
  return email === null ? others : [email, ...others];
}

function isEmail(value: string): boolean {
  return value.includes('@');
}

function share(list: typeof listEvidencePhones, one: IdentityEvidence, other: IdentityEvidence): boolean {
  const values = list(other);
  return list(one).some((value) => values.includes(value));
}

/**
 * Returns true if each of the two has a first phone or e-mail that the other does not have at all, so that the one they
 * share is a further one.
 */
function haveOwn(kind: 'email' | 'phone', row: IdentityEvidence, other: IdentityEvidence): boolean {
  const list = kind === 'email' ? listEvidenceEmails : listEvidencePhones;
  const isOwn = (one: IdentityEvidence, of: IdentityEvidence) => {
    const value = one[kind];
    return value !== null && !list(of).includes(value);
  };
  return isOwn(row, other) && isOwn(other, row);
}

function byWeak(
  row: IdentityEvidence,
  other: IdentityEvidence,
  names: NameMatch,
  haveOthers = false,
): IdentityVerdict {
  const lacksOther = !haveOthers && [row.email, row.phone, other.email, other.phone].includes(null);
  const differ = row.email !== other.email || row.phone !== other.phone;
  switch (names) {
    case 'match':
      return 'same';
    case 'missing':
      return lacksOther || !differ ? 'same' : 'ask';
    case 'first':
    case 'partly':
    case 'incomparable':
      return 'ask';
    case 'family':
    case 'differ':
      return !lacksOther && differ ? 'different' : 'ask';
  }
}

const roles = new Set(
  `info information infos contact contacts contacto contato contatti contatto kontakt hello hallo hola hi mail email post office
   buero buro biuro bureau admin administration administracion administracao amministrazione verwaltung sales vertrieb verkauf
   ventas vendas vendite vente ventes commercial comercial commerciale sprzedaz verkoop support help helpdesk service services
   servicio kundenservice kundendienst customerservice customercare team accounting accounts buchhaltung billing invoice invoices
   rechnung rechnungen facturacion facturation compta comptabilite faktury boekhouding finance marketing hr jobs career careers
   bewerbung personal recruiting reception empfang recepcion accueil sekretariat secretariat secretaria segreteria sekretariat
   webmaster postmaster hostmaster noreply donotreply shop store order orders bestellung bestellungen pedidos ordini commandes
   enquiries enquiry inquiries inquiry press presse media newsletter privacy datenschutz legal it tech technik zentrale
   praxis hotel reservations reservierung booking bookings`.split(/\s+/),
);

/** Returns true for the address of a role, which many people read: info@, office@, sales@. */
export function isRoleAddress(email: string | null): boolean {
  if (email === null) return false;
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*$/, '');
  return roles.has(local.replace(/[._-]/g, '').replace(/\d+$/, ''));
}

const nameWords: Readonly<Record<NameMatch, string>> = {
  match: 'the names match',
  first: 'the first names match, the family names differ',
  family: 'the first names differ, the family names match',
  partly: 'the names match in part',
  differ: 'the names have nothing in common',
  incomparable: 'the names cannot be compared',
  missing: 'one of them has no name',
};

const equalWords = { key: 'key', email: 'e-mail', phone: 'phone' } as const;

/** The evidence of a judgement, without its verdict. */
export type JudgedEvidence = Pick<IdentityJudgement, 'equal' | 'names' | 'birthDatesDiffer'>;

/** Returns the evidence as a phrase: `same phone; the first names differ, the family names match`. */
export function formatEvidence({ equal, names, birthDatesDiffer }: JudgedEvidence): string {
  const same = equal.map((name) => equalWords[name]).join(' and ');
  return `same ${same}; ${nameWords[names]}${birthDatesDiffer ? '; the dates of birth differ' : ''}`;
}
