import { formatTodoPlaceholder } from '../../../model/todo.ts';
import {
  type ColumnWithMeaning,
  type ContactColumns,
  canUseColumnInTemplate,
} from '../columns/contact-columns.ts';
import type { JoinPlan } from '../joins/join-plan.ts';
import type { EventRows } from '../profile/rows-of-people.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { formatWholePercent, type YamlEntry, type YamlValue } from '../yaml/entry.ts';
import { formatFilledShare, toSourceColumnsYaml } from './column-words.ts';

/** The joined lists that the mapping reads, the condition on the rows of the input, and the rows that are events. */
export type JoinedLists = Pick<JoinPlan, 'tags' | 'comments' | 'further' | 'where'> & {
  readonly events: EventRows | undefined;
};

/** Returns the rules of tags, lifecycle, assignee and comments. */
export function buildContactStepEntries(
  columns: ContactColumns,
  table: TableProfile,
  plan: JoinedLists,
): readonly YamlEntry[] {
  return [
    ...(plan.tags.length > 0 ? listedTags(plan.tags) : tagsEntry(columns.tags, table)),
    ...lifecycleEntry(columns.stage, table),
    ...assigneeEntry(columns.owner, table),
    ...commentsEntry(columns.notes, table, plan),
  ];
}

function listedTags(tags: readonly string[]): YamlEntry[] {
  const [only = '', ...others] = tags;
  return [{ key: 'tags', value: { plain: { from: others.length === 0 ? only : tags } } }];
}

function tagsEntry(tags: readonly ColumnWithMeaning[], table: TableProfile): YamlEntry[] {
  const [first] = tags;
  if (first === undefined) return [];
  const isList = ({ profile }: ColumnWithMeaning) =>
    profile.share('array') > 0 || table.lists.has(profile.name);
  const haveOwnGroups = !tags.some(isList) && tags.some(({ profile }) => profile.share('ownGroup') > 0);
  const cut = tags.some(isList) ? {} : haveOwnGroups ? withoutOwnGroups : cutOf(tags, table);
  const from = tags.every(isList)
    ? tags.map(({ profile }) => `${profile.name}[]`)
    : toSourceColumnsYaml(tags);
  const value = {
    from: Array.isArray(from) && from.length === 1 ? (from[0] ?? '') : from,
    ...cut,
  };
  const comment = `${formatFilledShare(tags, table)}${haveOwnGroups ? "; Google's own groups, such as * myContacts, are left out" : ''}`;
  return [{ key: 'tags', value: { plain: value }, comment }];
}

/** The options that split the labels of Google's contacts and leave out its own groups (`Friends ::: * myContacts`). */
const withoutOwnGroups = { replace: { pattern: '(^|:::)\\s*\\*[^:]*', with: '$1' }, split: ':::' };

const separators = [
  ['colons', ' ::: '],
  ['control', '\u0001'],
  ['semicolon', ';'],
  ['bar', '|'],
  ['comma', ','],
] as const;

const half = 0.5;

/** The options for tags in quotes (`"VIP","New customer"`), which may contain commas. */
const inQuotes = { replace: { pattern: '^"|"$', with: '' }, split: '","' };

/** The options for tags in the notation of PostgreSQL or Python: `{vip,"new customer"}`, `['vip', 'new customer']`. */
const inBrackets = {
  replace: [
    { pattern: `^[\\[{]\\s*["']?|["']?\\s*[\\]}]$`, with: '' },
    { pattern: `["']?\\s*,\\s*["']?`, with: ',' },
  ],
  split: ',',
};

/** Matches columns that only Zendesk exports have: their tags contain no blanks, and are separated by blanks. */
const ofZendesk = /^user_fields[./]/;

/**
 * Returns the options that split the tags of a cell: at quotes, at the first separator seen in more than 2 % of the
 * cells, and at those of one character that more cells have; at blanks, or not at all.
 */
