import { isLarger, rawLength } from '../broken-row.ts';
import { holdsUndecodable } from '../encoding/undecodable.ts';
import type { RawRecord, RecordProblem } from './raw-record.ts';

/** A record whose end has not come yet: gathers its text as long as it is not too large. */
export class OpenRecord {
  readonly #line: number;
  readonly #maxBytes: number;
  #text = '';
  #problem: RecordProblem | null = null;

  constructor(line: number, maxBytes: number) {
    this.#line = line;
    this.#maxBytes = maxBytes;
  }

  add(text: string, suspect: boolean): void {
    if (this.#problem === 'tooLarge') return;
    this.#text += text;
    if (isLarger(this.#text, this.#maxBytes)) {
      this.#problem = 'tooLarge';
      this.#text = this.#text.slice(0, rawLength);
    } else if (suspect && this.#problem === null && holdsUndecodable(text)) {
      this.#problem = 'encoding';
    }
  }

  isTooDeep(): void {
    this.#problem ??= 'tooDeep';
  }

  closed(): RawRecord {
    return { line: this.#line, text: this.#text, problem: this.#problem };
  }
}
