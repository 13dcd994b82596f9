/** Counts what cards hold that no row has, to be said aloud. */
export class LeftOut {
  #binaries = 0;
  #firstBinary = 0;
  #nested = 0;
  #firstNested = 0;

  add(line: number, binaries: number, nested: number): void {
    if (this.#binaries === 0 && binaries > 0) this.#firstBinary = line;
    if (this.#nested === 0 && nested > 0) this.#firstNested = line;
    this.#binaries += binaries;
    this.#nested += nested;
  }

  notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#binaries > 0)
      notes.push(
        `Photos and other binary values are left out: ${this.#binaries}, the first in the card of line ${this.#firstBinary}.`,
      );
    if (this.#nested > 0)
      notes.push(
        `Cards within cards (AGENT) are left out: ${this.#nested}, the first in the card of line ${this.#firstNested}.`,
      );
    return notes;
  }
}
