import type { SqlDialect } from './dialect.ts';
import { dollarTag, isEscapeString } from './strings.ts';

/** Where a walk stops: at what is neither blank nor comment, after the bracket that closes, or at a statement's end. */
export type Until = 'solid' | 'close' | 'terminator';

/** `stop`: it is there; `more`: the text ends before it; `unbalanced`: the statement ends before the bracket is closed. */
export type Step = 'stop' | 'more' | 'unbalanced';

const quote = 39;
const doubleQuote = 34;
const backtick = 96;
const backslash = 92;
const longestTag = 70;
const conditional = /\/\*M?!\d*/y;
const batchEnd = /\n[ \t]*(?:GO[ \t]*(?:\r?\n|$)|INSERT\b)/iy;

/** Walks through SQL text that comes chunk by chunk, past strings, quoted names and comments; keeps its place between chunks. */
export class Walk {
  at = 0;
  #dialect: SqlDialect;
  #marks: Uint8Array;
  #place: 'plain' | 'quoted' | 'line' | 'block' | 'dollar' = 'plain';
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

  /** Whether the walk stands in a string, a quoted name or a comment that has not ended. */
  get enclosed(): boolean {
    return this.#place !== 'plain' && this.#place !== 'line';
  }

  begin(at: number): void {
    this.at = at;
    this.#place = 'plain';
    this.#depth = 0;
  }

  /** Goes on from `at`, which it moves; two characters before `at` must be there again with the next chunk. */
  to(until: Until, text: string, whole: boolean): Step {
    for (;;) {
      const step = this.#on(until, text, whole);
      if (step !== null) return step;
    }
  }

