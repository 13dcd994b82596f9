import { csvReader } from './csv.ts';
import { ndjsonReader } from './ndjson.ts';
import { parquetReader } from './parquet.ts';
import type { Reader } from './reader.ts';
import { sqliteReader } from './sqlite.ts';
import { xlsxReader } from './xlsx.ts';

/** An independent reader of each format. */
export const readers: Readonly<Record<string, Reader>> = {
  csv: csvReader,
  ndjson: ndjsonReader,
  xlsx: xlsxReader,
  parquet: parquetReader,
  sqlite: sqliteReader,
};
