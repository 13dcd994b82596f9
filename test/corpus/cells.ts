import type { CountryCode } from 'libphonenumber-js/max';
import type { Member } from './cast.ts';
import type { Locale } from './locales.ts';
import { canBeWritten, noPhone, type PhoneForm, writePhone } from './phones.ts';
import type { Random } from './random.ts';
import type { Role, Shape } from './shapes.ts';
import { personShares, phoneShares } from './shares.ts';
import type { Wanted } from './truth.ts';

/** What holds for every row of an export. */
export interface Setting {
  readonly random: Random;
  readonly locale: Locale;
  readonly shape: Shape;
  readonly localDates: boolean;
  readonly ownersByName: boolean;
  readonly familyFirst: boolean;
  readonly newPhone: (country: CountryCode) => string;
  readonly newEmail: (name: Member['name']) => string;
}

export interface Written {
  readonly raw: string;
  readonly wanted: Wanted;
}

export const users = [
  { firstName: 'Robin', lastName: 'Agent', email: 'robin.agent@workspace.test' },
  { firstName: 'Kim', lastName: 'Desk', email: 'kim.desk@workspace.test' },
  { firstName: 'Sam', lastName: 'Leader', email: 'sam.leader@workspace.test' },
];
/** People who have left: the workspace does not know them. */
export const formerUsers = [
  { firstName: 'Pat', lastName: 'Former', email: 'pat.former@workspace.test' },
  { firstName: 'Chris', lastName: 'Gone', email: 'chris.gone@workspace.test' },
];

export const stages: Readonly<Record<string, string | null>> = {
  Lead: 'New Lead',
  Customer: 'Customer',
  Prospect: 'Hot Lead',
  'Former customer': null,
};

const tagWords = ['VIP', 'Partner', 'B2B', 'Spring2024', 'Wholesale', 'Event'];
const jobs = ['CEO', 'Buyer', 'Engineer', 'Office', 'Sales', 'Owner'];
const houses = ['Werk', 'Studio', 'Atelier', 'Nova', 'Delta', 'Orbis', 'Vita', 'Terra', 'Luna', 'Forum'];

const nothing: Written = { raw: '', wanted: { as: 'empty' } };

/** The cells of a row by role, but for keys and names, which its list decides. */
export function cellsOf(
  member: Member,
  isAlone: boolean,
  setting: Setting,
): { cells: Map<Role, Written>; cases: string[] } {
  const { random } = setting;
  const cells = new Map<Role, Written>();
  const cases: string[] = [];
  const roles = new Set(setting.shape.columns.map(([, role]) => role));
  const country = countryOf(isAlone, setting, roles, cases);
  cells.set('country', country.written);
  for (const role of roles) {
    const written = details[role]?.(setting, random.chance(personShares.value));
    if (written !== undefined) cells.set(role, written);
  }
  phones(member, isAlone, setting, roles, country, { cells, cases });
  emails(member, setting, roles, { cells, cases });
  return { cells, cases };
}

interface Home {
  readonly written: Written;
  /** Where the row's numbers are from. */
  readonly code: CountryCode;
  /** Whether a number without its country code can be read. */
  readonly isReadable: boolean;
}

function countryOf(
  isAlone: boolean,
  { random, locale }: Setting,
  roles: ReadonlySet<Role>,
  cases: string[],
): Home {
  const home = locale.country;
  if (!roles.has('country')) return { written: nothing, code: home, isReadable: true };
  if (isAlone && random.chance(personShares.unknownCountry)) {
    cases.push('country that is none');
    return {
      written: { raw: 'Atlantis', wanted: { as: 'invalid', what: 'country' } },
      code: home,
      isReadable: false,
    };
  }
  const isForeign = isAlone && random.chance(personShares.foreignCountry);
  const others = Object.keys(locale.countries).filter((each) => each !== home) as CountryCode[];
  const code = isForeign ? random.pick(others) : home;
  if (isForeign) cases.push('another country');
  if (!isForeign && random.chance(0.15)) return { written: nothing, code, isReadable: true };
  const raw = locale.countries[code] ?? code;
  return { written: { raw, wanted: { as: 'country', code } }, code, isReadable: true };
}

interface Found {
  readonly cells: Map<Role, Written>;
  readonly cases: string[];
}

