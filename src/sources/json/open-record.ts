import { isLarger, rawLength } from '../broken-row.ts';
import { holdsUndecodable } from '../encoding/undecodable.ts';
import type { RawRecord, RecordTrouble } from './raw-record.ts';

/** A record whose end has not come yet: gathers its text as long as it is not too large. */
export class OpenRecord {
  readonly #line: number;
  readonly #maxBytes: number;
  #text = '';
  #trouble: RecordTrouble | null = null;

  constructor(line: number, maxBytes: number) {
    this.#line = line;
    this.#maxBytes = maxBytes;
  }

  add(text: string, suspect: boolean): void {
    if (this.#trouble === 'tooLarge') return;
    this.#text += text;
    if (isLarger(this.#text, this.#maxBytes)) {
      this.#trouble = 'tooLarge';
      this.#text = this.#text.slice(0, rawLength);
    } else if (suspect && this.#trouble === null && holdsUndecodable(text)) {
      this.#trouble = 'encoding';
    }
  }

  isTooDeep(): void {
    this.#trouble ??= 'tooDeep';
  }

  closed(): RawRecord {
    return { line: this.#line, text: this.#text, trouble: this.#trouble };
  }
}
