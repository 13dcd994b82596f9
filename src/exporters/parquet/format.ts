import { z } from 'zod';
import { exporter } from '../define.ts';
import { filePerKind } from '../file-per-kind.ts';
import { ParquetFile } from './file.ts';
import { recordsIn } from './read.ts';

/** Typed columns for analysts, and two columns of JSON that keep every record whole. */
export const parquet = exporter('parquet', {
  options: z.strictObject({}),
  open: (request) => filePerKind(request, 'parquet', ParquetFile.create),
  read: recordsIn,
});
