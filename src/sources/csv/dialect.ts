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
