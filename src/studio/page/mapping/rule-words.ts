import { formatCountWithNoun } from '../figures.ts';

const regions = new Intl.DisplayNames(undefined, { type: 'region' });
const dateParts = new Map([
  ['d', 'day'],
  ['M', 'month'],
  ['y', 'year'],
]);
const fixedWords: Readonly<Record<string, string>> = {
  'part given': 'the given name',
  'part family': 'the family name',
  'case lower': 'in lower case',
  'case upper': 'in upper case',
  'case title': 'with capital initials',
  'decimal ,': 'decimal comma',
  'decimal .': 'decimal point',
  'thousands .': 'decimal comma',
  'thousands ,': 'decimal point',
  'formats epoch': 'seconds since 1970',
  'formats epochMillis': 'milliseconds since 1970',
  'html true': 'the text of HTML',
};

/**
 * Describes in a few words how a rule reads its cells, such as `date, day.month.year`; '' if it reads them unchanged.
 */
export function describeRule(rule: unknown): string {
  const words = [...toYamlMap(rule)].flatMap(([key, value]) =>
    key === 'formats' ? listOf(value).map((format) => wordsOf(key, format)) : [wordsOf(key, value)],
  );
  return [...new Set(words)].filter((each) => each !== '').join(', ');
}

function wordsOf(key: string, value: unknown): string {
  // An open question is shown below the line.
  if (typeof value === 'string' && value.startsWith('TODO')) return '';
  const fixed = fixedWords[`${key} ${String(value)}`];
  if (fixed !== undefined) return fixed;
  if (key === 'type') return String(value);
  if (key === 'formats') return formatDateOrder(String(value));
  if (key === 'split') return `cut at ${JSON.stringify(value)}`;
  if (key === 'country') return describeCountry(value);
  if (key === 'values' || key === 'users')
    return `${formatCountWithNoun(toYamlMap(value).size, 'value')} translated`;
  if (key === 'replace') return 'with replacements';
  return ['template', 'text', 'summary'].includes(key) ? 'a text' : '';
}

/** Formats the notation of a date or a time in words: `dd.MM.yyyy` is `day.month.year`. */
function formatDateOrder(format: string): string {
  const day = format.replace(/[\s,]*'?T?'?[Hh].*$/, '');
  return day === ''
    ? format
    : day.replaceAll(/d+|M+|y+/g, ([letter = '']) => dateParts.get(letter) ?? letter);
}

function describeCountry(country: unknown): string {
  if (typeof country === 'string') return /^[A-Z]{2}$/.test(country) ? (regions.of(country) ?? '') : country;
  const from = toYamlMap(country).get('from');
  return from === undefined ? '' : `country from ${listOf(from).join(' or ')}`;
}

/** Returns a YAML map as a Map of its keys and values; an empty one for any other value. */
export function toYamlMap(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
