import type { ExportColumnType, ExportTable } from '../../../src/model/export-record.ts';
import type { Cell } from '../records.ts';

/** The content of a file, read by another library. */
export interface Reading {
  /** Null where the columns are not called by their headings. */
  readonly headings: readonly string[] | null;
  readonly rows: readonly (readonly unknown[])[];
}

/** Reads what a format wrote, without any of the code that wrote it. */
export interface Reader {
  /** The value of a cell, as read. */
  shown(cell: Cell, type: ExportColumnType, table: ExportTable): unknown;
  read(folder: string, table: ExportTable): Promise<Reading>;
}
