import { splitColumnName } from '../columns/header-words.ts';

const fillers = new Set('data export exports table tbl list all full dump public dbo details'.split(' '));

/** Returns the singular of a word, as far as table names need it. */
function singular(word: string): string {
  if (word === 'people') return 'person';
  if (/(?:ss|tus)es$/.test(word)) return word.slice(0, -2);
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Returns the words of a table's name in the singular, without fillers and numbers: `note` for `Notes_001`. */
export function splitTableName(name: string): readonly string[] {
  const words = splitColumnName(name).map(singular);
  const telling = words.filter((word) => !fillers.has(word) && !/^\d+$/.test(word));
  return telling.length === 0 ? words : telling;
}

/** The endings of a noun in the singular and the plural, where the plural is not the singular and an s. */
const nounEndings = new Set(['', 'a', 'e', 'i', 'o', 'n', 'en', 'es', 'nen']);
const shortestNoun = 4;

/** Returns true if two words are one noun, in the singular or the plural of any common language: `firma`, `firmen`. */
export function isSameNoun(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  if (one === other) return true;
  return [one, other].every((word) => nounEndings.has(word.slice(shared))) && shared >= shortestNoun;
}

const keyEnds = new Set(['id', 'ids', 'key', 'guid', 'uuid', 'fk', 'oid']);

/** Returns the table name that a column's name refers to: `account` for `account_id`; null if it refers to none. */
export function findReferencedTableName(column: string): string | null {
  const words = [...splitColumnName(column)];
  const last = words.at(-1) ?? '';
  if (words.length > 1 && keyEnds.has(last)) return words.slice(0, -1).map(singular).join('');
  const glued = /^(.{2,})id$/.exec(last)?.[1];
  if (glued !== undefined) return singular([...words.slice(0, -1), glued].join(''));
  return /^(?:owner|assignee|createdby|author|parent|who)$/.test(words.join('')) ? words.join('') : null;
}
