import { type Value, workbook } from '../sources/builders/xlsx.ts';
import { castOf, type Group, groupsOf, type Member } from './cast.ts';
import { cellsOf, nameCells, type Setting, stages, users, type Written } from './cells.ts';
import { type Owned, tablesBeside, userIds } from './folder.ts';
import { type Locale, type LocaleName, locales } from './locales.ts';
import { type Random, randomOf } from './random.ts';
import { type Role, type ShapeName, shapeOf } from './shapes.ts';
import {
  encodingShares,
  exportTraits,
  layoutShares,
  localeShares,
  placeholderShare,
  shapeShares,
  typedCellsShare,
} from './shares.ts';
import { delimited, type Encoding, encoded } from './text-file.ts';
import type {
  AskedPair,
  Export,
  Knowledge,
  KnownContact,
  Orphan,
  Part,
  TrueCell,
  TruePerson,
  TrueRow,
  Truth,
} from './truth.ts';

type Traits = Readonly<Record<keyof typeof exportTraits, boolean>>;

/** A row that is not yet at a line of its list. */
interface Pending {
  readonly group: Group;
  readonly person: number;
  readonly key: string;
  readonly first: string;
  readonly last: string;
  readonly cells: Map<Role, Written>;
  readonly cases: readonly string[];
}

interface Plan {
  readonly seed: number;
  readonly random: Random;
  readonly shapeName: ShapeName;
  readonly localeName: LocaleName;
  readonly locale: Locale;
  readonly traits: Traits;
  readonly twoLists: boolean;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly setting: Setting;
  readonly cast: ReturnType<typeof castOf>;
  readonly placeholders: readonly string[];
  readonly placeholderRoles: ReadonlySet<Role>;
  readonly addressesBeside: boolean;
}

/** An export of a CRM whose truth is known; the same for the same seed, always. */
export function generate(seed: number): Export {
  const plan = planOf(seed);
  const { random, twoLists, shapeName, traits, setting, cast } = plan;
  const lists = twoLists ? 2 : 1;
  const people = random.int(20, 120);
  const groups = Array.from({ length: lists }, () =>
    random.shuffled(
      groupsOf(cast, Math.ceil(people / lists), {
        // The tables of a database repeat no key.
        keys: setting.shape.key !== 'none' && shapeName !== 'folder',
        contacts: traits.existingContacts,
        switchboard: traits.switchboard,
      }),
    ),
  );
  const pending = groups.map((each, list) => pendingRows(each, list, plan));
  if (shapeName === 'folder') return folderExport(plan, groups, pending);
  return shapeName === 'workbook' ? workbookExport(plan, groups, pending) : textExport(plan, groups, pending);
}

function planOf(seed: number): Plan {
  const random = randomOf(seed);
  const shapeName = random.weighted(shapeShares);
  const localeName = random.weighted(localeShares);
  const locale: Locale = locales[localeName];
  const drawn = Object.fromEntries(
    Object.entries(exportTraits).map(([name, share]) => [name, random.chance(share)]),
  ) as Traits;
  const cast = castOf(random, locale);
  const shape = shapeOf(shapeName, locale, { keyless: drawn.keyless, oneName: drawn.oneNameColumn });
  const isText = shapeName !== 'folder' && shapeName !== 'workbook';
  const picked = random.weighted(encodingShares);
  const encoding = picked === 'windows1252' && !locale.western ? 'utf8Bom' : picked;
  const hasFull = shape.columns.some(([, role]) => role === 'full');
  return {
    ...{ seed, random, shapeName, localeName, locale, traits: drawn, encoding, cast },
    twoLists: shapeName !== 'folder' && random.weighted(layoutShares) === 'twoLists',
    delimiter: isText
      ? encoding === 'utf16' && random.chance(0.6)
        ? '\t'
        : random.chance(0.75)
          ? locale.delimiter
          : ','
      : ',',
    setting: {
      ...{ random, locale, shape, newPhone: cast.newPhone, newEmail: cast.newEmail },
      localDates: drawn.localDates || shapeName === 'workbook',
      ownersByName: drawn.ownersByName,
      familyFirst: hasFull && drawn.familyFirst,
    },
    placeholders: drawn.placeholders
      ? random.shuffled(['N/A', '-', 'NULL', '#N/A', 'n/a']).slice(0, random.chance(0.7) ? 1 : 2)
      : [],
    placeholderRoles: new Set(
      random
        .shuffled<Role>([
          'phone2',
          'email',
          'company',
          'city',
          'birthday',
          'amount',
          'sector',
          'last',
          'job',
          'note',
          'phone',
        ])
        .slice(0, 5),
    ),
    addressesBeside: shapeName === 'folder' && random.chance(0.5),
  };
}

