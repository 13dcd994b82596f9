import type * as z from 'zod';
import { findNearestWord, formatDidYouMean } from '../../model/nearest.ts';
import type { YamlMistake } from './mistake.ts';
import type { IssuePath, KeyPlaceFinder } from './places.ts';
import { findValueAtPath, listSchemaKeys } from './schema-keys.ts';

type Issue = z.core.$ZodIssue;

interface File {
  readonly schema: unknown;
  readonly value: unknown;
  readonly places: KeyPlaceFinder;
}

/** Translates zod issues about a file into mistakes in plain words, with places and without duplicates. */
export function toYamlMistakes(issues: readonly Issue[], file: File): readonly YamlMistake[] {
  const unknown = new Set(issues.flatMap((issue) => unknownIn(issue, file)));
  return issues
    .filter((issue) => !unknown.has(pathText(issue.path) + (issue.code === 'custom' ? ' as a whole' : '')))
    .flatMap((issue) => explainIssue(issue, issue.path, file))
    .filter((mistake, index, all) => all.findIndex((other) => sameMistake(mistake, other)) === index);
}

/**
 * Returns the paths of the issues that follow from a misspelled key: the known key that it resembles is missing, and a
 * check of the whole map fails. Empty if no known key resembles it, and for issues of any other kind.
 */
function unknownIn(issue: Issue, file: File): readonly string[] {
  if (issue.code !== 'unrecognized_keys') return [];
  const known = listSchemaKeys(file.schema, file.value, issue.path);
  const meant = issue.keys.map((key) => findNearestWord(key, known)).filter((key) => key !== undefined);
  return meant.length === 0
    ? []
    : [`${pathText(issue.path)} as a whole`, ...meant.map((key) => pathText([...issue.path, key]))];
}

function pathText(path: IssuePath): string {
  return JSON.stringify(path.map(String));
}

function sameMistake(one: YamlMistake, other: YamlMistake): boolean {
  return one.line === other.line && one.column === other.column && one.reason === other.reason;
}

function explainIssue(issue: Issue, path: IssuePath, file: File): readonly YamlMistake[] {
  const value = findValueAtPath(file.value, path);
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, path, file);
  if (value === undefined && issue.code !== 'custom') return [missing(issue, path, file)];
  const here = (reason: string): readonly YamlMistake[] => [{ ...file.places.ofValue(path), reason }];
  const atKey = (reason: string): readonly YamlMistake[] => [{ ...file.places.ofKey(path), reason }];
  switch (issue.code) {
    case 'invalid_type':
      // A value that must not exist is reported at its key.
      if (hasOwnWords(issue)) return (issue.expected === 'never' ? atKey : here)(issue.message);
      return here(
        `${expectedWords(issue.expected)} is expected here, not ${kindOf(value)}${hint(issue.expected, value)}`,
      );
    case 'invalid_value':
      return here(notOneOf(issue.values.map(String), value));
    case 'invalid_union':
      return explainUnion(issue, path, file, value, here);
    case 'invalid_key':
      return atKey(issue.issues[0]?.message ?? 'this cannot be a key');
    case 'too_small':
      return here(bound(issue, `at least ${issue.minimum}`));
    case 'too_big':
      return here(bound(issue, `at most ${issue.maximum}`));
    default:
      // A mistake of a whole map is reported at its key.
      return (typeof value === 'object' && value !== null ? atKey : here)(lowerFirst(issue.message));
  }
}

/** Returns true if the message comes from the schema and not from zod. */
function hasOwnWords({ message }: Issue): boolean {
  return !message.startsWith('Invalid ');
}

/** The current names of keys, by their names in earlier versions. */
const newNames: ReadonlyMap<string, string> = new Map([
  ['switchboard', 'maxPeoplePerPhone'],
  ['halfSigns', 'loneSurrogates'],
  ['phases', 'deferred'],
]);

function unknownKeys(keys: readonly string[], path: IssuePath, file: File): readonly YamlMistake[] {
  const known = listSchemaKeys(file.schema, file.value, path);
  return keys.map((key) => {
    const meant = formatDidYouMean(newNames.get(key) ?? key, known);
    const list = meant === '' && known.length > 0 ? `; known are ${known.join(', ')}` : meant;
    const reason = `the key ${JSON.stringify(key)} is not known here${list}`;
    return { ...file.places.ofKey([...path, key]), reason };
  });
}

function missing(issue: Issue, path: IssuePath, file: File): YamlMistake {
  const key = String(path.at(-1) ?? '');
  const options = issue.code === 'invalid_union' && 'options' in issue ? wordsOf(issue.options) : '';
  const reason = `the key ${JSON.stringify(key)} is missing${options === '' ? '' : `: one of ${options}`}`;
  return { ...file.places.ofKey(path.slice(0, -1)), key: path.map(String).join('.'), reason };
}

function explainUnion(
  issue: Issue & { code: 'invalid_union' },
  path: IssuePath,
  file: File,
  value: unknown,
  here: (reason: string) => readonly YamlMistake[],
): readonly YamlMistake[] {
  if (hasOwnWords(issue)) return here(issue.message);
  if ('options' in issue && Array.isArray(issue.options)) {
    return here(notOneOf(issue.options.map(String), value));
  }
  // The intended branch of a union is one whose type is right at its root; of several, the one with fewest mistakes.
  const meant = issue.errors.filter((branch) => branch.every((each) => !isWrongKind(each)));
  const [branch] = meant.length > 0 ? [...meant].sort((a, b) => a.length - b.length) : [];
  if (branch) return branch.flatMap((each) => explainIssue(each, [...path, ...each.path], file));
  const expected = issue.errors.flatMap((each) => each.filter(isWrongKind).map(wantedBy));
  const words = [...new Set(expected)].join(' or ');
  const remedy = expected.includes('text') ? hint('string', value) : '';
  return here(`${words} is expected here, not ${kindOf(value)}${remedy}`);
}

function isWrongKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function wantedBy(issue: Issue): string {
  if (issue.code === 'invalid_type') return expectedWords(issue.expected);
  return issue.code === 'invalid_value' ? issue.values.map((each) => JSON.stringify(each)).join(' or ') : '';
}

function notOneOf(options: readonly string[], value: unknown): string {
  if (options.length === 1) return `only ${JSON.stringify(options[0])} is allowed here, not ${shown(value)}`;
  const near = typeof value === 'string' ? formatDidYouMean(value, options) : '';
  return `${shown(value)} is not one of ${options.map((each) => JSON.stringify(each)).join(', ')}${near}`;
}

function wordsOf(options: unknown): string {
  return Array.isArray(options) ? options.map(String).join(', ') : '';
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
  null: 'null',
};

function expectedWords(expected: string): string {
  return words[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return shown(value);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'object' ? kindOf(value) : JSON.stringify(value);
}

function hint(expected: string, value: unknown): string {
  if (expected !== 'string' || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return `; quote it: "${value}"`;
  return typeof value === 'object' && !Array.isArray(value)
    ? '; a text that begins with { must be quoted'
    : '';
}

function bound(issue: Issue & { code: 'too_small' | 'too_big' }, limit: string): string {
  if (issue.code === 'too_small' && issue.minimum === 1 && issue.origin !== 'number')
    return 'this must not be empty';
  if (issue.origin === 'string') return `the text must have ${limit} characters`;
  if (issue.origin === 'array' || issue.origin === 'set') return `the list must have ${limit} entries`;
  return `the number must be ${limit}`;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
