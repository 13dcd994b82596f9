/** A line without its end. */
export interface Line {
  readonly text: string;
  /** Whether it was longer than a line may be; then this is its beginning. */
  readonly cut: boolean;
}

/** Splits text that comes piece by piece at line ends of all kinds, in bounded memory. */
export class LineSplitter {
  readonly #longest: number;
  #rest = '';
  #cut = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that are complete with this piece. */
  push(text: string): readonly Line[] {
    const all = this.#rest + text;
    const lines: Line[] = [];
    let at = 0;
    // A carriage return at the very end may be half a line end; some programs write two of them.
    for (const { 0: end, index } of all.matchAll(/\r?\r\n|\n|\r(?!\r?$)/g)) {
      lines.push(this.#line(all.slice(at, index)));
      at = index + end.length;
    }
    this.#keep(all.slice(at));
    return lines;
  }

  /** The last line, when nothing follows. */
  end(): readonly Line[] {
    const line = this.#line(this.#rest.replace(/\r{1,2}$/, ''));
    this.#rest = '';
    return line.text === '' ? [] : [line];
  }

  #line(text: string): Line {
    const line = { text: text.slice(0, this.#longest), cut: this.#cut || text.length > this.#longest };
    this.#cut = false;
    return line;
  }

  #keep(rest: string): void {
    if (rest.length > this.#longest + 2) {
      const end = /\r{0,2}$/.exec(rest)?.[0] ?? '';
      this.#cut = true;
      this.#rest = rest.slice(0, this.#longest) + end;
    } else this.#rest = rest;
  }
}
