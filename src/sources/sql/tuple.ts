import type { Cell } from '../../model/row.ts';
import { mysqlText, postgresText, standardText } from './escapes.ts';
import { literalCell, type ValueSettings } from './literal.ts';
import { expressionEnd, stringEnd } from './strings.ts';
import { isBlank } from './walk.ts';

const quote = 39;
const comma = 44;

/** Reads the values of tuples, the common ways of writing them without detours. */
export class TupleReader {
  readonly #settings: ValueSettings;
  readonly #unescaped: (inside: string, quote: string) => string;
  #text = '';
  /** Where the bracket is that closes the tuple. */
  #last = 0;
  #end = 0;

  constructor(settings: ValueSettings) {
    const { backslash, postgres } = settings.lexis;
    this.#settings = settings;
    this.#unescaped = backslash ? (postgres ? postgresText : mysqlText) : standardText;
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
    const end = stringEnd(text, at, this.#settings.lexis.backslash);
    if (text.charCodeAt(end) !== comma && end !== this.#last) return this.#expression(at);
    this.#end = end;
    return this.#unescaped(text.slice(at + 1, end - 1), "'");
  }

  #word(at: number): Cell | undefined {
    const text = this.#text;
    let end = at;
    while (end < this.#last && text.charCodeAt(end) !== comma) end += 1;
    this.#end = end;
    if (isNumber(text, at, end)) return text.slice(at, end);
    if (end - at === 4 && isNull(text.slice(at, end))) return null;
    return this.#expression(at);
  }

  #expression(at: number): Cell | undefined {
    this.#end = expressionEnd(this.#text, at, this.#settings.lexis.backslash);
    return this.#end > this.#last ? undefined : literalCell(this.#text.slice(at, this.#end), this.#settings);
  }
}

/** Whether it is plainly a number: digits with at most a sign before and one dot within. */
function isNumber(text: string, at: number, end: number): boolean {
  let next = text.charCodeAt(at) === 45 ? at + 1 : at;
  if (next === end) return false;
  let dots = 0;
  for (; next < end; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 46) dots += 1;
    else if (code < 48 || code > 57) return false;
  }
  return dots < 2;
}

function isNull(word: string): boolean {
  return word === 'NULL' || word === 'null';
}
