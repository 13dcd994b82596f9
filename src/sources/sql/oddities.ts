/** A way of writing values that loses something or is not text, and must be said aloud. */
export type Oddity = 'hex' | 'expression' | 'default' | 'backslash';

const words: Readonly<Record<Oddity, (times: string) => string>> = {
  hex: (times) =>
    `${times} binary: hexadecimal and bit literals, and bytes that are not text, are read as hexadecimal text (0x…), a single bit as 0 or 1.`,
  expression: (times) => `${times} an expression, read as written.`,
  default: (times) => `${times} DEFAULT, read as null.`,
  backslash: (times) =>
    `${times} written with a backslash, which is read as MySQL's escape. If it is not one, set "escapes: standard".`,
};

/** Counts the oddities of values, with the line of the first of each. */
export class Oddities {
  /** The line that is being read. */
  line = 0;
  readonly #seen = new Map<Oddity, { times: number; line: number }>();

  add(oddity: Oddity): void {
    const seen = this.#seen.get(oddity);
    if (seen === undefined) this.#seen.set(oddity, { times: 1, line: this.line });
    else seen.times += 1;
  }

  notes(): string[] {
    return Array.from(this.#seen, ([oddity, { times, line }]) =>
      words[oddity](
        times === 1 ? `A value (line ${line}) is` : `${times} values (the first in line ${line}) are`,
      ),
    );
  }
}
