import { Warnings, type WarningWords } from '../warnings.ts';

/** A way of writing values that loses something or is not text, and must be reported. */
export type SqlWarning = 'hex' | 'expression' | 'default' | 'backslash';

const values = (count: number, line: number) =>
  count === 1 ? `A value (line ${line}) is` : `${count} values (the first in line ${line}) are`;

const words: WarningWords<SqlWarning, number> = {
  hex: (count, line) =>
    `${values(count, line)} binary: hexadecimal and bit literals, and bytes that are not text, are read as hexadecimal text (0x…), a single bit as 0 or 1.`,
  expression: (count, line) => `${values(count, line)} an expression, read as written.`,
  default: (count, line) => `${values(count, line)} DEFAULT, read as null.`,
  backslash: (count, line) =>
    `${values(count, line)} written with a backslash, which is read as MySQL's escape. If it is not one, set "escapes: standard".`,
};

/** The warnings about the values of a dump. */
export class SqlWarnings extends Warnings<SqlWarning> {
  /** The line that is being read. */
  line = 0;

  constructor() {
    super(words);
  }

  note(kind: SqlWarning): void {
    this.add(kind, this.line);
  }
}
