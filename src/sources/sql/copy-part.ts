import { rawLength } from '../broken-row.ts';
import type { Part } from './record.ts';
import { RecordsPart } from './records-part.ts';
import { own } from './window.ts';

/** The lines of a COPY … FROM stdin, up to `\.`. */
export class CopyPart extends RecordsPart implements Part {
  advance(): boolean {
    const { window } = this;
    for (;;) {
      const { text, at } = window;
      const found = text.indexOf('\n', at);
      const end = found === -1 && window.whole && text.startsWith('\\.', at) ? text.length : found;
      if (end === -1) return this.#wait();
      const last = text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end;
      const ends = this.oversized === null && last === at + 2 && text.startsWith('\\.', at);
      if (!ends) this.#take(at, last);
      window.begin(Math.min(end + 1, text.length));
      if (ends) return true;
    }
  }

  cutOff(): void {
    const { text, at } = this.window;
    if (this.oversized === null) this.line = this.window.lineOf(at);
    this.emit(this.oversized ?? own(text.slice(at, at + rawLength)), 'cutOff');
  }

  #take(at: number, end: number): void {
    if (this.oversized === null) this.line = this.window.lineOf(at);
    this.complete(at, end);
  }

  #wait(): false {
    const { text, at } = this.window;
    if (this.oversized === null && text.length - at > this.maxBytes) {
      this.line = this.window.lineOf(at);
      this.oversized = own(text.slice(at, at + rawLength));
    }
    if (this.oversized !== null) this.window.begin(text.length);
    return false;
  }
}
