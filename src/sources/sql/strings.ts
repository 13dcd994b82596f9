import type { SqlDialect } from './dialect.ts';

const tag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

/** The place behind the quote that closes the one at `at`; behind the text where there is none. */
export function stringEnd(text: string, at: number, escapes: boolean): number {
  const quote = text.charCodeAt(at);
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 92 && escapes) next += 1;
    else if (code === quote) {
      if (text.charCodeAt(next + 1) !== quote) return next + 1;
      next += 1;
    }
  }
  return text.length + 1;
}

/** The mark that opens a dollar quote at a place; undefined where none stands there. */
export function dollarTag(text: string, at: number): string | undefined {
  tag.lastIndex = at;
  return isWord(text.charCodeAt(at - 1)) ? undefined : tag.exec(text)?.[0];
}

/** Whether the quote at a place opens PostgreSQL's E'…'. */
export function isEscapeString(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) | 32) === 101 && !isWord(text.charCodeAt(at - 2));
}

/** The place of the comma or bracket that ends the expression at `at`; behind the text where there is none. */
export function expressionEnd(text: string, at: number, dialect: SqlDialect): number {
  let depth = 0;
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    const quoted = quotedEnd(text, next, code, dialect);
    if (quoted !== null) {
      next = quoted;
      continue;
    }
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if (code === 41 || code === 93 || code === 125) depth -= 1;
    if (depth < 0 || (code === 44 && depth === 0)) return next;
    next += 1;
  }
  return next;
}

function quotedEnd(text: string, at: number, code: number, dialect: SqlDialect): number | null {
  if (code === 39)
    return stringEnd(text, at, dialect.backslash || (dialect.postgres && isEscapeString(text, at)));
  if (code === 34) return stringEnd(text, at, dialect.backslash);
  if (code === 96) return stringEnd(text, at, false);
  const mark = code === 36 && dialect.postgres ? dollarTag(text, at) : undefined;
  if (mark === undefined) return null;
  const end = text.indexOf(mark, at + mark.length);
  return end === -1 ? text.length + 1 : end + mark.length;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 95 || code > 127;
}
