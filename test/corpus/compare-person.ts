import type { Difference } from './compare.ts';
import type { Listings } from './listings.ts';
import { identifiersOf } from './match.ts';
import type { TrueCell, TruePerson, TrueRow, Truth, Wanted } from './truth.ts';
import type { Contact } from './workspace-state.ts';

export type DifferenceKind =
  | 'second phone'
  | 'second e-mail'
  | 'shared phone or e-mail'
  | 'phone lost'
  | 'e-mail lost'
  | 'invented number'
  | 'invented country'
  | 'invalid value'
  | 'placeholder imported'
  | 'person missing'
  | 'person overwritten'
  | 'contact overwritten'
  | 'people merged'
  | 'doubled person'
  | 'invented contact'
  | 'name wrong'
  | 'value wrong'
  | 'value lost'
  | 'value of a merged row'
  | 'country lost'
  | 'stage lost'
  | 'owner lost'
  | 'owner unknown'
  | 'tag lost'
  | 'comment lost'
  | 'column left out'
  | 'orphan'
  | 'wrong sheet';

export interface Around {
  readonly truth: Truth;
  readonly listings: Listings;
  /** The custom fields that a column of a list goes into. */
  readonly fields: (column: string, list: string) => readonly string[];
  readonly holders: readonly Contact[];
  /** Who answered the draft's questions said of a word of a list that it is no country. */
  readonly isNoCountry: (word: string, list: string) => boolean;
  /** The draft says of a column of a list that it is left out. */
  readonly leftOut: (column: string, list: string) => boolean;
}

interface Here extends Around {
  readonly person: TruePerson;
  readonly contact: Contact;
}

type Found = Omit<Difference, 'person'>;

/** Everything in which the contact of a person differs from the truth. */
export function personDifferences(person: TruePerson, contact: Contact, around: Around): readonly Found[] {
  const here = { ...around, person, contact };
  const cells = person.rows.flatMap((row) => row.cells.map((cell) => ({ row, cell })));
  return [
    ...nameDifferences(here),
    ...inventedDifferences(here),
    ...oncePerRow(cells.flatMap(({ row, cell }) => cellDifferences(row, cell, here))),
    ...person.rows.flatMap((row) => joinedDifferences(row, here)),
  ];
}

/** What is left out of a row that another one of the same person has is one difference, listed where all of it is. */
function oncePerRow(found: readonly Found[]): readonly Found[] {
  const merged = found.filter(({ kind }) => kind === 'value of a merged row');
  const [first] = merged;
  if (first === undefined) return found;
  const worst = merged.find(({ listedIn }) => listedIn === undefined) ?? first;
  const others = found.filter(({ kind }) => kind !== 'value of a merged row');
  return [...others, { ...worst, detail: `${merged.length} values, such as ${worst.detail}` }];
}

function joinedDifferences(row: TrueRow, here: Here): Found[] {
  return row.joined.flatMap(({ id, text, table }) => {
    if (hasComment(text, here.contact)) return [];
    const listedIn =
      here.listings.findText(id) ?? here.listings.find(row, [`${table}:${id}`, 'comments.existing']);
    return [
      { kind: 'comment lost' as const, detail: `${table} ${id}`, listedIn, isDue: isToKnown(row, here) },
    ];
  });
}

/** Contacts that were there get no comments unless the mapping says so, and the run lists these. */
function isToKnown(row: TrueRow, { listings, truth, person }: Here): boolean {
  const known = listings.accountOf(row)?.outcome === 'updated';
  return person.contactId !== undefined || (known && truth.contacts.length > 0);
}

const spaced = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const words = (text: string) =>
  spaced(text)
    .replace(/^Dr\. /, '')
    .split(' ')
    .sort()
    .join(' ');

function nameDifferences({ person, contact, listings, truth }: Here): Found[] {
  const named = person.rows.filter(({ first, last }) => first + last !== '');
  const [row] = named;
  if (row === undefined) return [];
  const full = person.rows.some(({ cells }) =>
    cells.some(({ wanted, raw }) => wanted.as === 'name' && /\s/u.test(raw)),
  );
  const own = { first: spaced(contact.firstName ?? ''), last: spaced(contact.lastName ?? '') };
  const firsts = named.map(({ first }) => spaced(first));
  const lasts = person.rows.map(({ last }) => spaced(last));
  const isInitial = (name: string) => /^\p{L}\.$/u.test(name);
  const isFullLost = isInitial(own.first) && firsts.some((first) => first !== '' && !isInitial(first));
  const isExact =
    !isFullLost &&
    firsts.includes(own.first) &&
    (lasts.includes(own.last) || (own.last === '' && named.every(({ last }) => last === '')));
  const isWhole =
    full && named.some(({ first, last }) => words(`${first} ${last}`) === words(`${own.first} ${own.last}`));
  if (isExact || isWhole || truth.placeholders.includes(own.last)) return [];
  const isFromFile = named.length === 1 && row.last === '' && firsts.includes(own.first);
  if (isFromFile) return [];
  const detail = `${own.first}|${own.last} instead of ${row.first}|${row.last}`;
  return [
    { kind: 'name wrong', detail, listedIn: listings.find(row, ['firstname', 'lastname']), isDue: false },
  ];
}

