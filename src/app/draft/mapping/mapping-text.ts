import { formatTodoPlaceholder } from '../../../model/todo.ts';
import {
  type ColumnWithMeaning,
  type ContactColumns,
  canUseColumnInTemplate,
  isRowNumber,
} from '../columns/contact-columns.ts';
import { findColumnMeaning } from '../columns/header-words.ts';
import type { InputSettings } from '../input/stated.ts';
import type { DraftPaths } from '../pipeline-text.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType } from '../profile/column-type.ts';
import { findPlaceholders, findPossiblePlaceholders } from '../profile/placeholders.ts';
import type { EventRows } from '../profile/rows-of-people.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { formatWholePercent, toPrintableName, type YamlEntry, type YamlValue } from '../yaml/entry.ts';
import { formatYamlFile } from '../yaml/text.ts';
import { formatRowCount } from './column-words.ts';
import { buildContactEntries } from './contact-entries.ts';
import { buildContactStepEntries, type JoinedLists } from './contact-step-entries.ts';
import { buildCustomFieldEntries, type UnmappedColumn } from './custom-field-entries.ts';

const nearlyAll = 0.99;
const longestKey = 64;
const mostOffered = 5;
const half = 0.5;

/**
 * Returns the `key:` of a mapping: the found or stated column, false if the user states that there is none, else a
 * question.
 */
function keyEntry(
  column: ColumnWithMeaning | undefined,
  table: TableProfile,
  stated: string | false | undefined,
  events: EventRows | undefined,
): YamlEntry {
  if (column !== undefined) {
    return { key: 'key', value: { plain: column.profile.name }, comment: keyWords(column.profile, table) };
  }
  if (stated === undefined && events !== undefined) return keyOfPerson(events);
  if (stated === false) return { key: 'key', value: { plain: false }, comment: 'no column identifies a row' };
  const able = table.columns.filter((each) => isAble(each, table));
  const offer =
    able.length === 0
      ? 'no column is filled and different in every row'
      : `filled and different in every row: ${able
          .slice(0, mostOffered)
          .map(({ name }) => toPrintableName(name))
          .join(', ')}`;
  const question = `which column identifies a row in the old system and never changes? Give its name, or false if there is none (${offer})`;
  return { key: 'key', value: { plain: formatTodoPlaceholder(question) } };
}

/** Returns the `key:` where rows are events: the ids of events would make a person of each. */
function keyOfPerson({ personKey }: EventRows): YamlEntry {
  return personKey === undefined
    ? {
        key: 'key',
        value: { plain: false },
        comment: 'a row is an event, and no column identifies the person',
      }
    : { key: 'key', value: { plain: personKey.name }, comment: 'the same in all rows of a person' };
}

/**
 * Returns true for a column that may be a key: numbers, codes and e-mail addresses. Names, dates and phones are less
 * unique than they seem.
 */
function isAble(column: ColumnProfile, { rows }: TableProfile): boolean {
  const { name, filled, repeated, longest } = column;
  if (filled === 0 || filled < rows * nearlyAll || repeated > 0 || longest > longestKey) return false;
  if (isRowNumber(column)) return false;
  const { kind } = findColumnType(column);
  const role = findColumnMeaning(name)?.role;
  if (kind === 'email') return true;
  if (role !== undefined && role !== 'key') return false;
  return (
    (kind === 'number' || kind === 'text') &&
    column.share('nameLike') < half &&
    column.share('severalWords') < half &&
    (column.share('phoneShaped') < half || kind === 'number')
  );
}

function keyWords({ filled, repeated }: ColumnProfile, { rows }: TableProfile): string {
  const share = filled < rows ? `${formatWholePercent(filled, rows)} filled` : 'filled';
  return repeated === 0
    ? `${share}, and different in every row checked`
    : `${share}; ${repeated} of the rows checked repeat the key of another`;
}

/**
 * Returns the `empty:` of a mapping: the texts that stand for "nothing", with their counts in a comment; doubtful ones
 * become questions.
 */
