import { findCheckboxWords } from '../../../datatypes/index.ts';
import type { ColumnRole } from '../columns/header-names.ts';
import type { ValueCounter } from './value-counts.ts';

/** Texts that exports write for "nothing" in any column; in lower case. */
const certain = new Set([
  ...'n/a #n/a #nv #n/d n.a. n.a n/d n.d. s/n s/d k.a. - -- --- – — null <null> \\n undefined'.split(' '),
  ...'(blank) (empty) (leer) (vide) (vacío) (none) (null) [null] #ref! #value! #name? #div/0!'.split(' '),
  ...'n/c n.c. s/o s.o. #¡ref! #¡valor! #¿nombre? #¡div/0! #valeur! #nom? #wert! #bezug! #valore! #rif! #valor!'.split(
    ' ',
  ),
  ...['k. a.', 'keine angabe'],
  // No elements and no properties, as databases write it.
  ...['{}', '[]'],
]);
const longest = Math.max(...[...certain].map((text) => text.length));

/** A date of zeros, as Outlook (`0/0/00`, in German `0.0.00`) and databases write for no date. */
const zeroDate = /^0{1,4}([./-])0{1,2}\1(?:0{1,4})(?:[ T]0?0:00(?::00)?)?$/;

/** Words that stand for "nothing" only in columns where they cannot be a value. */
const doubtfulWords =
  /^(?:none|nil|nan|na|unknown|unk|not (?:known|available|provided|given)|x+|\?+|\.+|unbekannt|keine?|ohne|inconnu|aucun|sans|desconocido|ninguno|sin (?:datos|correo|e-?mail|tel[eé]fono)|sconosciuto|nessuno|onbekend|geen|nvt|brak|nieznany|desconhecido|nenhum|okänd|ukjent|ukendt|未知|无|無|なし|不明|없음)$/iu;
const longestWord = 20;

/** Returns true if a trimmed text stands for "nothing" in a column with this role. */
export function isPlaceholder(text: string, role: ColumnRole | undefined): boolean {
  return isCertain(text) || (isReached(role) && text.length <= longestWord && doubtfulWords.test(text));
}

function isCertain(text: string): boolean {
  return (text.length <= longest && certain.has(text.toLowerCase())) || zeroDate.test(text);
}

/** Returns true for a column of phones or e-mails, where a word cannot be a value. */
function isReached(role: ColumnRole | undefined): boolean {
  return role === 'email' || role === 'phone' || role === 'mobile';
}

/** The part of a column's profile about texts that may stand for "nothing". */
interface SeenTexts {
  readonly name: string;
  readonly role: ColumnRole | undefined;
  readonly placeholders: ReadonlyMap<string, number>;
  readonly distinct: ReadonlyMap<string, number> | null;
  readonly values: Pick<ValueCounter, 'frequent'> | undefined;
}

/** A text that stands for "nothing", in its most frequent spelling, and its number of cells. */
export interface Placeholder {
  readonly text: string;
  readonly cells: number;
}

/** A word that may also be a name, such as Null, counts only if it occurs at least twice. */
const mayBeName = /^\p{L}+$/u;

/** Returns the placeholders of a table's columns, the most frequent first. */
export function findPlaceholders(columns: readonly SeenTexts[]): readonly Placeholder[] {
  const all = new Map<string, Map<string, number>>();
  for (const column of columns) {
    for (const [text, cells] of column.placeholders) {
      const spellings = all.get(text.toLowerCase()) ?? new Map<string, number>();
      all.set(text.toLowerCase(), spellings.set(text, (spellings.get(text) ?? 0) + cells));
    }
  }
  return [...all.values()]
    .flatMap((spellings) => {
      const [usual] = [...spellings].sort((a, b) => b[1] - a[1]);
      const cells = [...spellings.values()].reduce((sum, each) => sum + each, 0);
      if (usual === undefined || (cells === 1 && mayBeName.test(usual[0]))) return [];
      const [text] = usual;
      return isCertain(text) || !isValueOf(columns, text) ? [{ text, cells }] : [];
    })
    .sort((a, b) => b.cells - a.cells);
}

const doubtfulEmail =
  /^(?:no-?e?-?mail|none|nomail|unknown|na|null|fake|dummy|noreply|no-reply|x+|sin-?correo|pas-?de-?mail|keine?-?(?:e-?)?mail)@|@(?:none|unknown|noemail|nomail|invalid)\b/i;
const doubtfulPhone = /^\+?(?:\D*(\d)(?:\D*\1){2,}|0{1,2}|(?:\d{0,3})?1234567(?:89?0?)?)\D*$/;
const fewest = 3;
const mostAsked = 5;

/** Returns true if a column with few distinct values has the text among them. */
function isValueOf(columns: readonly SeenTexts[], text: string): boolean {
  return columns.some(({ distinct }) => distinct?.has(text) === true);
}

/** A text that may stand for "nothing", with its column. */
export interface PossiblePlaceholder extends Placeholder {
  readonly column: string;
}

/**
 * Returns values that occur at least three times in columns of names, phones or e-mails and look like placeholders; at
 * most five.
 */
export function findPossiblePlaceholders(columns: readonly SeenTexts[]): readonly PossiblePlaceholder[] {
  const asked = new Set<string>();
  return columns
    .flatMap(({ name, role, values }) =>
      (values?.frequent(Number.POSITIVE_INFINITY) ?? []).flatMap(({ value, n }) => {
        const shape = role === 'email' ? doubtfulEmail : isReached(role) ? doubtfulPhone : null;
        // emails[0].primary says something about the e-mail.
        const isMark = findCheckboxWords(new Map([[value, n]])) !== null;
        const isWord = doubtfulWords.test(value) || (isReached(role) && !isMark && !/[@\d]/.test(value));
        const isDoubtful = n >= fewest && (isWord || shape?.test(value) === true);
        const isNew = isDoubtful && !asked.has(value.toLowerCase());
        if (isNew) asked.add(value.toLowerCase());
        return isNew ? [{ column: name, text: value, cells: n }] : [];
      }),
    )
    .slice(0, mostAsked);
}
