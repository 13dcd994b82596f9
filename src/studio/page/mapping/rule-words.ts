import { formatCountry } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';

const dateParts = new Map([
  ['d', t('day')],
  ['M', t('month')],
  ['y', t('year')],
]);
const fixedWords: Readonly<Record<string, string>> = {
  'part given': t('the given name'),
  'part family': t('the family name'),
  'familyFirst true': t('the family name first'),
  'case lower': t('in lower case'),
  'case upper': t('in upper case'),
  'case title': t('with capital initials'),
  'decimal ,': t('decimal comma'),
  'decimal .': t('decimal point'),
  'thousands .': t('decimal comma'),
  'thousands ,': t('decimal point'),
  'formats epoch': t('seconds since 1970'),
  'formats epochMillis': t('milliseconds since 1970'),
  'html true': t('the text of HTML'),
};

/** Describes how a rule reads its cells, such as `date, day.month.year`; '' if unchanged. */
export function describeRule(rule: unknown): string {
  const words = [...toMapFromYaml(rule)].flatMap(([key, value]) =>
    key === 'formats' ? listOf(value).map((format) => wordsOf(key, format)) : [wordsOf(key, value)],
  );
  return [...new Set(words)].filter((each) => each !== '').join(', ');
}

function wordsOf(key: string, value: unknown): string {
  // An open question is shown below the line.
  if (typeof value === 'string' && value.startsWith('TODO')) return '';
  const fixed = fixedWords[`${key} ${String(value)}`];
  if (fixed !== undefined) return fixed;
  if (key === 'type') return translateEngineText(String(value));
  if (key === 'formats') return formatDateOrder(String(value));
  if (key === 'split') return t('cut at {text}', { text: JSON.stringify(value) });
  if (key === 'country') return describeCountry(value);
  if (key === 'values' || key === 'users') {
    const n = [...toMapFromYaml(value).values()].filter((each) => !String(each).startsWith('TODO')).length;
    return n === 0 ? '' : t('{n, plural, one {# value} other {# values}} translated', { n });
  }
  if (key === 'replace') return t('with replacements');
  return ['template', 'text', 'summary'].includes(key) ? t('a text') : '';
}

/** Formats the notation of a date or a time in words: `dd.MM.yyyy` is `day.month.year`. */
function formatDateOrder(format: string): string {
  const day = format.replace(/[\s,]*'?T?'?[Hh].*$/, '');
  return day === ''
    ? format
    : day.replaceAll(/d+|M+|y+/g, ([letter = '']) => dateParts.get(letter) ?? letter);
}

function describeCountry(country: unknown): string {
  if (typeof country === 'string') return /^[A-Z]{2}$/.test(country) ? formatCountry(country) : country;
  const from = toMapFromYaml(country).get('from');
  const columns = from === undefined ? [] : listOf(from).map(String);
  if (columns.length === 0) return '';
  return t('country from {columns}', {
    columns: columns.reduce((first, second) => t('{first} or {second}', { first, second })),
  });
}

/** Returns a YAML map as a Map of its keys and values; an empty one for any other value. */
export function toMapFromYaml(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