function pendingRows(groups: readonly Group[], list: number, plan: Plan): Pending[] {
  const { random, twoLists } = plan;
  const before = twoLists || random.chance(0.5) ? 0 : random.int(1_000, 90_000);
  let number = before;
  const rows = groups.flatMap((group) => {
    const earlier: Pending[] = [];
    return group.members.map((member) => {
      number += 1;
      const row = pendingRow(group, member, earlier, keyOf(number, list, plan), plan);
      earlier.push(row);
      return row;
    });
  });
  // The rows of one person are seldom beside each other.
  return random.chance(0.5) ? rows : random.shuffled(rows);
}

function pendingRow(
  group: Group,
  drawn: Member,
  earlier: readonly Pending[],
  ownKey: string,
  plan: Plan,
): Pending {
  const { setting, placeholders } = plan;
  const [first] = earlier;
  // One word in a column of whole names could be either name, and a phone alone would then be all that is equal.
  const isHalf =
    group.kind === 'duplicateByPhone' && setting.shape.columns.some(([, role]) => role === 'full');
  const member =
    isHalf && drawn.name.last === '' ? { ...drawn, name: { ...drawn.name, last: first?.last ?? '' } } : drawn;
  const isAlone = group.members.length === 1 && group.contact === undefined;
  const { cells, cases } = cellsOf(member, isAlone, setting);
  if (member.repeatsDetails === true && first !== undefined) {
    for (const [role, written] of first.cells) if (isDetail(role)) cells.set(role, written);
  }
  for (const [role, written] of nameCells(member, setting)) cells.set(role, written);
  // A person is born once; where the table asks, another date of birth would answer.
  const born = earlier.find(({ person }) => person === member.person || group.asked !== undefined);
  const birthday = born?.cells.get('birthday');
  if (birthday !== undefined) cells.set('birthday', birthday);
  const key = member.repeatsKey === true && first !== undefined ? first.key : ownKey;
  const hasPlaceholder = placeholders.length > 0 && putPlaceholders(cells, plan);
  const { first: firstName, last } = member.name;
  const all = hasPlaceholder ? [...cases, 'placeholder'] : cases;
  return { group, person: member.person, key, first: firstName, last, cells, cases: all };
}

function isDetail(role: Role): boolean {
  return ![
    'first',
    'last',
    'full',
    'email',
    'email2',
    'phone',
    'phone2',
    'phone3',
    'key',
    'country',
  ].includes(role);
}

function keyOf(number: number, list: number, { shapeName, setting }: Plan): string {
  if (setting.shape.key !== 'long') return String(number);
  const padded = String(number).padStart(7, '0');
  if (shapeName === 'dynamics')
    return `7d2f0${list}a1-${padded.slice(-4)}-ee11-9${padded.slice(0, 3)}-000d3a${padded.slice(1)}`;
  if (shapeName === 'zoho') return `zcrm_48768${list}${padded}`;
  return shapeName === 'folder' ? `c0${list}e-${padded}` : `0035${list}00${padded}AAA`;
}

