import { LineEndFinder, SubstringFinder } from '../finder.ts';

/** The dialect of a CSV file, stated or detected. */
export interface CsvReadDialect {
  readonly delimiter: string;
  /** Null if the file has no quoting. */
  readonly quote: string | null;
  readonly escape: string;
  readonly lineEnds: 'auto' | 'lf' | 'crlf' | 'cr';
  readonly comment: string | null;
  readonly maxRowBytes: number;
}

/** The reason why a record is not a row; `unclosed`: a quote that is opened on the record's line is never closed. */
export type CsvRecordProblem = 'quote' | 'encoding' | 'tooLarge' | 'unclosed';

/** The text of one record without its line end, and the line where it begins. */
export interface RawCsvRecord {
  readonly line: number;
  readonly text: string;
  readonly problem: CsvRecordProblem | null;
}

/** The result of a scan: the record's end, a stray quote, or `more` if the text ends first. */
type ScanResult =
  | { readonly kind: 'end'; readonly end: number; readonly next: number; readonly cells: number }
  | { readonly kind: 'stray'; readonly at: number }
  | { readonly kind: 'more' };

/** The position and state of a scan, to resume it with more text. */
export interface ScanPosition {
  at: number;
  state: 'cell' | 'plain' | 'quoted';
  cells: number;
  /** The index where the latest quoted cell was opened. */
  opened: number;
}

export function createScanPosition(at: number): ScanPosition {
  return { at, state: 'cell', cells: 1, opened: at };
}

/** Finds the ends of records. A quote may open a cell, close it, or be escaped within it; any other is stray. */
export class CsvRecordScanner {
  readonly lines: LineEndFinder;
  readonly quotes: SubstringFinder;
  readonly #delimiters: SubstringFinder;
  readonly #dialect: CsvReadDialect;
  #text = '';
  #whole = false;

  constructor(dialect: CsvReadDialect) {
    this.#dialect = dialect;
    this.lines = new LineEndFinder(dialect.lineEnds);
    // Without quoting, the needle is two lone surrogates, which valid text does not contain.
    this.quotes = new SubstringFinder(dialect.quote ?? '\ud800\ud800');
    this.#delimiters = new SubstringFinder(dialect.delimiter);
  }

  /** Sets the text to scan; `whole` is true if the file ends with it. */
  setText(text: string, whole: boolean): void {
    this.#text = text;
    this.#whole = whole;
    this.lines.setText(text);
    this.quotes.setText(text);
    this.#delimiters.setText(text);
  }

  /** Scans from `progress` to the end of the record, and advances `progress`. */
  scan(progress: ScanPosition): ScanResult {
    for (;;) {
      const stop = progress.state === 'quoted' ? this.#throughQuotes(progress) : this.#throughPlain(progress);
      if (stop !== null) return stop;
    }
  }

  #throughPlain(progress: ScanPosition): ScanResult | null {
    const { at } = progress;
    const quote = this.quotes.from(at);
    if (progress.state === 'cell' && quote === at) {
      progress.opened = at;
      progress.at += 1;
      progress.state = 'quoted';
      return null;
    }
    const delimiter = this.#delimiters.from(at);
    const line = this.lines.from(at);
    const stop = Math.min(delimiter, line, this.#text.length);
    if (quote < stop) return { kind: 'stray', at: quote };
    if (stop === this.#text.length || (stop === line && this.#undecided(line))) {
      if (this.#whole)
        return { kind: 'end', end: stop, next: stop === line ? stop + 1 : stop, cells: progress.cells };
      if (stop > at) progress.state = 'plain';
      // A delimiter or a line end of several characters may be split between two chunks.
      progress.at = Math.max(at, stop - Math.max(1, this.#dialect.delimiter.length - 1));
      return { kind: 'more' };
    }
    return this.#past(progress, stop, delimiter);
  }

  #throughQuotes(progress: ScanPosition): ScanResult | null {
    const quote = this.#closing(progress);
    if (quote === null) return { kind: 'more' };
    const after = quote + 1;
    const { delimiter } = this.#dialect;
    const known = this.#text.length - after >= Math.max(2, delimiter.length);
    if (!known && !this.#whole) {
      progress.at = quote;
      return { kind: 'more' };
    }
    if (after === this.#text.length) return { kind: 'end', end: after, next: after, cells: progress.cells };
    if (this.#text.startsWith(delimiter, after)) return this.#past(progress, after, after);
    if (this.lines.from(after) === after) return this.#past(progress, after, -1);
    return { kind: 'stray', at: quote };
  }

  #past(progress: ScanPosition, stop: number, delimiter: number): ScanResult | null {
    if (stop !== delimiter)
      return { kind: 'end', end: stop, next: this.lines.after(stop), cells: progress.cells };
    progress.at = stop + this.#dialect.delimiter.length;
    progress.state = 'cell';
    progress.cells += 1;
    return null;
  }

  /** Returns the index of the quote that closes the cell, past escaped ones; null if more text is needed. */
  #closing(progress: ScanPosition): number | null {
    const doubled = this.#dialect.escape === this.#dialect.quote;
    for (;;) {
      const at = this.quotes.from(progress.at);
      if (at === Number.POSITIVE_INFINITY) {
        progress.at = doubled ? this.#text.length : this.#escapesBefore(this.#text.length, progress.at);
        return null;
      }
      if (doubled) {
        if (this.#text.charCodeAt(at + 1) !== this.#text.charCodeAt(at)) return at;
        progress.at = at + 2;
      } else {
        if ((at - this.#escapesBefore(at, progress.at)) % 2 === 0) return at;
        progress.at = at + 1;
      }
    }
  }

  #escapesBefore(at: number, from: number): number {
    let first = at;
    while (first > from && this.#text[first - 1] === this.#dialect.escape) first -= 1;
    return first;
  }

  #undecided(line: number): boolean {
    return line === this.#text.length - 1 && this.lines.isHalf(line);
  }
}