/** Identifiers that no row of the person has, and placeholders. */
function inventedDifferences({ person, contact, truth, listings }: Here): Found[] {
  const { emails, phones } = identifiersOf(person.rows);
  const [row] = person.rows;
  const found: Found[] = [];
  const put = (kind: DifferenceKind, detail: string) =>
    found.push({ kind, detail, listedIn: row && listings.find(row, [detail]), isDue: false });
  if (contact.email !== null && !emails.has(contact.email.toLowerCase()))
    put('value wrong', `e-mail ${contact.email}`);
  if (contact.phone !== null && !phones.has(contact.phone)) {
    const unread = person.rows.some(({ cells }) =>
      cells.some(({ wanted }) => wanted.as === 'invalid' && wanted.what === 'phone'),
    );
    const raws = person.rows.flatMap(({ cells }) =>
      cells.flatMap(({ raw, wanted }) => (wanted.as === 'phone' || wanted.as === 'invalid' ? [raw] : [])),
    );
    put(unread ? 'invented country' : 'invented number', `phone ${contact.phone} of ${raws.join(' + ')}`);
  }
  const values = [
    contact.firstName,
    contact.lastName,
    contact.email,
    contact.phone,
    ...Object.values(contact.custom),
    ...contact.comments,
    ...contact.tags,
  ];
  for (const value of values)
    if (value !== null && truth.placeholders.includes(value.trim())) put('placeholder imported', value);
  const codes = person.rows.flatMap(({ cells }) =>
    cells.flatMap(({ wanted }) => (wanted.as === 'country' ? [wanted.code] : [])),
  );
  if (contact.countryCode !== null && codes.length > 0 && !codes.includes(contact.countryCode))
    put('value wrong', `country ${contact.countryCode} instead of ${codes.join(', ')}`);
  return found;
}

function cellDifferences(row: TrueRow, cell: TrueCell, here: Here): Found[] {
  const { wanted } = cell;
  switch (wanted.as) {
    case 'phone':
      return wanted.numbers.flatMap((number) =>
        phoneDifference(row, cell, number, wanted.isShared === true, here),
      );
    case 'email':
      return emailDifference(row, cell, wanted, here);
    case 'value':
    case 'checkbox':
      return valueDifference(row, cell, wanted, here);
    case 'country':
      return here.contact.countryCode !== null || hasRaw(cell, here)
        ? []
        : [lost('country lost', row, cell, ['country'], here)];
    case 'language':
      return here.contact.language === wanted.code || hasRaw(cell, here)
        ? []
        : [lost('value lost', row, cell, ['language'], here)];
    case 'owner':
      return ownerDifference(row, cell, wanted.email, here);
    case 'stage':
      return wanted.name === null || here.contact.lifecycle === wanted.name || hasRaw(cell, here)
        ? []
        : [lost('stage lost', row, cell, ['lifecycle'], here, isOfAnother(here, row, 'stage'))];
    case 'tags':
      return tagDifferences(row, cell, wanted.names, here);
    case 'comment':
      return hasComment(wanted.text, here.contact) || hasRaw(cell, here)
        ? []
        : [lost('comment lost', row, cell, ['comment', 'note'], here, isToKnown(row, here))];
    case 'invalid':
      return invalidDifference(row, cell, here);
    default:
      return [];
  }
}

function lost(
  kind: DifferenceKind,
  row: TrueRow,
  cell: TrueCell,
  fields: readonly string[],
  here: Here,
  isDue = false,
): Found {
  const listedIn = here.listings.find(row, [
    cell.raw.trim(),
    cell.column,
    ...fields,
    ...here.fields(cell.column, row.list),
  ]);
  const isLeftOut = listedIn === undefined && here.leftOut(cell.column, row.list);
  return {
    kind,
    detail: `${row.list}:${row.line} ${cell.column} = ${JSON.stringify(cell.raw)}`,
    listedIn: isLeftOut ? 'Left out' : listedIn,
    isDue,
  };
}

