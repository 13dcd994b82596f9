import type { SqlDialect } from './dialect.ts';

const tag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

/** Returns the index after the closing quote of the string at `at`; beyond the text if the string is unclosed. */
export function findSqlStringEnd(text: string, at: number, escapes: boolean): number {
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

/** Returns the dollar quote tag at an index; undefined if there is none. */
function dollarTag(text: string, at: number): string | undefined {
  tag.lastIndex = at;
  return isWord(text.charCodeAt(at - 1)) ? undefined : tag.exec(text)?.[0];
}

/** True if the quote at an index opens PostgreSQL's E'…'. */
function isEscapeString(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) | 32) === 101 && !isWord(text.charCodeAt(at - 2));
}

/** Returns the index of the comma or bracket that ends the expression at `at`; the text length if there is none. */
export function findExpressionEnd(text: string, at: number, dialect: SqlDialect): number {
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
    return findSqlStringEnd(text, at, dialect.backslash || (dialect.postgres && isEscapeString(text, at)));
  if (code === 34) return findSqlStringEnd(text, at, dialect.backslash);
  if (code === 96) return findSqlStringEnd(text, at, false);
  const mark = code === 36 && dialect.postgres ? dollarTag(text, at) : undefined;
  if (mark === undefined) return null;
  const end = text.indexOf(mark, at + mark.length);
  return end === -1 ? text.length + 1 : end + mark.length;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 95 || code > 127;
}

/** The place to stop a walk: at a token, after the closing bracket, or at the end of a statement. */
type StopAt = 'solid' | 'close' | 'terminator';

/** `stop`: reached; `more`: the text ends first; `unbalanced`: the statement ends before the bracket is closed. */
type Step = 'stop' | 'more' | 'unbalanced';

type Place = 'plain' | 'quoted' | 'line' | 'block' | 'dollar';

const quote = 39;
const doubleQuote = 34;
const backtick = 96;
const backslash = 92;
const longestTag = 70;
const conditional = /\/\*M?!\d*/y;
const batchEnd = /\n[ \t]*(?:GO[ \t]*(?:\r?\n|$)|INSERT\b)/iy;

