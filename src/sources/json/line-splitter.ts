import { OpenRecord } from './open-record.ts';
import type { RawRecord, RecordSplitter } from './raw-record.ts';

/** Parts NDJSON: a record in each line; lines of nothing but blanks are none. */
export class LineSplitter implements RecordSplitter {
  readonly #maxBytes: number;
  #line = 1;
  #open: OpenRecord;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#open = new OpenRecord(1, maxBytes);
  }

  push(text: string, suspect: boolean): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#open.add(text.slice(at, end), suspect);
      records.push(...this.end());
      at = end + 1;
      this.#line += 1;
      this.#open = new OpenRecord(this.#line, this.#maxBytes);
    }
    this.#open.add(text.slice(at), suspect);
    return records;
  }

  end(): readonly RawRecord[] {
    const record = this.#open.closed();
    return record.text.trim() === '' ? [] : [record];
  }
}
