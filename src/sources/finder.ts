/** Finds the occurrences of a substring in a text; caches the last hit, so that ascending searches are cheap. */
export class SubstringFinder {
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

  /** Returns the first occurrence at or after `at`; Infinity if there is none. */
  from(at: number): number {
    if (at < this.#from || at > this.#hit) {
      const hit = this.#text.indexOf(this.#needle, at);
      this.#from = at;
      this.#hit = hit === -1 ? Number.POSITIVE_INFINITY : hit;
    }
    return this.#hit;
  }
}

/** Finds line ends of the accepted kinds. */
export class LineEndFinder {
  readonly #kinds: 'auto' | 'lf' | 'crlf' | 'cr';
  readonly #lf: SubstringFinder;
  readonly #cr = new SubstringFinder('\r');
  #text = '';

  constructor(kinds: 'auto' | 'lf' | 'crlf' | 'cr') {
    this.#kinds = kinds;
    this.#lf = new SubstringFinder(kinds === 'crlf' ? '\r\n' : '\n');
  }

  setText(text: string): void {
    this.#text = text;
    this.#lf.setText(text);
    this.#cr.setText(text);
  }

  /** Returns the next line end at or after `at`; Infinity if there is none. */
  from(at: number): number {
    if (this.#kinds === 'auto') return Math.min(this.#lf.from(at), this.#cr.from(at));
    return this.#kinds === 'cr' ? this.#cr.from(at) : this.#lf.from(at);
  }

  /** Returns the index after the line end at `at`. */
  after(at: number): number {
    if (this.#kinds === 'lf' || this.#kinds === 'cr') return at + 1;
    return this.#text.charCodeAt(at) === 13 && this.#text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }

  /** True if the last character of the text, at index `at`, may be the first half of a CRLF. */
  isHalf(at: number): boolean {
    return (this.#kinds === 'auto' || this.#kinds === 'crlf') && this.#text.charCodeAt(at) === 13;
  }

  /** Counts the line ends between two indexes. */
  count(from: number, to: number): number {
    let lines = 0;
    for (let at = this.from(from); at < to; at = this.from(this.after(at))) lines += 1;
    return lines;
  }
}
