import { parse } from 'yaml';
import { type DifferenceKind, personDifferences } from './compare-person.ts';
import { type AskedQuestion, type Listings, listingsOf } from './listings.ts';
import { type Matched, matched } from './match.ts';
import type { Played } from './play.ts';
import type { AskedPair, Export, TruePerson, TrueRow } from './truth.ts';
import type { Contact } from './workspace-state.ts';

/** Something that the workspace does not hold as the truth has it. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly detail: string;
  readonly person?: TruePerson;
  /** The file that lists it; undefined: it is silent. */
  readonly listedIn: string | undefined;
  /** The truth itself has it: an invalid value, a number that belongs to another of the family. Only silence is wrong. */
  readonly isDue: boolean;
}

export interface Compared {
  readonly differences: readonly Difference[];
  /** People about whom nothing was rightly asked: those whose rows are counted. */
  readonly people: readonly TruePerson[];
  readonly right: ReadonlySet<TruePerson>;
  readonly askedRightly: readonly AskedPair[];
  readonly notAsked: readonly AskedPair[];
  readonly askedNeedlessly: readonly AskedQuestion[];
  readonly failures: readonly string[];
}

/** Compares what is in the workspace, and what the runs say, with the truth. */
export function compare(
  made: Export,
  played: readonly Played[],
  inWorkspace: readonly Contact[] | undefined,
): Compared {
  const contacts = inWorkspace ?? [];
  const { truth } = made;
  const rows = truth.people.flatMap((person) => person.rows);
  const listings = listingsOf(played, rows);
  const judged = judgeQuestions(listings.asked, truth.asked);
  const fields = played.map((part) => ({ part, byColumn: fieldsByColumn(part.mapping) }));
  const failures = played.flatMap(({ failure }) => failure ?? []);
  const differences: Difference[] = [];

  const asking = new Set(judged.rightly.flatMap(({ question }) => question.row ?? []));
  const counted = truth.people.filter((person) => !person.rows.every((row) => asking.has(row)));
  const pairs = matched(contacts, truth.people, listings, truth.contacts);
  const lost = new Set(
    counted
      .filter((person) => !pairs.contactOf.has(person))
      .flatMap(({ rows: own, group }) => (own.some((row) => listings.accountOf(row)) ? [group] : [])),
  );
  for (const person of counted) {
    const own = {
      ...person,
      rows: person.rows.filter((row) => !asking.has(row)).map((row) => withoutKey(row, played)),
    };
    const contact = pairs.contactOf.get(person);
    const found =
      contact === undefined
        ? [missing(own, played, listings, pairs)]
        : personDifferences(own, withDoubles(person, contact, pairs), {
            truth,
            listings,
            fields: (column, list) =>
              fields.find(({ part }) => part.lists.includes(list))?.byColumn(column) ?? [],
            holders: contacts,
            isNoCountry: (word, list) =>
              played.some((part) => part.lists.includes(list) && isNoCountry(word, part)),
            leftOut: (column, list) =>
              played.some((part) => part.lists.includes(list) && isLeftOut(column, part)),
          });
    const isMixed = contact !== undefined && isOfTwo(person, contact, found, lost, truth);
    const shown = isMixed ? [mixed(person, contact, listings, truth)] : found;
    const isRefused = own.rows.some(({ list }) =>
      played.some(({ lists, failure }) => failure !== undefined && lists.includes(list)),
    );
    differences.push(...shown.map((each) => ({ ...(isRefused ? ofRefused(each) : each), person })));
  }
  for (const { contact, person } of pairs.doubles) {
    if (truth.contacts.some(({ id }) => id === contact.id)) continue;
    const isAsked = judged.rightly.some(({ pair }) => pair.rows.some((row) => person.rows.includes(row)));
    if (isAsked) continue;
    const listedIn = person.rows
      .map((row) => listings.find(row, ['identity.']))
      .find((file) => file !== undefined);
    differences.push({
      kind: 'doubled person',
      detail: `contact ${contact.id} beside another`,
      person,
      listedIn,
      isDue: false,
    });
  }
  if (inWorkspace !== undefined) differences.push(...workspaceDifferences(made, contacts, pairs, listings));
  differences.push(...listDifferences(made, played, fields, listings));
  const wrong = new Set(
    differences.flatMap(({ person, isDue, listedIn }) =>
      person && !(isDue && listedIn !== undefined) ? [person] : [],
    ),
  );
  return {
    differences,
    failures,
    people: counted,
    right: new Set(counted.filter((person) => !wrong.has(person))),
    askedRightly: [...new Set(judged.rightly.map(({ pair }) => pair))],
    notAsked: truth.asked.filter((pair) => judged.rightly.every((each) => each.pair !== pair)),
    askedNeedlessly: judged.needlessly,
  };
}

/** What a list does not bring of which the import was refused before its first write is said by the refusal. */
function ofRefused(difference: Omit<Difference, 'person'>): Omit<Difference, 'person'> {
  const isLost = difference.kind.endsWith(' lost');
  return isLost && difference.listedIn === undefined
    ? { ...difference, listedIn: 'failed import' }
    : difference;
}