/** Walks SQL text chunk by chunk past strings, quoted names and comments; keeps its state between chunks. */
class SqlWalk {
  text = '';
  /** True if the dump ends with the text. */
  whole = false;
  at = 0;
  #dialect: SqlDialect;
  #marks: Uint8Array;
  #place: Place = 'plain';
  #quote = quote;
  #escapes = false;
  #tag = '';
  #comments = 0;
  #depth = 0;

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
    this.#marks = marksOf(dialect);
  }

  get dialect(): SqlDialect {
    return this.#dialect;
  }

  set dialect(dialect: SqlDialect) {
    this.#dialect = dialect;
    this.#marks = marksOf(dialect);
  }

  /** True if the position is inside a string, a quoted name or a block comment. */
  get enclosed(): boolean {
    return this.#place !== 'plain' && this.#place !== 'line';
  }

  /** Starts a new part at a position. */
  begin(at: number): void {
    this.at = at;
    this.#place = 'plain';
    this.#depth = 0;
  }

  /**
   * Walks from `at` to a stop, and advances `at`; after `more`, the text must keep the two characters before
   * `at` when the next chunk is appended.
   */
  to(until: StopAt): Step {
    for (;;) {
      const step = this.#on(until);
      if (step !== null) return step;
    }
  }

  /** Walks to the next change of state; returns null if the walk continues. */
  #on(until: StopAt): Step | null {
    switch (this.#place) {
      case 'plain':
        return until === 'solid' ? this.#solid() : this.#plain(until);
      case 'quoted':
        return this.#quoted();
      case 'line':
        return this.#past('\n');
      case 'block':
        return this.#block();
      case 'dollar':
        return this.#past(this.#tag);
    }
  }

  #solid(): Step | null {
    const { text } = this;
    let { at } = this;
    while (at < text.length && isSqlWhitespace(text.charCodeAt(at))) at += 1;
    this.at = at;
    if (at === text.length) return 'more';
    const comment = this.#comment(text.charCodeAt(at));
    return comment === 'none' ? 'stop' : comment;
  }

  #plain(until: StopAt): Step | null {
    const { text } = this;
    const marks = this.#marks;
    let { at } = this;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code > 127 || marks[code] === 0) at += 1;
      else if (code === quote) {
        const { backslash: escapes, postgres } = this.#dialect;
        return this.#open(code, at, escapes || (postgres && isEscapeString(text, at)));
      } else if (code === 40) {
        this.#depth += 1;
        at += 1;
      } else if (code === 41) {
        this.#depth -= 1;
        at += 1;
        if (this.#depth !== 0 || until !== 'close') continue;
        this.at = at;
        return 'stop';
      } else {
        this.at = at;
        return this.#mark(code, until);
      }
    }
    this.at = at;
    return 'more';
  }

  /** Handles a character that may open a quote, end the statement or begin a comment; else skips it. */
  #mark(code: number, until: StopAt): Step | null {
    const { dialect } = this;
    if (code === doubleQuote) return this.#open(code, this.at, dialect.backslash);
    if (code === backtick) return this.#open(code, this.at, false);
    if (code === 91 && dialect.batches) return this.#open(93, this.at, false);
    const ends = this.#ends();
    if (ends === 'more') return 'more';
    if (ends === 'yes') return until === 'close' ? 'unbalanced' : 'stop';
    if (code === 10 && until === 'terminator') return this.#batch();
    if (code === 36 && dialect.postgres) return this.#dollar();
    const comment = this.#comment(code);
    return comment === 'none' ? this.#pass(1) : comment;
  }

  #ends(): 'yes' | 'no' | 'more' {
    const { text, at, whole } = this;
    const { terminator } = this.#dialect;
    if (text.startsWith(terminator, at)) return 'yes';
    const begun = !whole && at + terminator.length > text.length;
    return begun && terminator.startsWith(text.slice(at)) ? 'more' : 'no';
  }

  #batch(): Step | null {
    if (!this.whole && this.at + 24 > this.text.length) return 'more';
    batchEnd.lastIndex = this.at;
    this.at += 1;
    return batchEnd.test(this.text) ? 'stop' : null;
  }

  #dollar(): Step | null {
    if (!this.whole && this.at + longestTag > this.text.length) return 'more';
    const tag = dollarTag(this.text, this.at);
    if (tag === undefined) return this.#pass(1);
    this.#tag = tag;
    return this.#pass(tag.length, 'dollar');
  }

  /**
   * Enters the comment that begins here, or skips the opening or the end of a conditional comment. Returns
   * `none` if neither is here, `more` if the text ends before that is known.
   */
  #comment(code: number): 'none' | 'more' | null {
    const { text, at } = this;
    const { mysql } = this.#dialect;
    if (code === 35 && mysql) return this.#pass(1, 'line');
    if (code !== 45 && code !== 47 && code !== 42) return 'none';
    if (!this.whole && at + 12 > text.length) return 'more';
    if (code === 42) return text.startsWith('*/', at) ? this.#pass(2) : 'none';
    if (code === 45) {
      const counts = !mysql || isSqlWhitespace(text.charCodeAt(at + 2)) || at + 2 === text.length;
      return text.startsWith('--', at) && counts ? this.#pass(2, 'line') : 'none';
    }
    conditional.lastIndex = at;
    const mark = mysql ? conditional.exec(text) : null;
    if (mark !== null) return this.#pass(mark[0].length);
    if (!text.startsWith('/*', at)) return 'none';
    this.#comments = 1;
    return this.#pass(2, 'block');
  }

  #quoted(): Step | null {
    const { text, whole } = this;
    const end = this.#quote;
    let { at } = this;
    for (;;) {
      while (at < text.length) {
        const code = text.charCodeAt(at);
        if (code === end || (code === backslash && this.#escapes)) break;
        at += 1;
      }
      this.at = at;
      // The next character decides the meaning of an escape or a quote.
      if (at >= text.length || (at + 1 === text.length && !whole)) return 'more';
      if (text.charCodeAt(at) === end && text.charCodeAt(at + 1) !== end) return this.#pass(1);
      at += 2;
    }
  }

  #block(): Step | null {
    const { text } = this;
    for (;;) {
      const end = text.indexOf('*/', this.at);
      const inner = this.#dialect.postgres ? text.indexOf('/*', this.at) : -1;
      if (end === -1 && inner === -1) return this.#wait(1);
      const isInner = inner !== -1 && (end === -1 || inner < end);
      this.#comments += isInner ? 1 : -1;
      this.at = (isInner ? inner : end) + 2;
      if (this.#comments === 0) return this.#pass(0);
    }
  }

  #past(mark: string): Step | null {
    const end = this.text.indexOf(mark, this.at);
    if (end === -1) return this.#wait(mark.length - 1);
    this.at = end;
    return this.#pass(mark.length);
  }

  #wait(keep: number): 'more' {
    this.at = Math.max(this.at, this.text.length - keep);
    return 'more';
  }

  #open(end: number, at: number, escapes: boolean): null {
    this.#quote = end;
    this.#escapes = escapes;
    this.at = at;
    return this.#pass(1, 'quoted');
  }

  /** Skips characters and sets the state. */
  #pass(length: number, place: Place = 'plain'): null {
    this.#place = place;
    this.at += length;
    return null;
  }
}

/** True if a character is white space between tokens; a BOM within a dump counts as such. */
export function isSqlWhitespace(code: number): boolean {
  return code <= 32 || code === 0xfeff || code === 0xa0;
}

function marksOf({ terminator, batches }: SqlDialect): Uint8Array {
  const marks = new Uint8Array(128);
  for (const mark of `'"\`()-#/*$${terminator.charAt(0)}${batches ? '[\n' : ''}`) {
    const code = mark.charCodeAt(0);
    if (code < 128) marks[code] = 1;
  }
  return marks;
}

// The number of characters kept before the position: they decide whether E'…' or $tag$ begins there.
const before = 2;

/** The part of a dump in memory, with the walk through it and the line count. */
export class SqlTextWindow extends SqlWalk {
  /** The start of the text to keep until a record is complete; -1 for none. */
  hold = -1;
  #line = 1;
  #counted = 0;
  #newline = -1;

  /**
   * Appends a chunk, and drops the text before `hold` (or, if that is -1, before the position), which is no longer
   * needed. The last two characters of that text are kept.
   */
  add(chunk: string): void {
    const keep = Math.max(0, Math.min(this.hold === -1 ? this.at : this.hold, this.at) - before);
    this.#count(keep);
    this.text = this.text.slice(keep) + chunk;
    this.at -= keep;
    this.#counted -= keep;
    this.#newline = this.text.indexOf('\n', this.#counted);
    if (this.hold !== -1) this.hold -= keep;
  }

  /** Returns the line of a position; positions must not decrease. */
  lineOf(at: number): number {
    this.#count(at);
    return this.#line;
  }

  /** Returns a copy of the held text up to a position: a slice would retain the whole window. */
  held(to: number): string {
    return copyString(this.text.slice(this.hold, to));
  }

  #count(to: number): void {
    while (this.#newline !== -1 && this.#newline < to) {
      this.#line += 1;
      this.#newline = this.text.indexOf('\n', this.#newline + 1);
    }
    this.#counted = Math.max(this.#counted, to);
  }
}

/** Returns a copy that does not share memory with its source string. */
export function copyString(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
