import { rawLength } from '../broken-row.ts';
import type { Block, Emit, Part, RecordTrouble } from './record.ts';
import { own, type Window } from './window.ts';

/** The lines of a COPY … FROM stdin, up to `\.`. */
export class CopyPart implements Part {
  readonly #window: Window;
  readonly #block: Block;
  readonly #emitRecord: Emit;
  readonly #maxBytes: number;
  readonly #wanted: boolean;
  #line = 0;
  /** The beginning of a line that is too large to be kept. */
  #oversized: string | null = null;

  /** Lines of a COPY that is not wanted are passed over. */
  constructor(window: Window, block: Block, emit: Emit, maxBytes: number, wanted: boolean) {
    this.#window = window;
    this.#block = block;
    this.#emitRecord = emit;
    this.#maxBytes = maxBytes;
    this.#wanted = wanted;
  }

  advance(): boolean {
    for (;;) {
      const { text, at } = this.#window;
      const found = text.indexOf('\n', at);
      const end = found === -1 && this.#window.whole && text.startsWith('\\.', at) ? text.length : found;
      if (end === -1) return this.#wait();
      const last = text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end;
      const ends = this.#oversized === null && last === at + 2 && text.startsWith('\\.', at);
      if (!ends) this.#take(at, last);
      this.#window.begin(Math.min(end + 1, text.length));
      if (ends) return true;
    }
  }

  cutOff(): void {
    const { text, at } = this.#window;
    if (this.#oversized === null) this.#line = this.#window.lineOf(at);
    this.#emit(this.#oversized ?? own(text.slice(at, at + rawLength)), 'cutOff');
  }

  #take(at: number, end: number): void {
    if (!this.#wanted) return;
    if (this.#oversized !== null) {
      this.#emit(this.#oversized, 'tooLarge');
      this.#oversized = null;
      return;
    }
    this.#line = this.#window.lineOf(at);
    const text = this.#window.text.slice(at, end);
    const tooLarge = text.length * 3 > this.#maxBytes && Buffer.byteLength(text) > this.#maxBytes;
    this.#emit(own(tooLarge ? text.slice(0, rawLength) : text), tooLarge ? 'tooLarge' : null);
  }

  #wait(): false {
    const { text, at } = this.#window;
    if (this.#oversized === null && text.length - at > this.#maxBytes) {
      this.#line = this.#window.lineOf(at);
      this.#oversized = own(text.slice(at, at + rawLength));
    }
    if (this.#oversized !== null) this.#window.begin(text.length);
    return false;
  }

  #emit(text: string, trouble: RecordTrouble | null): void {
    if (this.#wanted) this.#emitRecord({ block: this.#block, line: this.#line, text, trouble });
  }
}
