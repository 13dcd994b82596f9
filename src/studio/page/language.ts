import { IntlMessageFormat } from 'intl-messageformat';
import type { ComponentChildren } from 'preact';

/** A catalogue: the English message, which is in the code, → its translation, both in ICU message syntax. */
export type Catalogue = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, string | number>>;
type RichValues = Readonly<
  Record<string, ComponentChildren | ((parts: ComponentChildren[]) => ComponentChildren)>
>;

const catalogues: Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>> = {
  de: () => import('./words/de.json'),
  en: () => import('./words/en.json'),
  es: () => import('./words/es.json'),
  fr: () => import('./words/fr.json'),
  pt: () => import('./words/pt.json'),
};

/** Returns the first preferred locale (`de-AT`) in whose language the page exists; `en` if there is none. */
export function chooseLocale(preferred: readonly string[]): string {
  return preferred.find((tag) => languageOf(tag) in catalogues) ?? 'en';
}

function languageOf(tag: string): string {
  return tag.split('-')[0] ?? tag;
}

/** Creates the functions that return the page's messages in a locale; a message without a translation is in English. */
export function createTranslator(locale: string, catalogue: Catalogue) {
  const formats = new Map<string, IntlMessageFormat>();
  const formatOf = (message: string) => {
    const known = formats.get(message);
    if (known !== undefined) return known;
    const translation = catalogue[message];
    const format = new IntlMessageFormat(translation ?? message, translation === undefined ? 'en' : locale);
    formats.set(message, format);
    return format;
  };
  const patterns = Object.entries(catalogue)
    .filter(([message]) => message.includes('{0}'))
    // Of two messages that a text fits, the longer one says more about it.
    .sort(([a], [b]) => b.length - a.length)
    .map(([message, translation]) => ({ pattern: toPattern(message), translation }));
  /** Returns a text of the engine in the words of the page, by its exact English or by a message such as `line {0}`. */
  function translateEngineText(text: string): string {
    if (catalogue[text] !== undefined) return catalogue[text];
    if (/^\d{1,3}(?:,\d{3})+$/.test(text)) return Number(text.replaceAll(',', '')).toLocaleString(locale);
    for (const { pattern, translation } of patterns) {
      const values = pattern.exec(text)?.groups;
      if (values !== undefined)
        return translation.replaceAll(/\{(\d)\}/g, (_, n) => translateEngineText(values[`v${n}`] ?? ''));
    }
    return text;
  }
  return {
    /** Returns a message: `t('{n, plural, one {# row} other {# rows}}', { n: 3 })`. */
    t(message: string, values?: Values): string {
      return values === undefined
        ? (catalogue[message] ?? message)
        : String(formatOf(message).format(values));
    },
    translateEngineText,
    /** Returns a message with elements: `rich('See <a>History</a>', { a: (parts) => <a href="…">{parts}</a> })`. */
    rich: (message: string, values: RichValues): ComponentChildren =>
      formatOf(message).format<ComponentChildren>(values),
  };
}

/** Returns the expression of the texts of a message with numbered values; a value that occurs twice is the same. */
function toPattern(message: string): RegExp {
  const seen = new Set<string>();
  const parts = message.split(/\{(\d)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    if (seen.has(part)) return String.raw`\k<v${part}>`;
    seen.add(part);
    return `(?<v${part}>[^]+?)`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** The reader's locale, by which numbers, dates and plurals are written. */
export const locale = chooseLocale(globalThis.navigator?.languages ?? []);

const load = catalogues[languageOf(locale)];

// Every module that has messages waits here, so a message can be a constant.
/** The catalogue of the reader's language; empty where the texts of the code are shown. */
export const catalogue = load === undefined ? {} : (await load()).default;

export const { t, rich, translateEngineText } = createTranslator(locale, catalogue);