  #on(until: Until, text: string, whole: boolean): Step | null {
    switch (this.#place) {
      case 'plain':
        return until === 'solid' ? this.#solid(text, whole) : this.#plain(until, text, whole);
      case 'quoted':
        return this.#quoted(text, whole);
      case 'line':
        return this.#past(text, '\n');
      case 'block':
        return this.#block(text);
      case 'dollar':
        return this.#past(text, this.#tag);
    }
  }

  #solid(text: string, whole: boolean): Step | null {
    let at = this.at;
    while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
    this.at = at;
    if (at === text.length) return 'more';
    const comment = this.#comment(text.charCodeAt(at), text, whole);
    if (comment === 'none') return 'stop';
    return comment === 'more' ? 'more' : null;
  }

  #plain(until: Until, text: string, whole: boolean): Step | null {
    const marks = this.#marks;
    let at = this.at;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code > 127 || marks[code] === 0) at += 1;
      else if (code === quote)
        return this.#open(
          code,
          at,
          this.#dialect.backslash || (this.#dialect.postgres && isEscapeString(text, at)),
        );
      else if (code === 40) {
        this.#depth += 1;
        at += 1;
      } else if (code === 41) {
        this.#depth -= 1;
        at += 1;
        if (this.#depth === 0 && until === 'close') return this.#stop(at);
      } else {
        this.at = at;
        const step = this.#mark(code, until, text, whole);
        if (step !== 'on') return step;
        at = this.at;
      }
    }
    this.at = at;
    return 'more';
  }

  /** A character that may mean something: `on` where it does not, or is done with. */
  #mark(code: number, until: Until, text: string, whole: boolean): Step | 'on' | null {
    const { dialect } = this;
    if (code === doubleQuote) return this.#open(code, this.at, dialect.backslash);
    if (code === backtick) return this.#open(code, this.at, false);
    if (code === 91 && dialect.batches) return this.#open(93, this.at, false);
    const ends = this.#ends(text, whole);
    if (ends === 'more') return 'more';
    if (ends === 'yes') return until === 'close' ? 'unbalanced' : 'stop';
    if (code === 10 && until === 'terminator') return this.#batch(text, whole);
    if (code === 36 && dialect.postgres) return this.#dollar(text, whole);
    const comment = this.#comment(code, text, whole);
    if (comment === 'more') return 'more';
    if (comment === 'entered') return null;
    this.at += 1;
    return 'on';
  }

  #ends(text: string, whole: boolean): 'yes' | 'no' | 'more' {
    const { terminator } = this.#dialect;
    if (text.startsWith(terminator, this.at)) return 'yes';
    const begun = !whole && this.at + terminator.length > text.length;
    return begun && terminator.startsWith(text.slice(this.at)) ? 'more' : 'no';
  }

  #batch(text: string, whole: boolean): Step | 'on' {
    if (!whole && this.at + 24 > text.length) return 'more';
    batchEnd.lastIndex = this.at;
    this.at += 1;
    return batchEnd.test(text) ? 'stop' : 'on';
  }

  #dollar(text: string, whole: boolean): Step | 'on' | null {
    if (!whole && this.at + longestTag > text.length) return 'more';
    const tag = dollarTag(text, this.at);
    if (tag === undefined) {
      this.at += 1;
      return 'on';
    }
    this.#place = 'dollar';
    this.#tag = tag;
    this.at += tag.length;
    return null;
  }

  /** Enters the comment that begins here, or passes the mark of a conditional one. */
  #comment(code: number, text: string, whole: boolean): 'none' | 'more' | 'entered' {
    const { at } = this;
    if (code === 35 && this.#dialect.mysql) return this.#enter('line', 1);
    if (code !== 45 && code !== 47 && code !== 42) return 'none';
    if (!whole && at + 12 > text.length) return 'more';
    if (code === 42) return text.startsWith('*/', at) ? this.#enter('plain', 2) : 'none';
    if (code === 45) {
      const begins = text.startsWith('--', at);
      const counts =
        begins && (!this.#dialect.mysql || isBlank(text.charCodeAt(at + 2)) || at + 2 === text.length);
      return counts ? this.#enter('line', 2) : 'none';
    }
    conditional.lastIndex = at;
    const mark = this.#dialect.mysql ? conditional.exec(text) : null;
    if (mark !== null) return this.#enter('plain', mark[0].length);
    if (!text.startsWith('/*', at)) return 'none';
    this.#comments = 1;
    return this.#enter('block', 2);
  }

  #quoted(text: string, whole: boolean): Step | null {
    const end = this.#quote;
    let { at } = this;
    for (;;) {
      while (at < text.length) {
        const code = text.charCodeAt(at);
        if (code === end || (code === backslash && this.#escapes)) break;
        at += 1;
      }
      this.at = at;
      // What follows an escape or a quote decides what it means.
      if (at >= text.length || (at + 1 === text.length && !whole)) return 'more';
      if (text.charCodeAt(at) === end && text.charCodeAt(at + 1) !== end) {
        this.#place = 'plain';
        this.at += 1;
        return null;
      }
      at += 2;
    }
  }

  #block(text: string): Step | null {
    for (;;) {
      const end = text.indexOf('*/', this.at);
      const inner = this.#dialect.postgres ? text.indexOf('/*', this.at) : -1;
      if (end === -1 && inner === -1) return this.#wait(text, 1);
      if (inner !== -1 && (end === -1 || inner < end)) {
        this.#comments += 1;
        this.at = inner + 2;
        continue;
      }
      this.#comments -= 1;
      this.at = end + 2;
      if (this.#comments > 0) continue;
      this.#place = 'plain';
      return null;
    }
  }

  #past(text: string, mark: string): Step | null {
    const end = text.indexOf(mark, this.at);
    if (end === -1) return this.#wait(text, mark.length - 1);
    this.at = end + mark.length;
    this.#place = 'plain';
    return null;
  }

  #wait(text: string, keep: number): 'more' {
    this.at = Math.max(this.at, text.length - keep);
    return 'more';
  }

  #open(end: number, at: number, escapes: boolean): null {
    this.#place = 'quoted';
    this.#quote = end;
    this.#escapes = escapes;
    this.at = at + 1;
    return null;
  }

  #enter(place: 'plain' | 'line' | 'block', length: number): 'entered' {
    this.#place = place;
    this.at += length;
    return 'entered';
  }

  #stop(at: number): 'stop' {
    this.at = at;
    return 'stop';
  }
}

/** Whether a character is a blank between words; a byte order mark within a dump is one, too. */
export function isBlank(code: number): boolean {
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
