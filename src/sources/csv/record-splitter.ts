import { exceedsBytes, maxRawTextLength } from '../broken-row.ts';
import { hasUndecodableBytes } from '../encoding/decoding.ts';
import type { TextSplitter } from '../encoding/text-file.ts';
import {
  type CsvReadDialect,
  type CsvRecordProblem,
  CsvRecordScanner,
  createScanPosition,
  type RawCsvRecord,
  type ScanPosition,
} from './record-scan.ts';

/**
 * Splits text chunk by chunk into records, in bounded memory. After a stray quote it resumes at the first line that
 * begins a valid record, so that no valid record is lost.
 */
export class CsvRecordSplitter implements TextSplitter<RawCsvRecord> {
  readonly #dialect: CsvReadDialect;
  readonly #scan: CsvRecordScanner;
  readonly #cells: number | null;
  #line = 1;
  #rest = '';
  #progress: ScanPosition | null = null;
  #oversized: OversizedRecord | null = null;
  #suspect = false;
  #found: RawCsvRecord[] = [];

  /** `cells` is the number of cells of a valid record; null if unknown. */
  constructor(dialect: CsvReadDialect, cells: number | null) {
    this.#dialect = dialect;
    this.#scan = new CsvRecordScanner(dialect);
    this.#cells = cells;
  }

  /** Returns the records completed by this chunk; `suspect` is true once undecodable bytes were seen. */
  push(text: string, suspect: boolean): readonly RawCsvRecord[] {
    this.#suspect = suspect;
    return this.#run(this.#rest + text, false);
  }

  /** Returns the last records at the end of the input. */
  end(): readonly RawCsvRecord[] {
    return this.#run(this.#rest, true);
  }

  #run(text: string, whole: boolean): readonly RawCsvRecord[] {
    this.#found = [];
    this.#scan.setText(text, whole);
    let at = this.#oversized === null ? 0 : this.#throughOversized(text, whole, this.#oversized);
    while (at < text.length) {
      const next = this.#plain(text, at) ?? this.#comment(text, at, whole) ?? this.#quoted(text, at, whole);
      if (next === null) break;
      at = next;
      this.#progress = null;
    }
    if (at < text.length && text.length - at > this.#dialect.maxRowBytes) this.#beginOversized(text, at);
    else if (this.#oversized === null) this.#keep(text, at);
    return this.#found;
  }

  /** Fast path: reads a record of one line without quotes, and returns the index after it; null for any other. */
  #plain(text: string, at: number): number | null {
    const { lines, quotes } = this.#scan;
    const end = lines.from(at);
    if (end >= text.length - 1 || quotes.from(at) < end) return null;
    if (this.#dialect.comment === null || !text.startsWith(this.#dialect.comment, at))
      this.#emit(text, at, end);
    this.#line += 1;
    return lines.after(end);
  }

  #comment(text: string, at: number, whole: boolean): number | null {
    if (this.#dialect.comment === null || !text.startsWith(this.#dialect.comment, at)) return null;
    const end = this.#lineEnd(text, at, whole);
    if (end === null) return null;
    this.#line += 1;
    return end === text.length ? end : this.#scan.lines.after(end);
  }

  #quoted(text: string, at: number, whole: boolean): number | null {
    const progress = this.#progress ?? createScanPosition(at);
    this.#progress = progress;
    const scan = this.#scan.scan(progress);
    if (scan.kind === 'end') {
      this.#emit(text, at, scan.end);
      this.#line += this.#scan.lines.count(at, scan.next);
      return scan.next;
    }
    if (scan.kind === 'stray') return this.#broken(text, at, scan.at, whole);
    if (!whole) return null;
    const line = this.#line + this.#scan.lines.count(at, progress.opened);
    this.#found.push({ line, text: text.slice(at), problem: 'unclosed' });
    return text.length;
  }

