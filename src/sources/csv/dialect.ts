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
