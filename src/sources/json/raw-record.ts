import { SubstringFinder } from '../finder.ts';

/** The reason why the text of a record is not parsed. */
export type JsonRecordProblem = 'encoding' | 'tooLarge' | 'tooDeep';

/** The text of one record, or its beginning if it is too large. */
export interface RawJsonRecord {
  /** The line in NDJSON; the number of the record in an array, from 1. */
  readonly line: number;
  readonly text: string;
  readonly problem: JsonRecordProblem | null;
}

/** The maximum nesting depth of a record. */
export const maxJsonDepth = 100;

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/**
 * The place where a scan stopped: `closed` at the record's end, `forced` at a stray closing bracket, `more` at the end
 * of the chunk.
 */
interface ScanEnd {
  readonly kind: 'closed' | 'forced' | 'more';
  readonly at: number;
}

/**
 * Finds the end of each value by its brackets and quotes alone, so that an invalid record does not affect the next
 * ones. A line end closes a string that lacks its closing quote.
 */
export class JsonRecordScanner {
  tooDeep = false;
  readonly #quotes = new SubstringFinder('"');
  readonly #backslashes = new SubstringFinder('\\');
  readonly #lineEnds = new SubstringFinder('\n');
  readonly #closers: number[] = [];
  #text = '';
  /** The number of open brackets beyond the maximum depth. */
  #beyond = 0;
  #within: 'brackets' | 'string' | 'scalar' = 'scalar';
  #begun = false;
  #escaped = false;

  setText(text: string): void {
    this.#text = text;
    this.#quotes.setText(text);
    this.#backslashes.setText(text);
    this.#lineEnds.setText(text);
  }

  begin(): void {
    this.tooDeep = false;
    this.#closers.length = 0;
    this.#beyond = 0;
    this.#within = 'scalar';
    this.#begun = false;
    this.#escaped = false;
  }

  /** Scans from an index; the first call after `begin` must be at the value's first character. */
  scan(from: number): ScanEnd {
    let at = from;
    while (at < this.#text.length) {
      if (this.#within === 'string') {
        at = this.#pastString(at);
        if (this.#within !== 'string' && this.#closers.length === 0) return { kind: 'closed', at };
        continue;
      }
      const character = this.#text.charCodeAt(at);
      const next = this.#character(character);
      if (next === 'forced' || next === 'before') return { kind: next === 'forced' ? next : 'closed', at };
      at += 1;
      if (next === 'closed') return { kind: 'closed', at };
      this.#begun = true;
    }
    return { kind: 'more', at };
  }

  /**
   * Handles a character outside of strings. `on`: the value continues; `closed`: the character ends it;
   * `before`: the value ended before it; `forced`: the character is a stray closing bracket.
   */
  #character(character: number): 'on' | 'closed' | 'forced' | 'before' {
    const bare = this.#within === 'scalar' && this.#closers.length === 0;
    if (bare && this.#begun && endsScalar(character)) return 'before';
    switch (character) {
      case quote:
        this.#within = 'string';
        return 'on';
      case openBrace:
      case openBracket:
        this.#within = 'brackets';
        this.#open(character);
        return 'on';
      case closeBrace:
      case closeBracket:
        if (!this.#close(character)) return 'forced';
        return this.#closers.length === 0 ? 'closed' : 'on';
      default:
        return 'on';
    }
  }

  #open(character: number): void {
    if (this.#closers.length < maxJsonDepth) {
      this.#closers.push(character === openBrace ? closeBrace : closeBracket);
    } else {
      this.#beyond += 1;
      this.tooDeep = true;
    }
  }

  /** Closes the matching bracket and all open ones within it; returns false if none matches. */
  #close(character: number): boolean {
    if (this.#beyond > 0) {
      this.#beyond -= 1;
      return true;
    }
    const opened = this.#closers.lastIndexOf(character);
    if (opened === -1) return false;
    this.#closers.length = opened;
    return true;
  }

  #pastString(from: number): number {
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at += 1;
    }
    for (;;) {
      const close = this.#quotes.from(at);
      const backslash = this.#backslashes.from(at);
      const lineEnd = this.#lineEnds.from(at);
      const first = Math.min(close, backslash, lineEnd);
      if (first >= this.#text.length) return this.#text.length;
      if (first !== backslash) {
        this.#within = this.#closers.length === 0 ? 'scalar' : 'brackets';
        return first === close ? first + 1 : first;
      }
      if (first + 1 >= this.#text.length) {
        this.#escaped = true;
        return this.#text.length;
      }
      at = first + 2;
    }
  }
}

function endsScalar(character: number): boolean {
  return (
    character === comma ||
    character === quote ||
    character === openBrace ||
    character === openBracket ||
    character === closeBrace ||
    character === closeBracket ||
    isJsonWhitespace(character)
  );
}

/** True if a character is white space in JSON. */
export function isJsonWhitespace(character: number): boolean {
  return character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09;
}
