import type { Cell } from '../../model/row.ts';
import { mysqlText, postgresText, standardText } from './escapes.ts';
import { literalCell, type ValueSettings } from './literal.ts';
import { expressionEnd, stringEnd } from './strings.ts';
import { isBlank } from './walk.ts';

const quote = 39;
const comma = 44;
const bracket = 41;
const backslash = 92;

/** Reads the values of tuples, the common ways of writing them without detours. */
export class TupleReader {
  readonly #settings: ValueSettings;
  readonly #unescaped: (inside: string, quote: string) => string;
  #text = '';
  /** Where the bracket is that closes the tuple. */
  #last = 0;
  #end = 0;

  constructor(settings: ValueSettings) {
    const { dialect } = settings;
    this.#settings = settings;
    this.#unescaped = dialect.backslash ? (dialect.postgres ? postgresText : mysqlText) : standardText;
  }

  /** The cells of a whole tuple with its brackets; null where it does not consist of values. */
  cells(text: string): Cell[] | null {
    this.#text = text;
    this.#last = text.length - 1;
    const cells: Cell[] = [];
    for (let at = 1; ; at = this.#end + 1) {
      while (at < this.#last && isBlank(text.charCodeAt(at))) at += 1;
      if (at === this.#last) return cells.length === 0 ? cells : null;
      const cell = text.charCodeAt(at) === quote ? this.#string(at) : this.#word(at);
      if (cell === undefined) return null;
      cells.push(cell);
      if (this.#end === this.#last) return cells;
    }
  }

  #string(at: number): Cell | undefined {
    const text = this.#text;
    const plain = plainEnd(text, at);
    const end = plain === -1 ? stringEnd(text, at, this.#settings.dialect.backslash) : plain;
    if (text.charCodeAt(end) !== comma && end !== this.#last) return this.#expression(at);
    this.#end = end;
    const inside = text.slice(at + 1, end - 1);
    return plain === -1 ? this.#unescaped(inside, "'") : inside;
  }

  #word(at: number): Cell | undefined {
    const text = this.#text;
    const end = numberEnd(text, at);
    if (end > at && (end === this.#last || text.charCodeAt(end) === comma)) {
      this.#end = end;
      return text.slice(at, end);
    }
    if (!isNull(text, at)) return this.#expression(at);
    this.#end = at + 4;
    return null;
  }

  #expression(at: number): Cell | undefined {
    this.#end = expressionEnd(this.#text, at, this.#settings.dialect);
    const ended = this.#end === this.#last || this.#text.charCodeAt(this.#end) === comma;
    return !ended ? undefined : literalCell(this.#text.slice(at, this.#end), this.#settings);
  }
}

/** The place behind the quote that closes the one at `at`; -1 where anything within may be an escape. */
function plainEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === backslash) return -1;
    if (code === quote) return text.charCodeAt(next + 1) === quote ? -1 : next + 1;
  }
  return -1;
}

/** The place behind what is plainly a number: digits with at most a minus before and one dot within; `at` where there is none. */
function numberEnd(text: string, at: number): number {
  let next = text.charCodeAt(at) === 45 ? at + 1 : at;
  const digits = next;
  let dots = 0;
  for (; ; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 46) dots += 1;
    else if (!(code >= 48 && code <= 57)) break;
  }
  return next === digits || dots > 1 ? at : next;
}

/** Whether NULL stands here, and nothing else before the comma or bracket. */
function isNull(text: string, at: number): boolean {
  const after = text.charCodeAt(at + 4);
  if (after !== comma && after !== bracket) return false;
  const word = text.slice(at, at + 4);
  return word === 'NULL' || word === 'null';
}
