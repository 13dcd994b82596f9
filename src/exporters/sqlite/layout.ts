import type { ExportRecord, ExportTable } from '../../model/export-record.ts';
import type { Row, SqlDatabase } from './column.ts';

/** Writes the records of one kind, in the transaction of the caller. */
export interface RecordTable {
  insert(record: ExportRecord): void;
  /** Creates its indexes and views, when all is written. */
  complete(): void;
}

/** How one kind stands in the database. */
export interface TableLayout {
  readonly table: string;
  create(database: SqlDatabase, table: ExportTable): RecordTable;
  /** The normal form out of a row whose `normal` is empty: what its columns, and the tables beside it, say. */
  restore(database: SqlDatabase): (row: Row) => Readonly<Record<string, unknown>>;
}
