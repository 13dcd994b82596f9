import { compareNames, haveInCommon, type NameMatch, type PersonName } from './names.ts';

/** What a row, or a contact of the workspace, says of who it is; identifiers as they are compared (`comparableEmail`). */
export interface Evidence extends PersonName {
  /** The key of the legacy CRM with its system; of a contact the key that it is remembered by. */
  readonly key: string | null;
  readonly email: string | null;
  /** Null also where too many people share it to say who one of them is. */
  readonly phone: string | null;
  /** Other phones of a row, which say as much of who it is. */
  readonly further?: readonly string[];
}

/** Whether two are one person; `reused` is a key that belongs to two people. */
export type Verdict = 'same' | 'ask' | 'different' | 'reused';

/** What was decided about two, and by what. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly equal: readonly ('key' | 'email' | 'phone')[];
  readonly names: NameMatch;
  /** One identifier of a contact that has no other: what is known of it is its profile. */
  readonly alone: boolean;
}

/**
 * Judges whether two rows, or a row and a contact, are one person: a key and an e-mail are strong, a phone and the address of
 * a role are weak, names speak for and against. Two rows give the same whichever comes first.
 */
export function judge(row: Evidence, other: Evidence, otherIs: 'row' | 'contact'): Judgement {
  const same = (a: string | null, b: string | null) => a !== null && a === b;
  const key = same(row.key, other.key);
  const email = same(row.email, other.email);
  const phone = phonesOf(row).some((each) => phonesOf(other).includes(each));
  const strong = email && !isRoleAddress(row.email);
  const weak = phone || (email && !strong);
  const equal = (['key', 'email', 'phone'] as const).filter((name) => ({ key, email, phone })[name]);
  const names = compareNames(row, other);
  const alone = otherIs === 'contact' && !key && !strong && weak && [other.email, other.phone].includes(null);
  const verdict = key
    ? byKey(names, strong, weak)
    : strong
      ? byEmail(names)
      : weak
        ? alone
          ? 'same'
          : byWeak(row, other, names, phone && haveOwnPhones(row, other))
        : 'different';
  return { verdict, equal, names, alone: alone && verdict === 'same' };
}

/**
 * Whether two rows that share nothing fit one person to whom each of them is linked: judged as if they shared what links
 * them, a key or an e-mail (`strong`), or what several people may share.
 */
export function agree(one: Evidence, other: Evidence, link: 'strong' | 'weak'): boolean {
  const names = compareNames(one, other);
  return (link === 'strong' ? byEmail(names) : byWeak(one, other, names)) === 'same';
}

function byKey(names: NameMatch, strong: boolean, weak: boolean): Verdict {
  if (strong || names === 'missing' || haveInCommon(names)) return 'same';
  if (names === 'incomparable') return weak ? 'same' : 'ask';
  return weak ? 'ask' : 'reused';
}

function byEmail(names: NameMatch): Verdict {
  return names === 'missing' || haveInCommon(names) ? 'same' : 'ask';
}

/** All phones of a side. */
export function phonesOf({ phone, further = [] }: Evidence): readonly string[] {
  return phone === null ? further : [phone, ...further];
}

/** Whether what both share is a further phone, and each sends a phone that the other does not have. */
function haveOwnPhones(row: Evidence, other: Evidence): boolean {
  const isOwn = (one: Evidence, of: Evidence) => one.phone !== null && !phonesOf(of).includes(one.phone);
  return isOwn(row, other) && isOwn(other, row);
}

function byWeak(row: Evidence, other: Evidence, names: NameMatch, haveOthers = false): Verdict {
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

/** Whether an address is that of a role, which many people read: info@, office@, sales@. */
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

/** The evidence in one phrase: `same phone; the first names differ, the family names match`. */
export function evidenceText({ equal, names }: Pick<Judgement, 'equal' | 'names'>): string {
  const same = equal.map((name) => equalWords[name]).join(' and ');
  return `same ${same}; ${nameWords[names]}`;
}
