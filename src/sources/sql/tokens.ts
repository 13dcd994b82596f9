import type { SqlDialect } from './dialect.ts';

/**
 * A token of a statement: a quoted name or a string (without the quotes), a word, a character, or the end of
 * the text.
 */
export interface SqlToken {
  readonly kind: 'name' | 'word' | 'string' | 'character' | 'end';
  readonly text: string;
  readonly end: number;
}

const blank = String.raw`[\s\ufeff]+|--[^\n]*(?:\n|$)|/\*M?!\d*|/\*[\s\S]*?\*/|\*/`;
const name = String.raw`(${'`'}(?:[^${'`'}]|${'``'})*${'`'}|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\])`;
const word = String.raw`([A-Za-z_\u0080-\uffff][\w$#\u0080-\uffff]*)`;
const standardString = "'(?:[^']|'')*'";
const escapedString = String.raw`'(?:[^'\\]|''|\\[\s\S])*'`;
const patterns = new Map<string, RegExp>();

function patternOf({ backslash, mysql }: SqlDialect): RegExp {
  const key = `${backslash} ${mysql}`;
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const blanks = `(?:${blank}${mysql ? String.raw`|#[^\n]*(?:\n|$)` : ''})*`;
  const string = backslash ? escapedString : standardString;
  const made = new RegExp(String.raw`${blanks}(?:${name}|${word}|(${string})|([\s\S])|$)`, 'y');
  patterns.set(key, made);
  return made;
}

/** Reads the tokens of a statement, skipping white space and comments. */
export class SqlTokenizer {
  at: number;
  readonly #text: string;
  readonly #pattern: RegExp;

  constructor(text: string, at: number, dialect: SqlDialect) {
    this.#text = text;
    this.at = at;
    this.#pattern = patternOf(dialect);
  }

  next(): SqlToken {
    const token = this.peek();
    this.at = token.end;
    return token;
  }

  peek(): SqlToken {
    this.#pattern.lastIndex = this.at;
    const found = this.#pattern.exec(this.#text);
    const end = found === null ? this.#text.length : this.#pattern.lastIndex;
    if (found?.[1] !== undefined) return { kind: 'name', text: unquoted(found[1]), end };
    if (found?.[2] !== undefined) return { kind: 'word', text: found[2], end };
    if (found?.[3] !== undefined) return { kind: 'string', text: found[3].slice(1, -1), end };
    if (found?.[4] !== undefined) return { kind: 'character', text: found[4], end };
    return { kind: 'end', text: '', end };
  }

  /**
   * Consumes the next token and returns true if it is this word (in upper case) or character; otherwise returns false.
   */
  takes(text: string): boolean {
    const token = this.peek();
    const same = token.kind === 'word' ? token.text.toUpperCase() === text : token.text === text;
    if (!same || (token.kind !== 'word' && token.kind !== 'character')) return false;
    this.at = token.end;
    return true;
  }

  /** Reads the parts of a name: database and schema, if there are any, and the name; empty if there is no name. */
  qualified(): string[] {
    const parts: string[] = [];
    do {
      const token = this.peek();
      if (token.kind !== 'name' && token.kind !== 'word') return [];
      this.at = token.end;
      parts.push(token.text);
    } while (this.takes('.'));
    return parts;
  }
}

function unquoted(name: string): string {
  const end = name.slice(-1);
  return name.slice(1, -1).replaceAll(end + end, end);
}