  /**
   * Ends a record that has a stray quote. Often the cause is an earlier cell that was not closed, so the record's later
   * lines are tried, up to the line of the quote: the record ends before the first of them that begins a valid record.
   * If there is none, it ends after the line of the quote. Returns null if more text is needed.
   */
  #broken(text: string, at: number, stray: number, whole: boolean): number | null {
    const { lines } = this.#scan;
    const end = this.#lineEnd(text, stray, whole);
    let valid: number | null = null;
    for (let line = lines.from(at); line < stray && valid === null; ) {
      const next = lines.after(line);
      const scan = this.#scan.scan(createScanPosition(next));
      if (scan.kind === 'more' && !whole && text.length - next <= this.#dialect.maxRowBytes)
        return this.#again(at);
      if (scan.kind === 'end' && scan.cells === (this.#cells ?? scan.cells)) valid = next;
      line = lines.from(next);
    }
    if (valid === null && end === null) return this.#again(at);
    const next = valid ?? (end === null || end === text.length ? text.length : lines.after(end));
    this.#found.push({
      line: this.#line,
      text: text.slice(at, next).replace(/[\r\n]+$/, ''),
      problem: 'quote',
    });
    this.#line += lines.count(at, next);
    return next;
  }

  #again(at: number): null {
    this.#progress = createScanPosition(at);
    return null;
  }

  /** Returns the end of the line; null if more text is needed. */
  #lineEnd(text: string, at: number, whole: boolean): number | null {
    const { lines } = this.#scan;
    const end = lines.from(at);
    if (whole) return Math.min(end, text.length);
    return end === Number.POSITIVE_INFINITY || (end === text.length - 1 && lines.isHalf(end)) ? null : end;
  }

  #emit(text: string, from: number, to: number): void {
    if (from === to) return;
    const record = text.slice(from, to);
    this.#found.push({ line: this.#line, text: record, problem: this.#problem(record) });
  }

  #problem(record: string): CsvRecordProblem | null {
    if (exceedsBytes(record, this.#dialect.maxRowBytes)) return 'tooLarge';
    return this.#suspect && hasUndecodableBytes(record) ? 'encoding' : null;
  }

  #keep(text: string, at: number): void {
    this.#rest = text.slice(at);
    if (this.#progress === null) return;
    this.#progress.at -= at;
    this.#progress.opened -= at;
  }

  #beginOversized(text: string, at: number): void {
    const progress = this.#progress ?? createScanPosition(at);
    this.#oversized = new OversizedRecord(this.#scan, this.#line, text.slice(at), progress, at);
    this.#rest = this.#oversized.rest(text);
    this.#progress = null;
  }

  #throughOversized(text: string, whole: boolean, oversized: OversizedRecord): number {
    const next = oversized.resume(text, whole);
    if (next === null) {
      this.#rest = oversized.rest(text);
      return text.length;
    }
    this.#found.push(oversized.record());
    this.#line = oversized.nextLine;
    this.#oversized = null;
    return next;
  }
}

/** Scans a record above the size limit to its end, and keeps only its beginning. */
class OversizedRecord {
  readonly #scan: CsvRecordScanner;
  readonly #firstLine: number;
  readonly #raw: string;
  readonly #progress: ScanPosition;
  #line: number;
  #openedLine: number;
  #unclosed = false;
  #skipLine = false;

  /** The record begins at index `at` of the scan's text; `text` is its beginning. */
  constructor(scan: CsvRecordScanner, line: number, text: string, progress: ScanPosition, at: number) {
    this.#scan = scan;
    this.#firstLine = line;
    this.#raw = text.slice(0, maxRawTextLength);
    this.#progress = progress;
    this.#line = line + scan.lines.count(at, progress.at);
    this.#openedLine = line + scan.lines.count(at, progress.opened);
  }

  /** The line after the record, once it has ended. */
  get nextLine(): number {
    return this.#line;
  }

  /** Returns the part of the text to prepend to the next chunk. */
  rest(text: string): string {
    const from = this.#progress.at;
    this.#progress.at = 0;
    return text.slice(from);
  }

  /** Scans the next text; returns the index after the record, or null if the record continues. */
  resume(text: string, whole: boolean): number | null {
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
    // A line end split between two chunks counts once.
    if (this.#progress.at === text.length && lines.isHalf(text.length - 1)) this.#progress.at -= 1;
    this.#line += lines.count(before, this.#progress.at);
    return null;
  }

  record(): RawCsvRecord {
    if (this.#unclosed) return { line: this.#openedLine, text: this.#raw, problem: 'unclosed' };
    return { line: this.#firstLine, text: this.#raw, problem: 'tooLarge' };
  }

  #afterStray(text: string, before: number, stray: number, whole: boolean): number | null {
    this.#line += this.#scan.lines.count(before, stray);
    // If the quote was opened on an earlier line, the text since then was not kept, and may hold thousands of valid
    // rows: the quote is reported as unclosed instead of skipping the text as one broken record.
    this.#unclosed = this.#progress.state === 'quoted' && this.#line > this.#openedLine;
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