function cutOf(
  tags: readonly ColumnWithMeaning[],
  table: TableProfile,
): { readonly [key: string]: YamlValue } {
  if (tags.every(({ profile }) => profile.share('quoted') > half)) return inQuotes;
  if (tags.every(({ profile }) => profile.share('bracketed') > half)) return inBrackets;
  const seen = separators
    .map(([test, text]) => ({ text, share: Math.max(...tags.map(({ profile }) => profile.share(test))) }))
    .filter(({ share }) => share > 0.02);
  const [first] = seen;
  if (first !== undefined) {
    const also = seen.filter(({ text, share }) => share > first.share && text.length === 1);
    const pattern = `[${also.map(({ text }) => text).join('')}]`;
    return { ...(also.length > 0 && { replace: { pattern, with: first.text } }), split: first.text };
  }
  const isZendesk = table.columns.some(({ name }) => ofZendesk.test(name));
  return isZendesk || tags.every(({ profile }) => profile.tagWords?.areParted === true) ? { split: ' ' } : {};
}

function lifecycleEntry(stage: ColumnWithMeaning | undefined, table: TableProfile): YamlEntry[] {
  if (stage === undefined) return [];
  const seen = new Map([...(stage.profile.distinct?.keys() ?? [])].map((cell) => [cell.toLowerCase(), cell]));
  const values: YamlEntry[] = [...seen.values()].map((cell) => ({
    key: cell,
    value: {
      plain: formatTodoPlaceholder('which stage of the workspace is this? Give its name, or null for none'),
    },
  }));
  const entries: YamlEntry[] = [
    { key: 'from', value: { plain: stage.profile.name } },
    { key: 'values', value: { entries: values } },
  ];
  return [{ key: 'lifecycle', value: { entries }, comment: formatFilledShare([stage], table) }];
}

function assigneeEntry(owner: ColumnWithMeaning | undefined, table: TableProfile): YamlEntry[] {
  if (owner === undefined) return [];
  const { profile } = owner;
  const distinct = profile.distinct === null ? 'many' : String(profile.distinct.size);
  const value: { [key: string]: YamlValue } = { from: profile.name };
  const comment = `${formatWholePercent(profile.filled, table.rows)} filled, ${distinct} distinct`;
  if (profile.share('email') < 1) {
    const ids = profile.share('number') === 1;
    const what = ids ? 'ids of the old system' : 'no e-mail addresses';
    value.users = formatTodoPlaceholder(
      `the owners are ${what}; map each to a user of the workspace, for example { '${ids ? '17' : 'Jane'}': jane@example.com } (null: unassigned), or {} if the workspace knows them by these names`,
    );
  }
  value.unknown = 'unassigned';
  return [{ key: 'assignee', value: { plain: value }, comment }];
}

function commentsEntry(
  notes: readonly ColumnWithMeaning[],
  table: TableProfile,
  { comments: listed, events }: JoinedLists,
): YamlEntry[] {
  const lists = listed.map((comments): YamlValue => ({ ...comments }));
  if (events !== undefined)
    return [
      { key: 'comments', value: { items: [rowComment(events), ...lists] }, comment: eventWords(events) },
    ];
  const said = notes.filter(({ profile }) => canUseColumnInTemplate(profile.name));
  const own = said.map(({ profile }, index) => ({
    name: index === 0 ? 'note' : `note ${index + 1}`,
    text: `{${profile.name}}`,
    ...(profile.isHtml && { html: [profile.name] }),
  }));
  const items = [...own, ...lists];
  if (items.length === 0) return [];
  return [
    {
      key: 'comments',
      value: { items },
      comment: said.length === 0 ? undefined : formatFilledShare(said, table),
    },
  ];
}

/** Returns the comment of a row that is an event: a line for each column that differs from row to row. */
function rowComment({ columns, commentKey }: EventRows): YamlValue {
  const html = columns.filter(({ isHtml }) => isHtml).map(({ name }) => name);
  return {
    name: 'row',
    ...(commentKey !== undefined && { key: commentKey }),
    text: columns.map(({ name }) => `${name}: {${name}}`).join('\n'),
    ...(html.length > 0 && { html }),
  };
}

function eventWords({ people }: EventRows): string {
  return `each row is kept as a comment, because the rows of one person differ (${people.toLocaleString('en-US')} people checked have several); a contact keeps one value of a column`;
}