/** Puts placeholders into empty cells, and says whether there is one now. */
function putPlaceholders(
  cells: Map<Role, Written>,
  { random, placeholders, placeholderRoles, setting }: Plan,
): boolean {
  let isPut = false;
  for (const [, role] of setting.shape.columns) {
    const isEmpty = (cells.get(role)?.raw ?? '') === '';
    if (!placeholderRoles.has(role) || !isEmpty || !random.chance(placeholderShare)) continue;
    cells.set(role, { raw: random.pick(placeholders), wanted: { as: 'placeholder' } });
    isPut = true;
  }
  return isPut;
}

type Headers = readonly (readonly [header: string, role: Role])[];

/** The cells of a row in the order of the columns. */
function written(row: Pending, headers: Headers): string[] {
  return headers.map(([, role]) => (role === 'key' ? row.key : (row.cells.get(role)?.raw ?? '')));
}

function trueRow(
  row: Pending,
  headers: Headers,
  list: string,
  line: number,
  joined: TrueRow['joined'] = [],
): TrueRow {
  const cells = headers.flatMap(([column, role]): TrueCell[] => {
    if (role === 'key') return [{ column, raw: row.key, wanted: { as: 'key' } }];
    const cell = row.cells.get(role);
    return cell === undefined || cell.raw === '' ? [] : [{ column, ...cell }];
  });
  const hasKey = headers.some(([, role]) => role === 'key');
  return { list, line, key: hasKey ? row.key : undefined, first: row.first, last: row.last, cells, joined };
}

/** The rows above the header and below the last row, as people who print their lists leave them. */
function around({ traits, locale, random }: Plan, headers: Headers, rows: number) {
  const above = traits.titleRows ? [[locale.title], ...(random.chance(0.5) ? [['']] : [])] : [];
  const amount = headers.findIndex(([, role]) => role === 'amount');
  const total = headers.map((_, at) => (at === 0 ? locale.total : at === amount ? '123456' : ''));
  if (amount < 0) total[1] = String(rows);
  return { above, below: traits.totalsRow ? [total] : [] };
}

function textExport(plan: Plan, groups: Group[][], pending: readonly Pending[][]): Export {
  const { shapeName, setting, delimiter } = plan;
  const headers = setting.shape.columns;
  const files: Record<string, Buffer> = {};
  const parts: Part[] = [];
  const placed = new Map<Pending, TrueRow>();
  let { encoding } = plan;
  for (const [at, rows] of pending.entries()) {
    const path =
      pending.length === 1 ? `${shapeName}-export.csv` : `${at === 0 ? 'north' : 'south'}/contacts.csv`;
    const { above, below } = around(plan, headers, rows.length);
    const cells = [
      ...above,
      headers.map(([header]) => header),
      ...rows.map((row) => written(row, headers)),
      ...below,
    ];
    const { text, lines } = delimited(cells, delimiter, plan.random.chance(0.5) ? '\r\n' : '\n');
    const bytes = encoded(text, encoding);
    if (bytes === undefined) encoding = 'utf8Bom';
    files[path] = bytes ?? Buffer.from(`\ufeff${text}`);
    rows.forEach((row, index) => {
      placed.set(row, trueRow(row, headers, path, lines[above.length + 1 + index] ?? 0));
    });
    parts.push({
      path,
      system: `${shapeName}${at === 0 ? '' : '-south'}`,
      sheets: [],
      others: [],
      knows: knowledge(plan),
    });
  }
  return exportOf({ ...plan, encoding }, groups, files, parts, placed, []);
}

