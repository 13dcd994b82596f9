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
  es: () => import('./words/es.json'),
  fr: () => import('./words/fr.json'),
  pt: () => import('./words/pt.json'),
};

/** Returns the first preferred locale (`de-AT`) in whose language the page exists; `en` if there is none. */
export function chooseLocale(preferred: readonly string[]): string {
  return preferred.find((tag) => languageOf(tag) === 'en' || languageOf(tag) in catalogues) ?? 'en';
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
  return {
    /** Returns a message: `t('{n, plural, one {# row} other {# rows}}', { n: 3 })`. */
    t(message: string, values?: Values): string {
      return values === undefined
        ? (catalogue[message] ?? message)
        : String(formatOf(message).format(values));
    },
    /** Returns a constant text of the engine, such as the label of an outcome, in this language, else in English. */
    translateEngineText: (text: string): string => catalogue[text] ?? text,
    /** Returns a message with elements: `rich('See <a>History</a>', { a: (parts) => <a href="…">{parts}</a> })`. */
    rich: (message: string, values: RichValues): ComponentChildren =>
      formatOf(message).format<ComponentChildren>(values),
  };
}

/** The reader's locale, by which numbers, dates and plurals are written. */
export const locale = chooseLocale(globalThis.navigator?.languages ?? []);

const load = catalogues[languageOf(locale)];

// Every module that has messages waits here, so a message can be a constant.
export const { t, rich, translateEngineText } = createTranslator(
  locale,
  load === undefined ? {} : (await load()).default,
);