/** What is in another contact of the same person is not lost: that there are two is the difference. */
function withDoubles(person: TruePerson, contact: Contact, { doubles }: Matched): Contact {
  const others = doubles.flatMap((double) => (double.person === person ? [double.contact] : []));
  const values = others.flatMap(({ id, custom, email, phone, assignee, lifecycle, countryCode }) =>
    Object.entries({ ...custom, email, phone, assignee, lifecycle, countryCode }).flatMap(([name, value]) =>
      value === null ? [] : [[`${name} of ${id}`, value] as const],
    ),
  );
  return {
    ...contact,
    assignee: contact.assignee ?? others.find(({ assignee }) => assignee !== null)?.assignee ?? null,
    lifecycle: contact.lifecycle ?? others.find(({ lifecycle }) => lifecycle !== null)?.lifecycle ?? null,
    countryCode:
      contact.countryCode ?? others.find(({ countryCode }) => countryCode !== null)?.countryCode ?? null,
    custom: { ...Object.fromEntries(values), ...contact.custom },
    comments: [...contact.comments, ...others.flatMap(({ comments }) => comments)],
    tags: [...contact.tags, ...others.flatMap(({ tags }) => tags)],
  };
}

/** A column that identifies the rows is no value of theirs. */
function withoutKey(row: TrueRow, played: readonly Played[]): TrueRow {
  const mapping = played.find(({ lists }) => lists.includes(row.list))?.mapping ?? '';
  const name: unknown = parse(mapping)?.key;
  const key = row.cells.find(({ column }) => column === name)?.raw;
  return { ...row, key, cells: row.cells.filter(({ column }) => column !== name) };
}

/** Whether the contact has values of another person of the group: one difference, however many values it is. */
function isOfTwo(
  person: TruePerson,
  contact: Contact,
  found: readonly Difference[],
  lost: ReadonlySet<number>,
  { people }: Export['truth'],
): boolean {
  const others = people.filter((other) => other !== person && other.group === person.group);
  if (others.length === 0) return false;
  const isNamed = others.some(({ rows }) =>
    rows.some(
      ({ first, last }) => first !== '' && first === contact.firstName && last === (contact.lastName ?? ''),
    ),
  );
  const isWrong = found.some(({ isDue }) => !isDue);
  return isWrong && (lost.has(person.group) || (isNamed && found.some(({ kind }) => kind === 'name wrong')));
}

function mixed(
  person: TruePerson,
  contact: Contact,
  listings: Listings,
  { people }: Export['truth'],
): Difference {
  const rows = people.filter(({ group }) => group === person.group).flatMap((each) => each.rows);
  const [row] = person.rows;
  const names = rows.flatMap(wordsOf);
  const listedIn = rows.map((each) => listings.find(each, names)).find((file) => file !== undefined);
  const detail = `${row?.list}:${row?.line} ${row?.first} ${row?.last} is in contact ${contact.id} ${contact.firstName} ${contact.lastName} with another`;
  return { kind: 'people merged', detail, listedIn, isDue: false };
}

function judgeQuestions(asked: readonly AskedQuestion[], pairs: readonly AskedPair[]) {
  const rightly: { readonly question: AskedQuestion; readonly pair: AskedPair }[] = [];
  const needlessly: AskedQuestion[] = [];
  for (const question of asked) {
    const { row, other, otherContact } = question;
    const pair = pairs.find(
      ({ rows, contactId }) =>
        row !== undefined &&
        rows.includes(row) &&
        (otherContact === undefined
          ? other !== undefined && rows.includes(other)
          : contactId === undefined || contactId === otherContact),
    );
    if (pair === undefined) needlessly.push(question);
    else rightly.push({ question, pair });
  }
  return { rightly, needlessly };
}

function missing(
  person: TruePerson,
  played: readonly Played[],
  listings: Listings,
  pairs: Matched,
): Difference {
  const [row] = person.rows;
  if (row === undefined) return { kind: 'person missing', detail: '', listedIn: undefined, isDue: false };
  const failure = played.find(({ lists, failure: why }) => lists.includes(row.list) && why !== undefined);
  const outcomes = person.rows.map((each) => listings.accountOf(each)?.outcome);
  const arrived = outcomes.some((outcome) => outcome !== undefined);
  const others = [...pairs.contactOf].some(
    ([other, contact]) =>
      !other.rows.some(({ list }) => list === row.list) &&
      person.rows.some((each) => listings.accountOf(each)?.contactId === contact.id),
  );
  const kind = !arrived
    ? 'person missing'
    : others || outcomes.includes('updated')
      ? 'person overwritten'
      : 'people merged';
  const named = person.rows.map((each) =>
    arrived
      ? listings.find(each, wordsOf(each))
      : (listings.findRow(each) ?? listings.find(each, wordsOf(each))),
  );
  const isAllListed = named.every((file) => file !== undefined);
  const invalid = person.rows.some(({ cells }) =>
    cells.some(({ wanted }) => wanted.as === 'invalid' && wanted.what === 'email'),
  );
  return {
    kind,
    detail: `${row.list}:${row.line} ${row.first} ${row.last}${arrived ? ` (${outcomes.join(', ')})` : ''}`,
    listedIn: failure !== undefined ? 'failed import' : isAllListed ? named[0] : undefined,
    isDue: person.cannotBeImported || person.mayBeListed || (invalid && !arrived),
  };
}