function emptyEntry({ columns }: TableProfile): readonly YamlEntry[] {
  const found = findPlaceholders(columns);
  const asked = findPossiblePlaceholders(columns).map(({ column, text, cells }) => {
    const shown = toPrintableName(text);
    return formatTodoPlaceholder(
      `does "${shown}" in ${toPrintableName(column)} (${formatRowCount(cells)}) stand for nothing? Write ${JSON.stringify(shown)} if so, or null to import it as it is`,
    );
  });
  if (found.length + asked.length === 0) return [];
  const counts = found.map(({ text, cells }) => `"${text}" ${cells.toLocaleString('en-US')}`);
  const comment = counts.length === 0 ? undefined : `cells that count as empty: ${counts.join(', ')}`;
  return [
    {
      key: 'empty',
      value:
        asked.length === 0
          ? { plain: found.map(({ text }) => text) }
          : { items: [...found.map(({ text }) => text), ...asked] },
      above: comment === undefined ? [] : [comment],
    },
  ];
}

export interface DraftedMapping {
  readonly text: string;
  readonly leftOut: readonly UnmappedColumn[];
}

/** Returns the mapping YAML of a table; `lines` are its head comment, `joined` the unread columns of joined tables. */
export function formatDraftMappingYaml(
  { name, mappingSchema }: Pick<DraftPaths, 'name' | 'mappingSchema'>,
  lines: readonly string[],
  columns: ContactColumns,
  table: TableProfile,
  lists: JoinedLists,
  stated: Pick<InputSettings, 'key' | 'country'>,
  joined: readonly UnmappedColumn[],
): DraftedMapping {
  const { entries: fields, leftOut: own } = buildCustomFieldEntries(
    columns,
    new Set([
      // Where a table of tags is joined, a column of tags is a field.
      ...usedBy(lists.tags.length > 0 ? { ...columns, tags: [] } : columns),
      ...lists.comments.map(({ each }) => each),
      ...(lists.events?.ofRows ?? []),
      ...(stated.key === undefined && lists.events?.personKey ? [lists.events.personKey.name] : []),
    ]),
    table,
    lists,
  );
  const leftOut = [...own, ...joined];
  const entries: YamlEntry[] = [
    { key: 'mapping', value: { plain: name } },
    keyEntry(
      stated.key === undefined && lists.events ? undefined : columns.key,
      table,
      stated.key,
      lists.events,
    ),
    ...emptyEntry(table),
    { key: 'contact', value: { entries: buildContactEntries(columns, table, stated.country) } },
    ...(fields.length === 0 ? [] : [{ key: 'customFields', value: { entries: fields } }]),
    ...buildContactStepEntries(columns, table, lists),
    ...exampleEntries(columns),
  ];
  return { text: formatYamlFile([mappingSchema, ...lines], entries, footOf(leftOut, table)), leftOut };
}

/** Returns the columns that the mapping reads outside its custom fields. */
function usedBy(columns: ContactColumns): ReadonlySet<string> {
  const { names } = columns;
  const ofNames =
    names === undefined
      ? []
      : names.kind === 'full'
        ? [names.column]
        : [names.first, names.prefix, names.last];
  const all = [
    columns.key,
    ...columns.emails,
    ...columns.phones,
    ...ofNames,
    columns.language,
    columns.countries[0],
    columns.photo,
    columns.owner,
    ...columns.tags,
    columns.stage,
    ...columns.notes.filter(({ profile }) => canUseColumnInTemplate(profile.name)),
  ];
  return new Set(all.flatMap((column) => column?.profile.name ?? []));
}

function footOf(leftOut: readonly UnmappedColumn[], { moreColumns }: TableProfile): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { column, why } of leftOut) {
    const known = reasons.get(why);
    if (known === undefined) reasons.set(why, [toPrintableName(column)]);
    else known.push(toPrintableName(column));
  }
  const lines = [...reasons].map(([why, names]) => `  ${why}: ${names.join(', ')}`);
  const more = moreColumns === 0 ? [] : [`  not checked: ${moreColumns} more columns`];
  return lines.length + more.length === 0 ? [] : ['Left out:', ...lines, ...more];
}

/**
 * Returns two example tests with invented values, which pass whatever the rules of the other columns are; empty unless
 * there is a column of e-mails and one of first names.
 */
function exampleEntries({ emails, names }: ContactColumns): readonly YamlEntry[] {
  const [email] = emails;
  const first = names?.kind === 'parts' ? names.first : undefined;
  if (email === undefined || first === undefined || first === email) return [];
  const row = { [first.profile.name]: 'Ada', [email.profile.name]: ' ADA@Example.com ' };
  const items: readonly YamlValue[] = [
    { row, expect: { contact: { firstName: 'Ada', email: 'ada@example.com' } } },
    { row: { [first.profile.name]: 'Bob' }, rejects: 'identity.missing' },
  ];
  return [{ key: 'tests', value: { items } }];
}
