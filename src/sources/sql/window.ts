import { Walk } from './walk.ts';

// What stands before the walk decides about E'…' and $tag$.
const before = 2;

/** The chunk of a dump that is in memory, with the walk through it and the count of its lines. */
export class Window extends Walk {
  /** Where the text must be kept from, as long as something is not complete; -1 where nothing is. */
  hold = -1;
  #line = 1;
  #counted = 0;
  #newline = -1;

  /** Puts the next chunk behind what must be kept. */
  add(chunk: string): void {
    const keep = Math.max(0, Math.min(this.hold === -1 ? this.at : this.hold, this.at) - before);
    this.#count(keep);
    this.text = this.text.slice(keep) + chunk;
    this.at -= keep;
    this.#counted -= keep;
    this.#newline = this.text.indexOf('\n', this.#counted);
    if (this.hold !== -1) this.hold -= keep;
  }

  /** The line of a position; positions may not go back. */
  lineOf(at: number): number {
    this.#count(at);
    return this.#line;
  }

  /** The held text up to a position, as a string of its own: a slice would keep the whole window in memory. */
  held(to: number): string {
    return own(this.text.slice(this.hold, to));
  }

  #count(to: number): void {
    while (this.#newline !== -1 && this.#newline < to) {
      this.#line += 1;
      this.#newline = this.text.indexOf('\n', this.#newline + 1);
    }
    this.#counted = Math.max(this.#counted, to);
  }
}

/** A copy that does not share memory with the text it was cut from. */
export function own(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
