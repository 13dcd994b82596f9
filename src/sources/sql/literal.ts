import type { Cell } from '../../model/row.ts';
import { type BinaryText, bitText, hexText } from './binary.ts';
import type { SqlDialect } from './dialect.ts';
import { mysqlText, postgresText, standardText } from './escapes.ts';
import { expressionEnd, stringEnd } from './strings.ts';
import type { SqlWarnings } from './warnings.ts';

type Evaluate = (argument: string) => Cell | undefined;

const casted = /^([\s\S]*)\sAS\s+[\w\s(),."[\]]+$/i;
const transcoded = /^([\s\S]*)\sUSING\s+\w+$/i;

/** Functions that dumps write around values, each by what it gives; undefined where it is not that simple. */
const functions: Readonly<Record<string, (args: readonly string[]) => Cell | undefined>> = {
  REPLACE: ([text, what, by]) =>
    text === undefined || what === undefined || by === undefined
      ? undefined
      : text.replaceAll(what, () => by),
  CHAR: (codes) => codes.map((code) => String.fromCodePoint(Number(code))).join(''),
  UNISTR: ([text]) =>
    text?.replace(
      /\\(?:u([0-9a-f]{4})|\+([0-9a-f]{6})|([0-9a-f]{4})|(\\))/gi,
      (_, ...hex: (string | undefined)[]) =>
        String.fromCodePoint(Number.parseInt(hex[0] ?? hex[1] ?? hex[2] ?? '5c', 16)),
    ),
  CONCAT: (parts) => parts.join(''),
  TO_DATE: ([text]) => text,
  TO_TIMESTAMP: ([text]) => text,
  JSON: ([text]) => text,
};

/** The cell of a call of a function that dumps write around values, else undefined. */
function callOf(text: string, dialect: SqlDialect, evaluate: Evaluate): Cell | undefined {
  const begun = /^([A-Za-z_]\w*)\s*\(/.exec(text);
  if (begun === null || !text.endsWith(')')) return undefined;
  const name = begun[1]?.toUpperCase() ?? '';
  const inside = text.slice(begun[0].length, -1);
  if (name === 'CAST' || name === 'CONVERT') {
    const value = (name === 'CAST' ? casted : transcoded).exec(inside)?.[1];
    return value === undefined ? undefined : evaluate(value.trim());
  }
  const give = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (give === undefined) return undefined;
  const cells: string[] = [];
  for (let at = 0; at <= inside.length; ) {
    const end = expressionEnd(inside, at, dialect);
    const cell = evaluate(inside.slice(at, end).trim());
    // NULL within a function is not worth a guess.
    if (cell === undefined || cell === null) return undefined;
    cells.push(cell);
    at = end + 1;
  }
  return give(cells);
}

/** What the reading of values needs beside their text. */
export interface ValueSettings {
  readonly dialect: SqlDialect;
  readonly warnings: SqlWarnings;
  readonly binaryText: BinaryText;
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const hexNumber = /^0x([0-9a-f]*)$/i;
const bitNumber = /^0b([01]+)$/;
const cast = /::\s*(?:[A-Za-z_][\w. ]*|"[^"']*")(?:\([\d\s,]*\))?[\w\s]*(?:\[\])*$/;
/** What may stand before a string: an introducer of a character set, a letter, or the name of a type. */
const prefix =
  /^(?:(_[A-Za-z]\w*)\s*|(N|E|X|B|U&)|(?:DATE|TIME|TIMESTAMP|DATETIME|INTERVAL)(?:\s*\(\d\))?(?:\s+WITH(?:OUT)?\s+TIME\s+ZONE)?\s*)(?=['"])/i;
const trailer = /^(?:\s*COLLATE\s+[\w."]+)?$/i;
const longestCast = 120;

/** The cell of a value as it is written; undefined where it is no value at all. */
export function literalCell(written: string, settings: ValueSettings): Cell | undefined {
  const text = withoutComments(written.trim());
  if (text === '') return undefined;
  const found = knownCell(text, settings);
  if (found !== undefined) return found;
  settings.warnings.note('expression');
  return text;
}

/** The cell of a value whose way of writing is known, else undefined. */
function knownCell(text: string, settings: ValueSettings): Cell | undefined {
  if (number.test(text)) return text;
  return wordCell(text, settings) ?? stringCell(text, settings) ?? nestedCell(text, settings);
}

function wordCell(text: string, { warnings }: ValueSettings): Cell | undefined {
  const digits = hexNumber.exec(text)?.[1];
  const bits = bitNumber.exec(text)?.[1];
  if (digits !== undefined || bits !== undefined) warnings.note('hex');
  if (digits !== undefined) return hexText(digits);
  if (bits !== undefined) return bitText(bits);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : undefined;
}

/** A string with what may stand before and behind it. */
function stringCell(text: string, settings: ValueSettings): Cell | undefined {
  const before = prefix.exec(text);
  const kind = (before?.[2] ?? '').toUpperCase();
  const found = joined(text, before?.[0].length ?? 0, kind, settings.dialect);
  if (found === null || !trailer.test(text.slice(found.end))) return undefined;
  const { whole } = found;
  // As PostgreSQL's COPY writes bits.
  if (kind === 'B' && settings.dialect.postgres) return whole;
  if (kind === 'X' || kind === 'B') {
    settings.warnings.note('hex');
    return kind === 'X' ? hexText(whole) : bitText(whole.replaceAll(/[^01]/g, ''));
  }
  if (before?.[1]?.toLowerCase() !== '_binary') return whole;
  const shown = settings.binaryText(whole);
  if (shown !== whole) settings.warnings.note('hex');
  return shown;
}

/** The text of the strings in a row from a place on, and where they end; null where there is none. */
function joined(
  text: string,
  from: number,
  kind: string,
  dialect: SqlDialect,
): { whole: string; end: number } | null {
  let at = from;
  let whole = '';
  for (;;) {
    const quote = text.charAt(at);
    if (quote !== "'" && quote !== '"') return at === from ? null : { whole, end: at };
    const end = stringEnd(text, at, dialect.backslash || kind === 'E');
    if (end > text.length) return null;
    whole += insideText(text.slice(at + 1, end - 1), quote, kind, dialect);
    at = end;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
}

function insideText(
  inside: string,
  quote: string,
  kind: string,
  { backslash, postgres }: SqlDialect,
): string {
  if (kind === 'E' || (postgres && backslash)) return postgresText(inside);
  const text = backslash ? mysqlText(inside, quote) : standardText(inside, quote);
  if (kind !== 'U&') return text;
  return text.replace(/\\(?:\+([0-9a-f]{6})|([0-9a-f]{4})|(\\))/gi, (all, long?: string, short?: string) => {
    const point = Number.parseInt(long ?? short ?? '5c', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
}

/** A value within something else: brackets, a cast, a dollar quote, a function that gives back its argument. */
function nestedCell(text: string, settings: ValueSettings): Cell | undefined {
  if (/^null$/i.test(text)) return null;
  if (/^default$/i.test(text)) {
    settings.warnings.note('default');
    return null;
  }
  const dollar = /^(\$\w*\$)[\s\S]*\1$/.exec(text)?.[1];
  if (dollar !== undefined) return text.slice(dollar.length, -dollar.length);
  const casted = /['"`]$/.test(text) ? null : cast.exec(text.slice(-longestCast));
  if (casted !== null) return knownCell(text.slice(0, -casted[0].length).trim(), settings);
  if (text.startsWith('(') && expressionEnd(text, 1, settings.dialect) === text.length - 1)
    return knownCell(text.slice(1, -1).trim(), settings);
  return callOf(text, settings.dialect, (argument) => knownCell(argument, settings));
}

function withoutComments(text: string): string {
  const before = /^(?:\/\*[\s\S]*?\*\/\s*|--[^\n]*\n\s*)+/.exec(text)?.[0].length ?? 0;
  const behind = text.endsWith('*/') ? text.lastIndexOf('/*') : text.length;
  return text.slice(before, Math.max(before, behind)).trim();
}
