import type { SqlDialect } from './dialect.ts';
import { SqlTokenizer } from './tokens.ts';

/** The beginning of a statement with rows; `next` is the index where these begin. */
export interface RowsStatementHead {
  readonly kind: 'insert' | 'copy';
  readonly name: readonly string[];
  readonly columns: Columns;
  /**
   * True if the lines of a COPY are in the text format with its default delimiter and null text; always true
   * for an INSERT.
   */
  readonly plain: boolean;
  readonly next: number;
}

/** The kind of a statement, read from its beginning. */
export type StatementHead =
  | RowsStatementHead
  /** An INSERT without rows, such as INSERT … SELECT. */
  | { readonly kind: 'rowless'; readonly name: readonly string[] }
  /** A line for the client program (psql, mysql, sqlcmd). */
  | { readonly kind: 'line'; readonly line: string; readonly next: number }
  | { readonly kind: 'other' }
  /** The text ends before the kind is known. */
  | { readonly kind: 'more' };

type Columns = readonly string[] | null;

const clientLine =
  /(?:\\|\/[ \t]*(?=\r?\n|$)|GO[ \t]*(?=\r?\n|$)|(?:REM|PROMPT|DELIMITER)[ \t])[^\n]*(?:\n|$)/iy;
const firstWord = /(?:INSERT|REPLACE|COPY)\b/iy;
const modifiers = /^(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|INTO|ONLY|OVERWRITE|TABLE)$/i;
const longestWord = 12;

/** Reads the beginning of the statement at a position; `whole` is true if the dump ends with the text. */
export function readStatementHead(
  text: string,
  at: number,
  whole: boolean,
  dialect: SqlDialect,
): StatementHead {
  clientLine.lastIndex = at;
  const line = clientLine.exec(text)?.[0];
  if (line !== undefined) return lineHead(line, at, text.length, whole);
  if (!whole && at + longestWord > text.length) return { kind: 'more' };
  firstWord.lastIndex = at;
  const word = firstWord.exec(text)?.[0].toUpperCase();
  if (word === undefined) return { kind: 'other' };
  const tokens = new SqlTokenizer(text, at + word.length, dialect);
  const head = word === 'COPY' ? copyHead(tokens, text, whole) : insertHead(tokens);
  // The next chunk may continue the last token.
  return tokens.at >= text.length && !whole ? { kind: 'more' } : head;
}

function lineHead(line: string, at: number, length: number, whole: boolean): StatementHead {
  const next = at + line.length;
  if (!line.endsWith('\n') && next === length && !whole) return { kind: 'more' };
  return { kind: 'line', line, next };
}

function insertHead(tokens: SqlTokenizer): StatementHead {
  for (;;) {
    const token = tokens.peek();
    if (token.kind !== 'word') break;
    const isOr = /^OR$/i.test(token.text);
    if (!isOr && !modifiers.test(token.text)) break;
    tokens.next();
    // SQLite's OR REPLACE, OR IGNORE.
    if (isOr) tokens.next();
  }
  const name = tokens.qualified();
  if (name.length === 0) return unclear(tokens, name);
  if (tokens.takes('AS')) tokens.next();
  if (tokens.takes('PARTITION')) columnList(tokens);
  const columns = columnList(tokens);
  if (columns === 'none') return unclear(tokens, name);
  if (tokens.takes('OVERRIDING')) {
    tokens.next();
    tokens.next();
  }
  if (!tokens.takes('VALUES') && !tokens.takes('VALUE')) return unclear(tokens, name);
  return { kind: 'insert', name, columns, plain: true, next: tokens.at };
}

function copyHead(tokens: SqlTokenizer, text: string, whole: boolean): StatementHead {
  const name = tokens.qualified();
  const columns = columnList(tokens);
  if (name.length === 0 || columns === 'none' || !tokens.takes('FROM') || !tokens.takes('STDIN'))
    return seen(tokens, { kind: 'other' });
  const options = tokens.at;
  const end = text.indexOf(';', options);
  const newline = text.indexOf('\n', end);
  if (end === -1 || (newline === -1 && !whole)) {
    tokens.at = text.length;
    return { kind: 'other' };
  }
  const plain = !/\b(?:csv|binary|delimiters?|null|header)\b/i.test(text.slice(options, end));
  return { kind: 'copy', name, columns, plain, next: newline === -1 ? text.length : newline + 1 };
}

/** Reads the names in brackets; null if there are no brackets, `none` if they hold anything else. */
function columnList(tokens: SqlTokenizer): Columns | 'none' {
  if (!tokens.takes('(')) return null;
  const names: string[] = [];
  for (;;) {
    const token = tokens.peek();
    if (token.kind !== 'name' && token.kind !== 'word') return 'none';
    tokens.next();
    names.push(token.text);
    if (tokens.takes(')')) return names;
    if (!tokens.takes(',')) return 'none';
  }
}

/**
 * Returns `rowless` for a statement with a table name, else `other`; reads one more token, so that `readStatementHead`
 * returns `more` if the text ends here.
 */
function unclear(tokens: SqlTokenizer, name: readonly string[]): StatementHead {
  return seen(tokens, name.length === 0 ? { kind: 'other' } : { kind: 'rowless', name });
}

function seen(tokens: SqlTokenizer, head: StatementHead): StatementHead {
  const token = tokens.next();
  // The tokenizer returns an unclosed quote, bracket or comment as a character.
  return token.kind === 'character' && /[`"'[/-]/.test(token.text) ? { kind: 'more' } : head;
}
