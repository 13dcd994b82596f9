import { basename, resolve } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { formatNameList } from '../../model/listed.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import type { NestedListFacts } from '../../model/row.ts';
import type { TableFacts } from '../../sources/tables.ts';
import type { RememberedKeyStats } from '../run/find-run.ts';
import { type CallColumns, findCallColumns } from './columns/call-columns.ts';
import {
  type ColumnWithMeaning,
  type ContactColumns,
  findContactColumns,
} from './columns/contact-columns.ts';
import type { PersonInRow } from './columns/people-in-row.ts';
import { isSecretColumn } from './columns/secret-columns.ts';
import { chooseRecords } from './input/chosen-records.ts';
import { type InspectedInput, inspectInput } from './input/found-input.ts';
import {
  buildRowFilterOptions,
  formatPossiblyDeletedNotes,
  formatRowFilterNotes,
} from './input/left-out-rows.ts';
import { isInList } from './input/people-lists.ts';
import type { InputSettings } from './input/stated.ts';
import { findCommentsInLists } from './joins/comments-in-lists.ts';
import { findNotDeletedRows } from './joins/conditions.ts';
import type { JoinPlan, TableJoin } from './joins/join-plan.ts';
import { findPossiblyDeletedRows } from './joins/possibly-deleted.ts';
import { formatRowCount } from './mapping/column-words.ts';
import type { UnmappedColumn } from './mapping/custom-field-entries.ts';
import { formatDraftMappingYaml } from './mapping/mapping-text.ts';
import { draftFromExport } from './own-export/draft-of-export.ts';
import { findImportableExport } from './own-export/find-export.ts';
import {
  buildDraftPaths,
  buildSourceYaml,
  type DraftFolders,
  formatDraftPipelineYaml,
  formatSourceSystemQuestion,
} from './pipeline-text.ts';
import type { ColumnProfile } from './profile/column-profile.ts';
import { findColumnType } from './profile/column-type.ts';
import { type EventRows, findEventRows } from './profile/rows-of-people.ts';
import type { TableProfile } from './profile/table-profile.ts';
import { buildDraftResult, type DraftOutput } from './result.ts';
import { deriveSourceSystemName, stripFileExtensions } from './system-name.ts';
import { toPrintableName } from './yaml/entry.ts';

export type { DraftFile, DraftOutput } from './result.ts';