/** A custom field has the cell as it is written. */
/** An apostrophe that guards a value in a spreadsheet is not part of it. */
function hasRaw({ raw }: TrueCell, { contact }: Here): boolean {
  const same = [spaced(raw), spaced(raw).replace(/^'(?=[-+=@\d])/, '')];
  return Object.values(contact.custom).some((value) => same.includes(spaced(value)));
}

/** Of several rows of one person the value of another one stays. */
function isOfAnother({ person }: Here, row: TrueRow, as: Wanted['as']): boolean {
  return person.rows.some((other) => other !== row && other.cells.some(({ wanted }) => wanted.as === as));
}

const digits = (text: string) => text.replace(/\D/g, '');

function phoneDifference(
  row: TrueRow,
  cell: TrueCell,
  number: string,
  isShared: boolean,
  here: Here,
): Found[] {
  const { contact, person, holders } = here;
  const raw = spaced(cell.raw);
  const end = digits(number).slice(-8);
  const isHeld =
    contact.phone === number ||
    Object.values(contact.custom).some((value) => digits(value).endsWith(end) || spaced(value).includes(raw));
  if (isHeld) return [];
  const isElsewhere = isShared && holders.some(({ phone }) => phone === number);
  if (isElsewhere) return [lost('shared phone or e-mail', row, cell, ['phone'], here, true)];
  const isMerged = person.rows.length > 1 && contact.phone !== null;
  // Of a cell with two numbers the first is taken.
  const isSecond = cell.wanted.as === 'phone' && cell.wanted.numbers[0] !== number;
  const found = lost(
    contact.phone === null ? 'phone lost' : 'second phone',
    row,
    cell,
    [number],
    here,
    isMerged || isSecond,
  );
  return [{ ...found, detail: `${found.detail} (${number})` }];
}

function emailDifference(
  row: TrueRow,
  cell: TrueCell,
  wanted: Wanted & { as: 'email' },
  here: Here,
): Found[] {
  const { contact, person, holders } = here;
  const { address, isShared } = wanted;
  const isHeld =
    contact.email?.toLowerCase() === address ||
    Object.values(contact.custom).some((value) => value.toLowerCase().includes(address));
  if (isHeld) return [];
  if (isShared && holders.some(({ email }) => email?.toLowerCase() === address))
    return [lost('shared phone or e-mail', row, cell, ['email'], here, true)];
  const isMerged = person.rows.length > 1 && contact.email !== null;
  return [
    lost(contact.email === null ? 'e-mail lost' : 'second e-mail', row, cell, [address], here, isMerged),
  ];
}

function isAccepted(value: string, wanted: Wanted): boolean {
  const text = spaced(value);
  if (wanted.as === 'checkbox') return text === String(wanted.checked) || text === wanted.raw;
  if (wanted.as !== 'value') return false;
  return wanted.accepted.some(
    (each) =>
      spaced(each) === text ||
      (/^-?\d+(?:\.\d+)?$/.test(each) && each === String(Number(text))) ||
      (/^\d{4}-\d{2}-\d{2}$/.test(each) && text.startsWith(each)),
  );
}

function valueDifference(row: TrueRow, cell: TrueCell, wanted: Wanted, here: Here): Found[] {
  const { contact, person, fields } = here;
  const names = fields(cell.column, row.list);
  const own = Object.entries(contact.custom).flatMap(([field, value]) =>
    names.some((name) => field === name || field.startsWith(`${name} of `)) ? [value] : [],
  );
  const values = own.length > 0 ? own : Object.values(contact.custom);
  if (values.some((value) => isAccepted(value, wanted))) return [];
  const others = person.rows.flatMap((other) =>
    other === row ? [] : other.cells.filter(({ column }) => column === cell.column),
  );
  if (others.some((other) => values.some((value) => isAccepted(value, other.wanted))))
    return [lost('value of a merged row', row, cell, [], here, true)];
  const found = lost(own.length > 0 ? 'value wrong' : 'value lost', row, cell, [], here);
  return [{ ...found, detail: `${found.detail}${own.length > 0 ? ` is ${own.join(', ')}` : ''}` }];
}

function ownerDifference(row: TrueRow, cell: TrueCell, email: string | undefined, here: Here): Found[] {
  const { contact } = here;
  if (hasRaw(cell, here)) return [];
  if (email === undefined) return [lost('owner unknown', row, cell, ['assignee'], here, true)];
  if (contact.assignee === email) return [];
  return [lost('owner lost', row, cell, ['assignee'], here, isOfAnother(here, row, 'owner'))];
}

function tagDifferences(row: TrueRow, cell: TrueCell, names: readonly string[], here: Here): Found[] {
  const { contact, listings } = here;
  const held = new Set([...contact.tags, ...listings.tagsOf(contact.id)].map((name) => name.toLowerCase()));
  return names.every((name) => held.has(name.toLowerCase())) || hasRaw(cell, here)
    ? []
    : [lost('tag lost', row, cell, ['tags'], here)];
}

/** All of the text, in one comment or cut into numbered parts. */
function hasComment(text: string, { comments }: Contact): boolean {
  const bare = (each: string) => each.replace(/^\(\d+\/\d+\)/, '').replace(/\s+/g, '');
  return comments.map(bare).join('').includes(bare(text));
}

function invalidDifference(row: TrueRow, cell: TrueCell, here: Here): Found[] {
  const { wanted } = cell;
  if (wanted.as !== 'invalid' || hasRaw(cell, here)) return [];
  if (wanted.what === 'country' && here.isNoCountry(cell.raw.trim(), row.list)) return [];
  // An invented number is a difference of its own.
  const isInvented =
    wanted.what === 'phone' && digits(here.contact.phone ?? '').endsWith(digits(cell.raw).slice(-8));
  if (isInvented && here.contact.phone !== null) return [];
  const field = { phone: 'phone', email: 'email', country: 'country', value: cell.column.toLowerCase() }[
    wanted.what
  ];
  return [lost('invalid value', row, cell, [field], here, true)];
}