function workbookExport(plan: Plan, groups: Group[][], pending: readonly Pending[][]): Export {
  const { setting, locale, random } = plan;
  const headers = setting.shape.columns;
  const [cover, ...names] = locale.sheets;
  const placed = new Map<Pending, TrueRow>();
  const sheets: Record<string, Value[][]> = {};
  const isTyped = random.chance(typedCellsShare);
  if (random.chance(0.6))
    sheets[cover] = [[locale.title], [null], [locale.headers.owner, 'Robin Agent'], ['Version', 3]];
  for (const [at, rows] of pending.entries()) {
    const sheet = names[at] ?? 'Sheet';
    const { above, below } = around(plan, headers, rows.length);
    const cells = [
      ...above,
      headers.map(([header]) => header),
      ...rows.map((row) => written(row, headers)),
      ...below,
    ];
    const bare = cells.map((row) => row.map((cell): Value => (cell === '' ? null : cell)));
    rows.forEach((row, index) => {
      if (isTyped) typeCells(bare[above.length + 1 + index] ?? [], row, headers);
      placed.set(row, trueRow(row, headers, sheet, above.length + 2 + index));
    });
    sheets[sheet] = bare;
  }
  const path = 'export.xlsx';
  const used = names.slice(0, pending.length);
  const parts = [
    {
      path,
      system: 'workbook',
      sheets: used,
      others: Object.keys(sheets).filter((name) => !used.includes(name)),
      knows: knowledge(plan),
    },
  ];
  return exportOf(plan, groups, { [path]: workbook({ sheets, styles: [14] }) }, parts, placed, []);
}

/** Days and amounts as a spreadsheet keeps them: numbers, and what shows them as a day is the style. */
function typeCells(cells: Value[], { cells: own }: Pending, headers: Headers): void {
  for (const [at, [, role]] of headers.entries()) {
    const wanted = own.get(role)?.wanted;
    if (wanted?.as !== 'value') continue;
    const [accepted = ''] = wanted.accepted;
    if (role === 'amount') cells[at] = Number(accepted);
    if (role === 'birthday')
      cells[at] = { xml: `<c s="1"><v>${Date.parse(accepted) / 86_400_000 + 25_569}</v></c>` };
  }
}

function folderExport(plan: Plan, groups: Group[][], pending: readonly Pending[][]): Export {
  const { setting, addressesBeside } = plan;
  const rows = pending[0] ?? [];
  const accounts = new Map<string, string>();
  for (const { cells } of rows) {
    const name = cells.get('company')?.raw ?? '';
    if (name !== '' && !plan.placeholders.includes(name) && !accounts.has(name))
      accounts.set(name, `a-${200 + accounts.size}`);
  }
  if (accounts.size === 0) accounts.set('Orbis & Co', 'a-200');
  const headers: Headers = addressesBeside
    ? setting.shape.columns
    : [...setting.shape.columns, ['email', 'email'], ['secondaryemail', 'email2']];
  const cellOf = (row: Pending, role: Role, raw: string) => {
    if (role === 'company') return accounts.get(raw) ?? '';
    if (role === 'owner') {
      const wanted = row.cells.get('owner')?.wanted;
      return wanted?.as === 'owner' ? (userIds.get(wanted.email ?? '') ?? 'u-15') : '';
    }
    return raw;
  };
  const cells = rows.map((row) =>
    written(row, headers).map((raw, at) => cellOf(row, headers[at]?.[1] ?? 'empty', raw)),
  );
  const { text, lines } = delimited([headers.map(([header]) => header), ...cells], ',', '\n');
  const owned = rows.map(
    ({ key, cells: own }): Owned => ({
      id: key,
      emails: (['email', 'email2'] as const).flatMap((role) => {
        const cell = own.get(role);
        return cell === undefined || cell.raw === '' || cell.wanted.as === 'placeholder' ? [] : [cell.raw];
      }),
    }),
  );
  const distinct = [...new Map(owned.map((each) => [each.id, each])).values()];
  const beside = tablesBeside(distinct, accounts, addressesBeside, setting);
  const all: Headers = addressesBeside
    ? [...headers, ['email_address', 'email'], ['email_address', 'email2']]
    : headers;
  const placed = new Map<Pending, TrueRow>();
  const seen = new Set<string>();
  rows.forEach((row, at) => {
    const joined = seen.has(row.key) ? [] : (beside.joined.get(row.key) ?? []);
    seen.add(row.key);
    placed.set(row, trueRow(row, all, 'contacts', lines[at + 1] ?? 0, joined));
  });
  const files = Object.fromEntries(
    Object.entries({ 'contacts.csv': Buffer.from(text), ...beside.files }).map(([name, bytes]) => [
      `crm/${name}`,
      bytes,
    ]),
  );
  const parts = [{ path: 'crm', system: 'crm', sheets: [], others: [], knows: knowledge(plan) }];
  return exportOf({ ...plan, encoding: 'utf8' }, groups, files, parts, placed, beside.orphans);
}

