import ISO6391 from 'iso-639-1';
import { createCellError, maxShortCellLength, type ParsedCell, quoteCell } from './data-type.ts';
import { collapseWhiteSpace } from './whitespace.ts';

const aliases: Readonly<Record<string, readonly string[]>> = {
  en: ['American English', 'British English'],
  es: ['Castilian', 'Castellano'],
  fa: ['Farsi'],
  he: ['iw'],
  id: ['in', 'Bahasa Indonesia'],
  ms: ['Bahasa Melayu', 'Bahasa Malaysia'],
  nl: ['Flemish', 'Vlaams'],
  pt: ['Brazilian Portuguese'],
  tl: ['Filipino', 'fil'],
  zh: ['Mandarin', 'Simplified Chinese', 'Traditional Chinese'],
};

const codeOf = table();

function folded(name: string): string {
  return collapseWhiteSpace(name).toLowerCase();
}

function table(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { code, name, nativeName } of ISO6391.getLanguages(ISO6391.getAllCodes())) {
    for (const spelling of [name, nativeName, ...name.split(','), ...nativeName.split(',')]) {
      const key = folded(spelling.replace(/\(.*?\)/g, ' '));
      if (key !== '' && !found.has(key)) found.set(key, code);
    }
  }
  // Aliases and codes come last, because they take precedence over names.
  for (const [code, names] of Object.entries(aliases))
    for (const name of names) found.set(folded(name), code);
  for (const code of ISO6391.getAllCodes()) found.set(code, code);
  return found;
}

const localeTag = /^([a-z]{2,3})(?:[-_@.][a-z0-9_.@-]+)?$/;
const inParentheses = /\s*[([].*[)\]]$/;

/** Parses an English or native name, a code, or a locale such as `en-US` into an ISO 639-1 code. */
export function parseLanguage(cell: string): ParsedCell<string> {
  const name = cell.length <= maxShortCellLength ? folded(cell) : '';
  const value = codeOf.get(name) ?? codeOf.get(name.replace(inParentheses, '')) ?? codeOfTag(name);
  if (value !== undefined) return { ok: true, value };
  return createCellError(
    `${quoteCell(cell)} is not a language; expected an English or native name or an ISO 639-1 code such as Malay or ms (values: can translate others).`,
  );
}

function codeOfTag(name: string): string | undefined {
  const language = localeTag.exec(name)?.[1];
  if (language === undefined) return undefined;
  // The canonical form of ISO 639-2 codes (eng, deu, ger) has two letters.
  return codeOf.get(language) ?? codeOf.get(Intl.getCanonicalLocales(language)[0] ?? '');
}
