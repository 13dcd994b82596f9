import { Finder, LineEndFinder } from '../finder.ts';

/** How a CSV file is written, once everything is stated or detected. */
export interface Dialect {
  readonly delimiter: string;
  /** Null where the file quotes nothing. */
  readonly quote: string | null;
  readonly escape: string;
  readonly lineEnds: 'auto' | 'lf' | 'crlf' | 'cr';
  readonly comment: string | null;
  readonly maxRowBytes: number;
}

/** Why a record cannot be a row; `unclosed` means that a quote opened in that line is never closed. */
export type RecordProblem = 'quote' | 'encoding' | 'tooLarge' | 'unclosed';

/** The text of one record without its line end, with the line where it begins. */
export interface RawRecord {
  readonly line: number;
  readonly text: string;
  readonly problem: RecordProblem | null;
}

/** What a scan came to: the record's end, a quote that stands where none may stand, or that the text ends before it. */
type ScanResult =
  | { readonly kind: 'end'; readonly end: number; readonly next: number; readonly cells: number }
  | { readonly kind: 'stray'; readonly at: number }
  | { readonly kind: 'more' };

/** How far a scan has come, so that it goes on there when more text has arrived. */
export interface ScanPosition {
  at: number;
  state: 'cell' | 'plain' | 'quoted';
  cells: number;
  /** Where the latest quoted cell was opened. */
  opened: number;
}

export function positionAt(at: number): ScanPosition {
  return { at, state: 'cell', cells: 1, opened: at };
}

/** Finds the end of records in a text, quotes respected; it is strict: a quote opens a cell, closes it, or is doubled. */
export class RecordScan {
  readonly lines: LineEndFinder;
  readonly quotes: Finder;
  readonly #delimiters: Finder;
  readonly #dialect: Dialect;
  #text = '';
  #whole = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.lines = new LineEndFinder(dialect.lineEnds);
    // Without quoting, a needle that is in no decoded text: see encoding/undecodable.ts.
    this.quotes = new Finder(dialect.quote ?? '\ud800\ud800');
    this.#delimiters = new Finder(dialect.delimiter);
  }

  /** The text to scan; `whole` when nothing follows it. */
  setText(text: string, whole: boolean): void {
    this.#text = text;
    this.#whole = whole;
    this.lines.setText(text);
    this.quotes.setText(text);
    this.#delimiters.setText(text);
  }

  /** Goes on from `progress`, which it moves. */
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
      // A delimiter of several characters, or a line end of two, may have begun already.
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

  /** The quote that ends the cell, past those that are escaped; null where the text ends before it is known. */
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