function wordsOf({ first, last, cells }: TrueRow): string[] {
  return [first, last, ...cells.flatMap(({ wanted }) => (wanted.as === 'email' ? [wanted.address] : []))];
}

/** What is in the workspace of nobody's, and contacts that should have stayed as they were. */
function workspaceDifferences(
  { truth }: Export,
  contacts: readonly Contact[],
  pairs: Matched,
  listings: Listings,
): Difference[] {
  const found: Difference[] = [];
  for (const known of truth.contacts) {
    const now = contacts.find(({ id }) => id === known.id);
    const changed = (['firstName', 'lastName', 'email', 'phone'] as const).filter(
      (field) => (now?.[field] ?? undefined) !== known[field] && known[field] !== undefined,
    );
    if (changed.length === 0) continue;
    const detail = `contact ${known.id} ${known.firstName}: ${changed.map((field) => `${field} is now ${now?.[field]}`).join(', ')}`;
    found.push({ kind: 'contact overwritten', detail, listedIn: undefined, isDue: false });
  }
  for (const contact of pairs.strangers) {
    if (truth.contacts.some(({ id }) => id === contact.id)) continue;
    const row = truth.people
      .flatMap(({ rows }) => rows)
      .find((each) => listings.accountOf(each)?.contactId === contact.id);
    const detail = `contact ${contact.id} ${contact.firstName} ${contact.lastName} ${contact.email} ${contact.phone}, from ${row?.list}:${row?.line}`;
    found.push({ kind: 'invented contact', detail, listedIn: undefined, isDue: false });
  }
  return found;
}

/** Columns and joined rows that are nowhere, and sheets that were left. */
function listDifferences(
  { truth }: Export,
  played: readonly Played[],
  fields: readonly { readonly part: Played; readonly byColumn: (column: string) => readonly string[] }[],
  listings: Listings,
): Difference[] {
  const found: Difference[] = [];
  for (const { wrongSheet } of played)
    if (wrongSheet !== undefined)
      found.push({
        kind: 'wrong sheet',
        detail: wrongSheet
          .split('\n')
          .filter((line) => line.includes('heet'))
          .join(' '),
        listedIn: undefined,
        isDue: false,
      });
  for (const { list, name, isTechnical } of truth.columns) {
    const part = fields.find((each) => each.part.lists.includes(list))?.part;
    if (part === undefined || part.mapping === '' || isUsed(name, part)) continue;
    found.push({
      kind: 'column left out',
      detail: `${list}: ${name}`,
      listedIn: isNamedIn(name, part) ? 'Left out' : undefined,
      isDue: isTechnical,
    });
  }
  for (const { table, id, line, why } of truth.orphans) {
    const detail = `${table}:${line} ${id}, of ${why}`;
    found.push({ kind: 'orphan', detail, listedIn: listings.findText(id), isDue: true });
  }
  return found;
}

/** Whether a comment of the drafted files names the column. */
function isNamedIn(column: string, { mapping, pipeline }: Played): boolean {
  return [mapping, pipeline].some((yaml) =>
    yaml.split('\n').some((line) => line.trimStart().startsWith('#') && line.includes(column)),
  );
}

/** Whether the draft says that nothing of the column is imported. */
function isLeftOut(column: string, part: Played): boolean {
  return part.mapping !== '' && !isUsed(column, part) && isNamedIn(column, part);
}

/** The draft asked which country the word is, and the answer was that it is none. */
function isNoCountry(word: string, { mapping }: Played): boolean {
  const values: unknown = parse(mapping)?.contact?.countryCode?.values;
  return (
    typeof values === 'object' &&
    values !== null &&
    Object.entries(values).some(
      ([cell, country]) => cell.toLowerCase() === word.toLowerCase() && country === null,
    )
  );
}

/** Whether the mapping or the pipeline reads the column. */
export function isUsed(column: string, { mapping, pipeline }: Played): boolean {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      texts.push(...Object.keys(value));
      Object.values(value).forEach(collect);
    }
  };
  collect(parse(mapping));
  collect(parse(pipeline));
  return texts.some(
    (text) =>
      text === column ||
      text.endsWith(`.${column}`) ||
      text.includes(`{${column}}`) ||
      text === `${column}[]`,
  );
}

/** The custom fields that read a column. */
function fieldsByColumn(mapping: string): (column: string) => readonly string[] {
  const rules: Readonly<Record<string, unknown>> = parse(mapping)?.customFields ?? {};
  return (column) =>
    Object.entries(rules).flatMap(([name, rule]) => {
      const from: unknown =
        typeof rule === 'object' && rule !== null && 'from' in rule ? rule.from : undefined;
      return [from].flat().some((each) => each === column || String(each).endsWith(`.${column}`))
        ? [name]
        : [];
    });
}
