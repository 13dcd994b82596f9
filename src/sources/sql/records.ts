import type { RowLine } from '../../model/row-place.ts';
import { exceedsBytes, maxRawTextLength } from '../broken-row.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlTable } from './known-tables.ts';
import { copyString, type SqlTextWindow } from './walk.ts';

/** An INSERT or COPY statement, whose rows are the records. */
export interface RowsStatement {
  readonly kind: 'insert' | 'copy';
  readonly table: SqlTable;
  /** The columns that the statement lists, else those of the table's definition; null if there are neither. */
  readonly columns: readonly string[] | null;
  readonly dialect: SqlDialect;
}

/** The reason why a record cannot be a row. */
type RecordProblem = 'tooLarge' | 'cutOff' | 'syntax' | 'rowless';

/** The text of one tuple or COPY line, with its place in the dump. */
export interface SqlDumpRecord {
  readonly block: RowsStatement;
  readonly line: RowLine;
  readonly text: string;
  readonly problem: RecordProblem | null;
}

/** Receives the records of a scan; `line` is the line where each begins. */
export type RecordListener = (record: SqlDumpRecord) => void;

/** The scanner of one part of a dump: a statement, or the rows of one. */
export interface SqlPartScanner {
  /** Scans the window from its position; returns true at the end of the part, false if more text is needed. */
  advance(): boolean;
  /** Handles the end of the dump within this part. */
  cutOff(): void;
}

/** The base class of scanners of rows: emits their records, and limits the size of each. */
abstract class RecordsPart {
  protected readonly window: SqlTextWindow;
  protected readonly block: RowsStatement;
  protected readonly maxBytes: number;
  /** The line where the current record begins. */
  protected line = 0;
  /** The beginning of the current record if the record is above the size limit; otherwise null. */
  protected oversized: string | null = null;
  readonly #emit: RecordListener | null;

  /** If `emit` is null, the records are skipped. */
  constructor(window: SqlTextWindow, block: RowsStatement, emit: RecordListener | null, maxBytes: number) {
    this.window = window;
    this.block = block;
    this.maxBytes = maxBytes;
    this.#emit = emit;
  }

  protected emit(text: string, problem: RecordProblem | null): void {
    this.#emit?.({ block: this.block, line: this.line, text, problem });
  }

  /** Emits the record between two positions of the window, or its beginning if it is too large. */
  protected complete(from: number, to: number): void {
    const { oversized } = this;
    this.oversized = null;
    if (this.#emit === null) return;
    const text = oversized ?? copyString(this.window.text.slice(from, to));
    const tooLarge = oversized !== null || exceedsBytes(text, this.maxBytes);
    this.emit(tooLarge ? copyString(text.slice(0, maxRawTextLength)) : text, tooLarge ? 'tooLarge' : null);
  }
}

/** Scans the lines of a COPY … FROM stdin, up to `\.`. */
export class CopyScanner extends RecordsPart implements SqlPartScanner {
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
    this.emit(this.oversized ?? copyString(text.slice(at, at + maxRawTextLength)), 'cutOff');
  }

  #take(at: number, end: number): void {
    if (this.oversized === null) this.line = this.window.lineOf(at);
    this.complete(at, end);
  }

  #wait(): false {
    const { text, at } = this.window;
    if (this.oversized === null && text.length - at > this.maxBytes) {
      this.line = this.window.lineOf(at);
      this.oversized = copyString(text.slice(at, at + maxRawTextLength));
    }
    if (this.oversized !== null) this.window.begin(text.length);
    return false;
  }
}

/** Scans the tuples of an INSERT, from after VALUES to the end of the statement. */
export class InsertScanner extends RecordsPart implements SqlPartScanner {
  readonly #cutIn: (line: number) => void;
  readonly #begins: number;
  #place: 'before' | 'inside' | 'after' | 'lost' = 'before';

  /** `cutIn` is called with the line of VALUES if the dump is cut off in text that is skipped, outside of tuples. */
  constructor(
    window: SqlTextWindow,
    block: RowsStatement,
    emit: RecordListener | null,
    maxBytes: number,
    cutIn: (line: number) => void,
  ) {
    super(window, block, emit, maxBytes);
    this.#cutIn = cutIn;
    this.#begins = window.lineOf(window.at);
  }

  advance(): boolean {
    for (;;) {
      const done = this.#step();
      if (done !== null) return done;
    }
  }

  cutOff(): void {
    if (this.#place === 'lost') {
      if (!this.block.dialect.batches) this.#cutIn(this.#begins);
      return;
    }
    if (this.#place === 'after' && this.block.dialect.batches) return;
    const { window } = this;
    if (this.#place !== 'inside') this.line = window.lineOf(window.text.length);
    const raw = this.#place === 'inside' ? (this.oversized ?? window.held(window.text.length)) : '';
    this.emit(raw.slice(0, maxRawTextLength), 'cutOff');
  }

  /** Scans one part of the statement; returns true at its end, false if more text is needed, null to continue. */
  #step(): boolean | null {
    if (this.#place === 'inside') return this.#inside();
    const { window } = this;
    if (this.#place === 'lost') return window.to('terminator') === 'stop';
    if (window.to('solid') === 'more') return false;
    return this.#place === 'before' ? this.#before() : this.#after();
  }

  #before(): boolean | null {
    const { window } = this;
    const { text, at } = window;
    if (text.charCodeAt(at) !== 40) {
      if (!window.whole && at + 3 >= text.length) return false;
      if (!/^row\b/i.test(text.slice(at, at + 4))) return this.#lose();
      window.begin(at + 3);
      return null;
    }
    this.line = window.lineOf(at);
    window.hold = at;
    window.begin(at);
    this.#place = 'inside';
    return null;
  }

  #inside(): boolean | null {
    const { window } = this;
    const step = window.to('close');
    const started = window.hold;
    if (this.oversized === null && window.at - started > this.maxBytes) {
      this.oversized = window.held(Math.min(window.at, started + maxRawTextLength));
      window.hold = -1;
    }
    if (step === 'more') return false;
    if (step === 'unbalanced') {
      this.emit((this.oversized ?? window.held(window.at)).slice(0, maxRawTextLength), 'syntax');
      window.hold = -1;
      return true;
    }
    this.complete(started, window.at);
    window.hold = -1;
    window.begin(window.at);
    this.#place = 'after';
    return null;
  }

  #after(): boolean | null {
    const { window } = this;
    const { text, at, dialect } = window;
    if (text.charCodeAt(at) === 44) {
      window.begin(at + 1);
      this.#place = 'before';
      return null;
    }
    if (text.startsWith(dialect.terminator, at)) return true;
    if (!window.whole && at + 10 > text.length) return false;
    // Words after the tuples: ON DUPLICATE KEY, AS new, RETURNING; or, without a terminator, the next statement.
    const follows = /^(?:ON|AS|RETURNING)\b/i.test(text.slice(at, at + 10));
    if (!follows) return dialect.batches ? true : this.#lose();
    this.#place = 'lost';
    return null;
  }

  /** Emits text outside of tuples as a broken record, and skips to the end of the statement. */
  #lose(): null {
    const { window } = this;
    const end = Math.min(window.text.length, window.at + 200);
    this.line = window.lineOf(window.at);
    this.emit(copyString(window.text.slice(window.at, end)), 'syntax');
    this.#place = 'lost';
    return null;
  }
}
