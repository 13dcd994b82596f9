import { guessTimestampFormats } from '../../../datatypes/index.ts';
import { canUseColumnInTemplate } from '../columns/contact-columns.ts';
import { findColumnMeaning } from '../columns/header-words.ts';
import { isSecretColumn } from '../columns/secret-columns.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType } from '../profile/column-type.ts';
import type { JoinedListCommentRule, TableJoin } from './join-plan.ts';
import { isStaffTable } from './people-table.ts';
import { findKeyColumn, type TableReference } from './references.ts';
import type { SampledTable } from './sampled-table.ts';
import { findReferencedTableName } from './table-words.ts';

const noteWords = new Set(
  'note task activity comment call meeting event history remark engagement interaction email message notiz nota comentario post'.split(
    ' ',
  ),
);

/** Returns true if the words of a table's name say that it holds notes or activities. */
export function isNoteTable(words: readonly string[]): boolean {
  return words.some((word) => noteWords.has(word) || findColumnMeaning(word)?.role === 'notes');
}

/** The share of ids of notes that may be there twice. */
const fewRepeats = 0.05;

/**
 * Returns the rule for comments made from a table of notes or activities, and the join to their author; undefined for
 * any other table.
 */
export function buildCommentRuleFromTable(
  table: SampledTable,
  references: readonly TableReference[],
):
  | { readonly comments: Omit<JoinedListCommentRule, 'each'>; readonly join: Pick<TableJoin, 'join'> }
  | undefined {
  // A second comment with the same id and another text is listed by the import; without a key none would be imported.
  const key = findKeyColumn(table) ?? findKeyColumn(table, fewRepeats);
  if (key === undefined || !isNoteTable(table.words)) return undefined;
  const body = bodyOf(table);
  const title = table.columns.find(
    ({ words, filled }) => filled > 0 && ['subject', 'title', 'name'].includes(words.join('')),
  );
  const date = dateOf(table);
  const told = [title, body].flatMap((column) =>
    column === undefined || /[{}]/.test(column.name) ? [] : [column.name],
  );
  const [first, ...others] = new Set(told);
  if (first === undefined) return undefined;
  const author = authorOf(table, references);
  const head = [...(date === undefined ? [] : [`{${date.name}}`]), ...(author?.words ?? [])].join(' ');
  return {
    comments: {
      key,
      text: `${head === '' ? '' : `${head}: `}${[first, ...others].map((column) => `{${column}}`).join('\n')}`,
      // A date or an author alone is no comment.
      ...(head !== '' && { needs: others.length === 0 ? first : [first, ...others] }),
      ...(date && { order: date.name, ...datesOf(date, table) }),
      ...(body?.isHtml === true && { html: [body.name] }),
    },
    join: author === undefined ? {} : { join: { author: author.join } },
  };
}

/**
 * Returns the rule that makes a comment of each record of a person, such as a deal: a line for each column that has
 * something to say. Undefined for a table without a key, or with ids and dates alone.
 */
export function buildCommentRuleFromRecords(
  table: SampledTable,
): Omit<JoinedListCommentRule, 'each'> | undefined {
  const key = findKeyColumn(table) ?? findKeyColumn(table, fewRepeats);
  const told = table.columns.filter(
    ({ name, filled }) =>
      filled > 0 &&
      name !== key &&
      findReferencedTableName(name) === null &&
      canUseColumnInTemplate(name) &&
      !isSecretColumn(name),
  );
  const date = dateOf(table);
  const needs = told.flatMap((column) => (findColumnType(column).kind === 'date' ? [] : [column.name]));
  if (key === undefined || needs.length === 0) return undefined;
  const html = told.flatMap(({ name, isHtml }) => (isHtml ? [name] : []));
  return {
    key,
    text: told.map(({ name }) => `${name}: {${name}}`).join('\n'),
    needs,
    ...(date && { order: date.name, ...datesOf(date, table) }),
    ...(html.length > 0 && { html }),
  };
}

const bodyWords = new Set(['body', 'content', 'text', 'bodypreview', 'post', 'message', 'html']);

function bodyOf({ columns }: SampledTable): ColumnProfile | undefined {
  return columns
    .filter(
      ({ words, role, filled }) => filled > 0 && (role === 'notes' || bodyWords.has(words.at(-1) ?? '')),
    )
    .sort((a, b) => b.longest - a.longest)[0];
}

const changeWords = new Set(['modified', 'updated', 'deleted']);
const creationWords = new Set(['created', 'entered', 'createdate', 'createddate']);

/**
 * Returns the date column with the time of an activity: among those with the fewest empty cells, the creation date, or
 * the first one if none is named so. Undefined if there is no date column.
 */
function dateOf({ columns }: SampledTable): ColumnProfile | undefined {
  const dates = columns.filter(
    (column) => findColumnType(column).kind === 'date' && !column.words.some((word) => changeWords.has(word)),
  );
  const most = Math.max(0, ...dates.map(({ filled }) => filled));
  const full = dates.filter(({ filled }) => filled === most);
  return full.find(({ words }) => words.some((word) => creationWords.has(word))) ?? full[0];
}

/** Returns the formats of the dates, which give the order and the text of comments; nothing where they are ISO dates. */
function datesOf(date: ColumnProfile, { values }: SampledTable): Pick<JoinedListCommentRule, 'dates'> {
  const formats = guessTimestampFormats(date, date.waysAs('date'), values.get(date.name) ?? []);
  return formats === undefined ? {} : { dates: { [date.name]: formats } };
}

function authorOf(
  table: SampledTable,
  references: readonly TableReference[],
): { readonly words: readonly string[]; readonly join: TableJoin } | undefined {
  const own = references.filter(({ from, to, named }) => from === table && named && isStaffTable(to));
  const found = own.find(({ column }) => /creat|author/i.test(column)) ?? own[0];
  if (found === undefined) return undefined;
  const { names } = found.to.contact;
  if (names === undefined) return undefined;
  const columns = names.kind === 'full' ? [names.column] : [names.first, names.last];
  const words = columns.flatMap((column) =>
    column === undefined ? [] : [`{author.${column.profile.name}}`],
  );
  return { words, join: { table: found.to.name, on: { [found.column]: found.key } } };
}