function phones(
  member: Member,
  isAlone: boolean,
  setting: Setting,
  roles: ReadonlySet<Role>,
  home: Home,
  { cells, cases }: Found,
): void {
  const { random, newPhone } = setting;
  const own = member.phone;
  if (own === undefined) {
    if (member.email !== undefined && random.chance(personShares.invalidPhone)) {
      cases.push('invalid phone');
      cells.set('phone', { raw: noPhone(random), wanted: { as: 'invalid', what: 'phone' } });
    }
    return;
  }
  // A number of a row from abroad is from there, unless others have it, too.
  const canMove = isAlone && own.country !== home.code;
  const number = canMove ? newPhone(home.code) : own.number;
  cells.set(
    'phone',
    phoneCell(number, canMove ? home.code : own.country, own.isShared, isAlone, home, setting, cases),
  );
  for (const [role, share] of [
    ['phone2', personShares.secondPhone],
    ['phone3', personShares.thirdPhone],
  ] as const) {
    if (!roles.has(role) || !random.chance(share)) continue;
    cases.push('second phone');
    cells.set(role, phoneCell(newPhone(home.code), home.code, undefined, true, home, setting, cases));
  }
}

function phoneCell(
  number: string,
  country: CountryCode,
  isShared: true | undefined,
  isAlone: boolean,
  home: Home,
  setting: Setting,
  cases: string[],
): Written {
  const { random, newPhone, locale } = setting;
  const form = formFor(country, isAlone, home, setting);
  const shared = isShared && { isShared };
  const others = Object.keys(locale.countries).filter((each) => each !== locale.country) as CountryCode[];
  const dialled =
    form === 'foreign'
      ? newPhone(random.pick(others))
      : form === 'fromNorthAmerica'
        ? newPhone('GB')
        : number;
  const written = writePhone(dialled, form, () => newPhone(country), random);
  if (form !== 'e164' && form !== 'international') cases.push(`phone: ${form}`);
  const isNational =
    ['national', 'lostZero'].includes(form) || (form === 'apostrophe' && !written.raw.includes('+'));
  if (isNational && !home.isReadable) return { raw: written.raw, wanted: { as: 'invalid', what: 'phone' } };
  return { raw: written.raw, wanted: { as: 'phone', numbers: written.numbers, ...shared } };
}

function formFor(country: CountryCode, isAlone: boolean, home: Home, { random, locale }: Setting): PhoneForm {
  for (;;) {
    const form = random.weighted(phoneShares);
    if (!canBeWritten(form, country)) continue;
    const isOther = form === 'foreign' || form === 'fromNorthAmerica' || form === 'twoNumbers';
    if (isOther && !isAlone) continue;
    if (form === 'fromNorthAmerica' && (locale.country !== 'US' || home.code !== 'US' || !home.isReadable))
      continue;
    const isNational = form === 'national' || form === 'lostZero' || form === 'apostrophe';
    if (isNational && country !== home.code) continue;
    return form;
  }
}

function emails(
  member: Member,
  { random, newEmail }: Setting,
  roles: ReadonlySet<Role>,
  { cells, cases }: Found,
): void {
  const own = member.email;
  if (own !== undefined) {
    const { address, isShared } = own;
    const wanted: Wanted = { as: 'email', address, ...(isShared && { isShared }) };
    const isDressed = !isShared && random.chance(personShares.dressedEmail);
    if (isDressed) cases.push('dressed e-mail');
    const raw = isDressed ? dressed(address, random) : random.chance(0.04) ? address.toUpperCase() : address;
    cells.set('email', { raw, wanted });
  } else if (
    member.phone !== undefined &&
    member.repeatsDetails !== true &&
    random.chance(personShares.invalidEmail * 5)
  ) {
    cases.push('invalid e-mail');
    cells.set('email', { raw: 'nobody at example.com', wanted: { as: 'invalid', what: 'email' } });
  }
  if (own === undefined || !roles.has('email2') || !random.chance(personShares.secondEmail)) return;
  cases.push('second e-mail');
  const address = newEmail(member.name);
  cells.set('email2', { raw: address, wanted: { as: 'email', address } });
}

function dressed(address: string, random: Random): string {
  return random.pick([`mailto:${address}`, `<${address}>`, `${address}.`, ` ${address} `]);
}

type Detail = (setting: Setting, isThere: boolean) => Written;

const plainValue = (raw: string): Written => ({ raw, wanted: { as: 'value', accepted: [raw] } });