function knowledge({ locale, localeName, setting }: Plan): Knowledge {
  const header = (role: Role) => setting.shape.columns.find((column) => column[1] === role)?.[0];
  const known = Object.fromEntries(
    users.flatMap(({ firstName, lastName, email }) => [
      [`${firstName} ${lastName}`, email],
      [userIds.get(email) ?? '', email],
    ]),
  );
  return {
    country: locale.country,
    countries: Object.fromEntries(Object.entries(locale.countries).map(([code, word]) => [word, code])),
    key: header('key'),
    firstName: header('first') ?? header('full') ?? '',
    dayFirst: localeName !== 'en-US',
    decimal: setting.localDates ? locale.decimal : '.',
    users: known,
    stages,
  };
}

function exportOf(
  plan: Plan,
  groups: readonly Group[][],
  files: Readonly<Record<string, Buffer>>,
  parts: readonly Part[],
  placed: ReadonlyMap<Pending, TrueRow>,
  orphans: readonly Orphan[],
): Export {
  const people: TruePerson[] = [];
  const asked: AskedPair[] = [];
  const contacts: KnownContact[] = [];
  const others: KnownContact[] = [];
  const byGroup = grouped(placed.keys(), ({ group }) => group);
  for (const [number, group] of groups.flat().entries()) {
    const rows = byGroup.get(group) ?? [];
    const { contact, isContact } = group;
    if (contact !== undefined) (isContact ? contacts : others).push(contact);
    if (group.asked !== undefined) {
      const both = rows.flatMap((row) => placed.get(row) ?? []);
      asked.push({ why: group.asked, rows: both, ...(contact && { contactId: contact.id }) });
    }
    for (const [person, own] of grouped(rows, (row) => row.person)) {
      people.push({
        id: people.length,
        group: number,
        kind: group.kind,
        cases: [...new Set(own.flatMap(({ cases }) => cases))],
        rows: own.flatMap((row) => placed.get(row) ?? []),
        contactId: isContact && person === 0 ? contact?.id : undefined,
        cannotBeImported: group.kind === 'noIdentifier',
        mayBeListed: group.kind === 'reusedKey',
      });
    }
  }
  const traits = Object.entries(plan.traits).flatMap(([name, has]) => (has ? [name] : []));
  return {
    ...{
      seed: plan.seed,
      shape: plan.shapeName,
      locale: plan.localeName,
      encoding: plan.encoding,
      files,
      parts,
      users,
    },
    traits: [...traits, ...(plan.twoLists ? ['twoLists'] : [])],
    contacts: [...contacts, ...others],
    truth: {
      ...{ people, asked, orphans, placeholders: plan.placeholders, contacts: others },
      columns: columnsOf(plan, placed.values()),
    },
  };
}

/** Every column that has cells; of the joined tables those that a person may want. */
function columnsOf({ shapeName }: Plan, rows: Iterable<TrueRow>): Truth['columns'] {
  const columns = new Map<string, Truth['columns'][number]>();
  for (const { list, cells } of rows)
    for (const { column: name, wanted } of cells)
      columns.set(`${list} ${name}`, { list, name, isTechnical: wanted.as === 'technical' });
  const joined = shapeName === 'folder' ? ['industry', 'billing_address_city', 'date_entered'] : [];
  return [...columns.values(), ...joined.map((name) => ({ list: 'contacts', name, isTechnical: true }))];
}

function grouped<T, K>(items: Iterable<T>, by: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = by(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
