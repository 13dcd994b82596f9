import { rawLength } from '../broken-row.ts';
import type { RawRecord } from './dialect.ts';
import type { Progress, RecordScan } from './record-scan.ts';

/** A record larger than allowed: followed to its end without keeping more of it than its beginning. */
export class OversizedRecord {
  readonly #scan: RecordScan;
  readonly #firstLine: number;
  readonly #raw: string;
  readonly #progress: Progress;
  #line: number;
  #openedLine: number;
  #unclosed = false;
  #skipLine = false;

  /** The scan holds a text in which the record, of which `text` is the beginning, starts at `at`. */
  constructor(scan: RecordScan, line: number, text: string, progress: Progress, at: number) {
    this.#scan = scan;
    this.#firstLine = line;
    this.#raw = text.slice(0, rawLength);
    this.#progress = progress;
    this.#line = line + scan.lines.count(at, progress.at);
    this.#openedLine = line + scan.lines.count(at, progress.opened);
  }

  /** The line after the record, once it has ended. */
  get nextLine(): number {
    return this.#line;
  }

  /** What of the text must be there again, in front of the next chunk. */
  rest(text: string): string {
    const from = this.#progress.at;
    this.#progress.at = 0;
    return text.slice(from);
  }

  /** Goes on in the next text; gives the place after the record, or null where it does not end there. */
  goOn(text: string, whole: boolean): number | null {
    if (this.#skipLine) return this.#toLineEnd(text, whole);
    const before = this.#progress.at;
    const { lines } = this.#scan;
    this.#progress.opened = -1;
    const scan = this.#scan.scan(this.#progress);
    if (this.#progress.opened >= 0)
      this.#openedLine = this.#line + lines.count(before, this.#progress.opened);
    if (scan.kind === 'end') {
      this.#line += lines.count(before, scan.next);
      return scan.next;
    }
    if (scan.kind === 'stray') return this.#afterStray(text, before, scan.at, whole);
    if (whole) {
      this.#unclosed = true;
      return text.length;
    }
    // A line end of two characters must not be counted twice because the chunks part in it.
    if (this.#progress.at === text.length && lines.isHalf(text.length - 1)) this.#progress.at -= 1;
    this.#line += lines.count(before, this.#progress.at);
    return null;
  }

  record(): RawRecord {
    if (this.#unclosed) return { line: this.#openedLine, text: this.#raw, problem: 'unclosed' };
    return { line: this.#firstLine, text: this.#raw, problem: 'tooLarge' };
  }

  #afterStray(text: string, before: number, stray: number, whole: boolean): number | null {
    this.#line += this.#scan.lines.count(before, stray);
    // Too far to go back: what lies between the open quote and here may be thousands of valid rows.
    this.#unclosed = this.#progress.place === 'quoted' && this.#line > this.#openedLine;
    if (this.#unclosed) return text.length;
    this.#skipLine = true;
    this.#progress.at = stray;
    return this.#toLineEnd(text, whole);
  }

  #toLineEnd(text: string, whole: boolean): number | null {
    const { lines } = this.#scan;
    const end = lines.from(this.#progress.at);
    if (end < text.length && (whole || !(end === text.length - 1 && lines.isHalf(end)))) {
      this.#line += 1;
      return lines.after(end);
    }
    if (whole) return text.length;
    this.#progress.at = Math.max(this.#progress.at, text.length - 1);
    return null;
  }
}
