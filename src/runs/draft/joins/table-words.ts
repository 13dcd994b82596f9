import { wordsOf } from '../columns/header-words.ts';

const fillers = new Set([
  'data',
  'export',
  'exports',
  'table',
  'tbl',
  'list',
  'all',
  'full',
  'dump',
  'public',
  'dbo',
  'details',
]);
const odd: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  companies: 'company',
  addresses: 'address',
  categories: 'category',
  activities: 'activity',
  entities: 'entity',
  countries: 'country',
  opportunities: 'opportunity',
  cities: 'city',
  statuses: 'status',
  emails: 'email',
};

/** A word in the singular, as far as table names need it. */
function singular(word: string): string {
  return odd[word] ?? (/[^su]s$/.test(word) ? word.slice(0, -1) : word);
}

/** The words of a table's name in the singular, without a prefix that all tables share and without fillers. */
export function tableWords(name: string, prefix: string): readonly string[] {
  const bare = name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : name;
  const words = wordsOf(bare).map(singular);
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length === 0 ? words : telling;
}

/** What all names begin with, up to an underscore: `civicrm_`; empty where there is nothing of the kind. */
export function sharedPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names.map((name) => name.toLowerCase());
  const prefix = /^[a-z0-9]+_/.exec(first)?.[0] ?? '';
  return others.length > 1 && others.every((name) => name.startsWith(prefix)) ? prefix : '';
}

const keyEnds = new Set(['id', 'ids', 'key', 'guid', 'uuid', 'fk', 'oid']);

/** What a column that refers to a record is about: `account` of `account_id`; null where its name is not that of a reference. */
export function referenceStem(column: string): string | null {
  const words = [...wordsOf(column)];
  const last = words.at(-1) ?? '';
  if (words.length > 1 && keyEnds.has(last)) return words.slice(0, -1).map(singular).join('');
  const glued = /^(.{2,})id$/.exec(last)?.[1];
  if (glued !== undefined) return singular([...words.slice(0, -1), glued].join(''));
  return /^(?:owner|assignee|createdby|author|parent|who)$/.test(words.join('')) ? words.join('') : null;
}