/** What a column holds that says nothing of who it is about. */
const details: { readonly [R in Role]?: Detail } = {
  company: ({ random }, isThere) =>
    isThere ? plainValue(`${random.pick(houses)} ${random.int(10, 99)} & Co`) : nothing,
  job: ({ random }, isThere) => (isThere ? plainValue(random.pick(jobs)) : nothing),
  city: ({ random, locale }, isThere) => (isThere ? plainValue(random.pick(locale.cities)) : nothing),
  sector: ({ random, locale }, isThere) => (isThere ? plainValue(random.pick(locale.sectors)) : nothing),
  code: ({ random }) => plainValue(`C-${random.int(10_000, 99_999)}-${random.int(100, 999)}`),
  language: ({ locale }) => ({ raw: locale.language, wanted: { as: 'language', code: locale.language } }),
  owner: (setting, isThere) => (isThere ? ownerOf(setting) : nothing),
  stage: ({ random }) => {
    const raw = random.pick(Object.keys(stages));
    return { raw, wanted: { as: 'stage', name: stages[raw] ?? null } };
  },
  tags: tagsOf,
  note: (setting) => (setting.random.chance(personShares.note) ? noteOf(setting) : nothing),
  birthday: (setting, isThere) => (isThere ? dateOf(setting, 1950, 2004, '') : nothing),
  created: (setting) => dateOf(setting, 2014, 2024, setting.shape.time),
  amount: (setting, isThere) => (isThere ? amountOf(setting) : nothing),
  optIn: ({ random, locale, localDates }) => {
    const checked = random.chance(0.6);
    const raw = (localDates ? locale.checked : (['true', 'false'] as const))[checked ? 0 : 1];
    return { raw, wanted: { as: 'checkbox', checked, raw } };
  },
  constant: () => ({ raw: '0', wanted: { as: 'technical' } }),
  otherId: ({ random }) => ({
    raw: `005D${random.int(100, 999)}${random.int(1_000_000, 9_999_999)}AAA`,
    wanted: { as: 'technical' },
  }),
};

function tagsOf({ random, shape }: Setting): Written {
  if (!random.chance(0.5)) return nothing;
  const names = random.shuffled(tagWords).slice(0, random.int(1, 3));
  const raw = names.join(shape.tags);
  return { raw: shape.tags === '","' ? `"${raw}"` : raw, wanted: { as: 'tags', names } };
}

/** A user of the workspace, or a person who has left. */
export function ownerOf({ random, ownersByName }: Pick<Setting, 'random' | 'ownersByName'>): Written {
  const isFormer = random.chance(personShares.unknownOwner);
  const user = random.pick(isFormer ? formerUsers : users);
  const raw = ownersByName ? `${user.firstName} ${user.lastName}` : user.email;
  return { raw, wanted: { as: 'owner', email: isFormer ? undefined : user.email } };
}

export function noteText({ random, locale }: Pick<Setting, 'random' | 'locale'>): string {
  const text = `${locale.note} (${random.int(100, 999)}-${random.int(100, 999)})`;
  if (random.chance(personShares.longNote))
    return Array.from({ length: 40 }, (_, at) => `${at + 1}. ${text}`).join(' ');
  return random.chance(personShares.multilineNote) ? `${text}\n${locale.note}` : text;
}

function noteOf(setting: Setting): Written {
  const text = noteText(setting);
  return { raw: text, wanted: { as: 'comment', text } };
}

function dateOf({ random, locale, localDates }: Setting, least: number, most: number, time: string): Written {
  const year = String(random.int(least, most));
  const month = String(random.int(1, 12)).padStart(2, '0');
  const isInvalid = random.chance(personShares.invalidDate) && time === '';
  const day = isInvalid ? '32' : String(random.int(1, 28)).padStart(2, '0');
  const raw = localDates ? locale.date(year, month, day) : `${year}-${month}-${day}${time}`;
  if (isInvalid) return { raw, wanted: { as: 'invalid', what: 'value' } };
  return { raw, wanted: { as: 'value', accepted: [`${year}-${month}-${day}`, raw] } };
}

function amountOf({ random, locale, localDates }: Setting): Written {
  const whole = random.int(1, 99_999);
  const cents = random.int(0, 99);
  const plain = `${whole}.${String(cents).padStart(2, '0')}`;
  const grouped = String(whole).replace(/\B(?=(?:\d{3})+$)/g, locale.thousands);
  const raw = localDates ? `${grouped}${locale.decimal}${String(cents).padStart(2, '0')}` : plain;
  return { raw, wanted: { as: 'value', accepted: [String(Number(plain)), raw] } };
}

/** The names of a row in the columns of its list. */
export function nameCells(
  { name: { first, last } }: Member,
  { random, locale, familyFirst }: Setting,
): Map<Role, Written> {
  const wanted: Wanted = first === '' && last === '' ? { as: 'empty' } : { as: 'name' };
  const title = first !== '' && random.chance(personShares.title) ? 'Dr. ' : '';
  const separator = locale.language === 'ja' ? '　' : ' ';
  const forwards = locale.language === 'ja' ? [last, first] : [first, last];
  const full =
    familyFirst && last !== '' && first !== ''
      ? `${last}, ${first}`
      : `${title}${forwards.filter((part) => part !== '').join(separator)}`;
  return new Map([
    ['first', { raw: first, wanted }],
    ['last', { raw: last, wanted }],
    ['full', { raw: full, wanted }],
  ]);
}
