/** Finds a text in a longer one again and again, remembering the last hit: asking onward costs nothing until it is passed. */
export class Finder {
  readonly #needle: string;
  #text = '';
  #from = 0;
  #hit = -1;

  constructor(needle: string) {
    this.#needle = needle;
  }

  setText(text: string): void {
    this.#text = text;
    this.#from = 0;
    this.#hit = -1;
  }

  /** The first place at or after `at`, Infinity where there is none. */
  from(at: number): number {
    if (at < this.#from || at > this.#hit) {
      const hit = this.#text.indexOf(this.#needle, at);
      this.#from = at;
      this.#hit = hit === -1 ? Number.POSITIVE_INFINITY : hit;
    }
    return this.#hit;
  }
}

/** Finds line ends of the kinds that count. */
export class LineEndFinder {
  readonly #kinds: 'auto' | 'lf' | 'crlf' | 'cr';
  readonly #lf: Finder;
  readonly #cr = new Finder('\r');
  #text = '';

  constructor(kinds: 'auto' | 'lf' | 'crlf' | 'cr') {
    this.#kinds = kinds;
    this.#lf = new Finder(kinds === 'crlf' ? '\r\n' : '\n');
  }

  setText(text: string): void {
    this.#text = text;
    this.#lf.setText(text);
    this.#cr.setText(text);
  }

  /** Where the next line end at or after `at` begins, Infinity where there is none. */
  from(at: number): number {
    if (this.#kinds === 'auto') return Math.min(this.#lf.from(at), this.#cr.from(at));
    return this.#kinds === 'cr' ? this.#cr.from(at) : this.#lf.from(at);
  }

  /** Where the line after the line end at `at` begins. */
  after(at: number): number {
    if (this.#kinds === 'lf' || this.#kinds === 'cr') return at + 1;
    return this.#text.charCodeAt(at) === 13 && this.#text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }

  /** Whether what stands at `at`, the last character, may be one half of a line end that counts. */
  isHalf(at: number): boolean {
    return (this.#kinds === 'auto' || this.#kinds === 'crlf') && this.#text.charCodeAt(at) === 13;
  }

  /** Line ends between two places. */
  count(from: number, to: number): number {
    let lines = 0;
    for (let at = this.from(from); at < to; at = this.from(this.after(at))) lines += 1;
    return lines;
  }
}
