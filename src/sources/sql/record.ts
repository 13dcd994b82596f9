import type { SqlDialect } from './dialect.ts';
import type { KnownTable } from './known-tables.ts';

/** One INSERT or COPY: what its records have in common. */
export interface Block {
  readonly kind: 'insert' | 'copy';
  readonly table: KnownTable;
  /** The columns it lists, else those of the table's definition; null where neither is there. */
  readonly columns: readonly string[] | null;
  readonly dialect: SqlDialect;
}

/** Why a record cannot be a row. */
export type RecordProblem = 'tooLarge' | 'cutOff' | 'syntax' | 'rowless';

/** The text of one tuple or COPY line, with the line where it begins. */
export interface DumpRecord {
  readonly block: Block;
  readonly line: number;
  readonly text: string;
  readonly problem: RecordProblem | null;
}

/** Takes what a part of the scan finds. */
export type Emit = (record: DumpRecord) => void;

/** A part of a dump that is under way. */
export interface Part {
  /** Goes on in the window; false where more text is needed. */
  advance(): boolean;
  /** The dump has ended within this part. */
  cutOff(): void;
}