/** The input to draft from, and the folders of the draft. */
export interface DraftRequest extends DraftFolders {
  /** The input as given; `-` is standard input. */
  readonly path: string;
  readonly spoolDir: string;
  /** Called with the reason, as a sentence, when reading the input waits for more than two seconds. */
  readonly waiting?: ((text: string) => void) | undefined;
  readonly stated?: InputSettings;
  /**
   * Returns the statistics of the source keys that earlier imports stored under a system's name; undefined for none.
   */
  readonly remembered?: ((name: string) => RememberedKeyStats | undefined) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads an input and drafts a mapping and a pipeline for it; writes no file. Throws a FatalError if the input cannot be
 * read, or lacks the stated key column.
 */
export async function draftFromInput(request: DraftRequest): Promise<DraftOutput> {
  const { signal, spoolDir, stated = {}, waiting } = request;
  const path = request.path === '-' ? '-' : resolve(request.path);
  const exported = stated.format === undefined ? await findImportableExport(path) : undefined;
  if (exported !== undefined) return await draftFromExport(request, exported, nameOf(exported.pipeline));
  const whole = await inspectInput({ path, spoolDir, waiting }, stated, signal);
  const {
    found,
    read,
    list,
    lists,
    options: optionsOfLists,
    notes: notesOfLists,
  } = await chooseRecords(whole, stated, signal);
  const { plan, format, facts } = found;
  if (read.table.rows === 0 && read.filtered === 0) await assertReadable(found, path, signal);
  const table = plan === null ? read.table : withoutUnread(read.table, plan);
  const secret = table.columns.filter(({ name }) => isSecretColumn(name));
  const open = { ...table, columns: table.columns.filter((column) => !secret.includes(column)) };
  const columns = findContactColumns(
    open.columns.filter(({ name }) => !lists.some((list) => isInList(name, list))),
    plan?.roles,
    stated.person,
  );
  const listed =
    plan === null ? await findCommentsInLists(table, (of) => found.source.read(0, of), signal) : [];
  const events = plan === null ? await findEventRows(open, columns, found.source.read(0, signal)) : undefined;
  const { where, leftOut: deletedRows, possible } = deletedRowsOf(table, read.filtered, plan);
  const filtered = { rows: deletedRows, of: table.rows + read.filtered };
  const filters = buildRowFilterOptions(table, read.ragged, where);
  const options = { ...found.options, ...optionsOfLists, ...filters };
  const [contact] = stated.person === undefined ? [] : columns.people;
  const ofPerson = (name: string) =>
    contact === undefined ? name : `${name}-${nameOf(contact.label ?? '')}`;
  const paths = buildDraftPaths(request, ofPerson(nameOf(path)));
  const notes = [
    ...facts.notes,
    ...notesOfLists,
    ...[facts.truncated ?? []].flat(),
    ...formatRowFilterNotes(table, where, filtered),
    ...formatPossiblyDeletedNotes(possible, filters.where ?? {}, filtered.of),
    ...formatPeopleNotes(columns.people, stated.person),
    ...formatPhoneNotes(columns, table),
    ...formatEventNotes(events),
    ...formatCallNotes(findCallColumns(open.columns)),
    ...formatCompanyNotes(columns, table),
  ];
  const from = `Drafted from ${path === '-' ? 'standard input' : basename(path)}: ${table.rows.toLocaleString('en-US')} rows, ${table.columns.length} columns.`;
  const { text, leftOut } = formatDraftMappingYaml(
    paths,
    [
      from,
      'Fill rates count all rows. Replace each TODO with your answer; `check` reports those that are left.',
    ],
    { ...columns, key: stated.key === undefined ? columns.key : statedKey(stated.key, table) },
    open,
    { ...(plan ?? { ...nothingJoined, comments: listed }), where, events },
    stated,
    [
      ...secret.map(({ name }) => ({ column: name, why: 'a password, a key or a token' })),
      ...(plan === null ? [] : joinedLeftOut(read.table.columns, facts.lists ?? [], plan)),
    ],
  );
  const source = systemOf(path, found, stated.table ?? list);
  // The people of a row share its key: in a system of their own, they are not taken for each other.
  const system = systemEntry(source && ofPerson(source), paths.name, request.remembered);
  const pipeline = formatDraftPipelineYaml(
    paths,
    [from, ...(plan === null ? [] : wordsOf(plan)), ...notes],
    buildSourceYaml({ ...found, options }, paths.pipeline, { ...read, table }, system),
  );
  return buildDraftResult(
    { name: paths.name, format, options, filtered, notes: [...notes, ...listUnreadTables(plan)], leftOut },
    { mapping: { file: paths.mapping, text }, pipeline: { file: paths.pipeline, text: pipeline } },
    table,
  );
}

/** Throws a FatalError('input') if an input has records and none of them can be read: its questions would have no answer. */
async function assertReadable({ source }: InspectedInput, path: string, signal: AbortSignal): Promise<void> {
  for await (const items of source.read(0, signal)) {
    const broken = items.find((item) => item.kind === 'broken');
    if (broken === undefined) continue;
    const { line, problem } = broken;
    throw new FatalError('input', `${basename(path)} has no row that can be read. ${problem.reason}`, {
      place: { file: path, line },
      next: 'Fix the file or export it again, then draft again.',
    });
  }
}

/**
 * Returns the condition for rows that are not deleted, and the rows that may be. A column that says so of every row
 * does not decide alone.
 */
function deletedRowsOf(table: TableProfile, filtered: number, plan: JoinPlan | null) {
  const joined = Object.keys(plan?.joins ?? {}).map((name) => `${name}.`);
  const own = table.columns.filter(({ name }) => !joined.some((prefix) => name.startsWith(prefix)));
  const { where, leftOut } =
    plan === null ? findNotDeletedRows(own) : { where: plan.where, leftOut: filtered };
  const possible = findPossiblyDeletedRows(own, table.rows).filter(
    (each) => !Object.keys(each.where).some((column) => Object.hasOwn(where, column)),
  );
  if (plan !== null || leftOut === 0 || leftOut < table.rows) return { where, leftOut, possible };
  const words = Object.keys(where).map((column) => `"${toPrintableName(column)}" says so`);
  return {
    where: {},
    leftOut: 0,
    possible: [{ where, words: words.join(', '), rows: leftOut }, ...possible],
  };
}

const nothingJoined = { tags: [], comments: [], further: [] };

/**
 * Returns the column stated as the key; undefined if the user states that there is none. Throws a FatalError('usage')
 * if the column does not exist.
 */
function statedKey(key: string | false, { columns }: TableProfile): ColumnWithMeaning | undefined {
  if (key === false) return undefined;
  const profile = columns.find(({ name }) => name === key);
  if (profile !== undefined) return { profile, named: { role: 'key', rank: 0 } };
  const names = columns.map(({ name }) => toPrintableName(name));
  throw new FatalError('usage', `--key: no column "${key}"${formatDidYouMean(key, names)}.`, {
    next: `Choose one of these: ${names.slice(0, 40).join(', ')}.`,
  });
}

const mostNamed = 20;

/** Returns lines that say how the tables were found, and which ones are not read. */
function wordsOf({ unread }: JoinPlan): readonly string[] {
  const found =
    'The table of people, and the tables joined to it, were found by names and values: please verify.';
  if (unread.length === 0) return [found];
  const more = unread.length > mostNamed ? [`  and ${unread.length - mostNamed} more tables`] : [];
  return [found, 'Not read:', ...unread.slice(0, mostNamed).map(unreadWords), ...more];
}

const mostListed = 5;
const nearlyAll = 0.8;

/** Returns a sentence about a column that looks like the phones of contacts without one; its name may be in any language. */
function formatPhoneNotes(
  { phones, key, people }: ContactColumns,
  { columns }: TableProfile,
): readonly string[] {
  if (phones.length > 0) return [];
  const others = new Set(people.slice(1).flatMap((person) => [...person.columns.keys()]));
  const found = columns.find(
    (column) =>
      column.role === undefined &&
      column !== key?.profile &&
      !others.has(column.name) &&
      findColumnType(column).kind === 'text' &&
      column.share('phones') >= nearlyAll,
  );
  return found === undefined
    ? []
    : [
        `The values of "${toPrintableName(found.name)}" look like phones, but its name does not say so. If they are the contacts' phones, map the column to contact.phone.`,
      ];
}

/** Returns the sentence about rows with a company and without a name, whose contacts would have none of the two as their name. */
function formatCompanyNotes(
  { names }: ContactColumns,
  { columns, contacts }: TableProfile,
): readonly string[] {
  if (names === undefined) return [];
  const named = names.kind === 'full' ? [names.column] : [names.first, names.last];
  // Only columns that are called names are compared within each row.
  const own = named.flatMap((column) => (column?.profile.role === undefined ? [] : column.profile.name));
  if (own.length === 0) return [];
  const company = columns.find(({ role, name }) => role === 'company' && contacts.rowsNamed([name], own) > 0);
  if (company === undefined) return [];
  const rows = contacts.rowsNamed([company.name], own);
  const where = names.kind === 'full' ? 'firstName, lastName' : 'firstName';
  return [
    `Rows that have a company and no name: ${rows.toLocaleString('en-US')}. A new contact is called Unknown. To call it by its company, add "${toPrintableName(company.name)}" after the names in \`from\` of ${where}.`,
  ];
}

/** Returns the sentence about rows that are events of people; empty where a row is a person. */
function formatEventNotes(events: EventRows | undefined): readonly string[] {
  if (events === undefined) return [];
  const names = formatNameList([...events.ofRows].map(toPrintableName), mostListed);
  return [
    `A row seems to be an event of a person, such as an order or a booking: the rows of one person differ in ${names}. Each row is kept as a comment, and these columns are no fields: please verify.`,
  ];
}

/** Returns the sentence about calls, of which the contact is in one column or the other; empty for other rows. */
function formatCallNotes(calls: CallColumns | undefined): readonly string[] {
  if (calls === undefined) return [];
  const [direction, from, to] = [calls.direction, calls.from, calls.to].map(({ name }) =>
    toPrintableName(name),
  );
  return [
    `The contact of a row is in "${from}" or "${to}", as "${direction}" says, and this draft takes one of them in all rows: the contacts of the others would become one. "Rows that are events" in docs/writing-a-mapping.md has a rule for both.`,
  ];
}

/** Returns the sentences about rows with several people; empty for one person a row. */
function formatPeopleNotes([contact, ...others]: readonly PersonInRow[], stated?: string): readonly string[] {
  if (contact === undefined) return [];
  const labels = others.flatMap(({ label }) => (label === null ? [] : toPrintableName(label)));
  const name = toPrintableName(contact.label ?? '');
  if (stated !== undefined) {
    return [
      `Each row has several people. The contact of this draft is ${name}; a row without one is rejected.`,
    ];
  }
  const names = formatNameList(labels, mostListed);
  const flags = labels.slice(0, mostListed).map((label) => `--person ${JSON.stringify(label)}`);
  const next = `To import them, too, draft again for each of them: ${flags.join('; ')}.`;
  return contact.label === null
    ? [`Each row has further people, who get no contact of their own: ${names}. ${next}`]
    : [
        `Each row has several people. The contact is ${name}; these get no contact of their own: ${names}. ${next}`,
      ];
}

/** Returns the sentence that names the tables that are neither read nor joined; empty if there are none. */
function listUnreadTables(plan: JoinPlan | null): readonly string[] {
  if (plan === null || plan.unread.length === 0) return [];
  const names = plan.unread.map(({ name, items }) => `${toPrintableName(name)} (${formatRowCount(items)})`);
  const which = plan.unread.length === 1 ? 'table' : 'tables';
  return [
    `Not read, because no join was found: the ${which} ${formatNameList(names, mostListed)}.`,
    ...plan.morePeople.slice(0, mostListed).map((name) => {
      const rows = plan.unread.find((each) => each.name === name)?.items ?? 0;
      const printed = toPrintableName(name);
      return `The table ${printed} has people, too (${formatRowCount(rows)}). Its rows are not imported. To import them, draft again with --table ${/^[\w.-]+$/.test(printed) ? printed : JSON.stringify(printed)} and another --out.`;
    }),
  ];
}

/** Returns a line with the name, the row count and the columns of an unread table. */
function unreadWords({ name, items, columns }: TableFacts): string {
  const named = columns === null ? '' : `: ${columns.map(toPrintableName).join(', ')}`;
  return `  ${toPrintableName(name)}, ${formatRowCount(items)}${named}`;
}

/** Returns the profile without the columns of joined tables that the plan does not read. */
function withoutUnread(profile: TableProfile, { joins, roles }: JoinPlan): TableProfile {
  const joined = Object.keys(joins).map((name) => `${name}.`);
  const columns = profile.columns.filter(
    ({ name }) => roles.has(name) || !joined.some((prefix) => name.startsWith(prefix)),
  );
  return { ...profile, columns };
}

/**
 * Returns the name of the system that the input was exported from, derived from the path and the table or list, or the
 * sheet if only one of several sheets is read; undefined for stdin.
 */
function systemOf(
  path: string,
  { options, facts }: InspectedInput,
  table: string | undefined,
): string | undefined {
  if (path === '-') return undefined;
  const { sheet } = options;
  const isOne = typeof sheet === 'string' && (facts.sheets?.length ?? 0) > 1;
  return deriveSourceSystemName(path, isOne ? sheet : table);
}

/**
 * Returns the name of the system, or a question if earlier imports stored keys under it or under the mapping's name.
 */
function systemEntry(
  system: string | undefined,
  mapping: string,
  remembered: DraftRequest['remembered'],
): string | undefined {
  for (const name of new Set([system ?? mapping, mapping])) {
    const keys = remembered?.(name);
    if (keys !== undefined)
      return formatSourceSystemQuestion(name, keys, system === name ? undefined : system);
  }
  return system;
}

/** Returns a name for the files, made from the input's: small letters of any script, Latin ones without accents, digits and dashes. */
function nameOf(path: string): string {
  const base = path === '-' ? 'input' : basename(path);
  const plain = stripFileExtensions(base)
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    // The pipeline's name starts with "import-" already.
    .replace(/^import(?:-|$)/, '');
  return plain === '' ? 'input' : plain;
}

/** Returns the columns of joined tables that the mapping does not read, with the reason. */
function joinedLeftOut(
  columns: readonly ColumnProfile[],
  lists: readonly NestedListFacts[],
  plan: JoinPlan,
): readonly UnmappedColumn[] {
  const single = columns.flatMap(({ name, filled }) => {
    const joined = Object.keys(plan.joins).find((join) => name.startsWith(`${join}.`));
    if (joined === undefined || plan.roles.has(name)) return [];
    const own = name.slice(joined.length + 1);
    return [{ column: name, why: filled === 0 ? 'empty' : whyOf(own, plan.joins[joined]) }];
  });
  const listed = lists.flatMap(({ name: list, columns: own }) =>
    (own ?? []).flatMap((column) => {
      const isRead = column === '' || readOf(list, plan).has(column);
      return isRead ? [] : [{ column: `${list}.${column}`, why: whyOf(column, plan.joins[list]) }];
    }),
  );
  return [...single, ...listed];
}

function whyOf(column: string, join: TableJoin | undefined): string {
  const connects = [...Object.values(join?.on ?? {}), ...Object.values(join?.via?.to ?? {})];
  if (connects.includes(column)) return 'connects the tables';
  const decides = { ...join?.where, ...join?.pick };
  return Object.hasOwn(decides, column)
    ? 'decides which rows of its table are joined'
    : 'in a joined table, and read for nothing';
}

/** Returns the columns of a list that are read by tags, custom fields or comments. */
function readOf(list: string, { tags, further, comments }: JoinPlan): ReadonlySet<string> {
  const whole = [...tags, ...further.map(({ from }) => from)];
  const named = whole.flatMap((column) =>
    column.startsWith(`${list}.`) ? [column.slice(list.length + 1)] : [],
  );
  const written = comments
    .filter(({ each }) => each === list)
    .flatMap(({ key, order, text }) => [
      key,
      ...(order === undefined ? [] : [order]),
      ...[...text.matchAll(/\{([^{}]+)\}/g)].map(([, column = '']) => column),
    ]);
  return new Set([...named, ...written]);
}
