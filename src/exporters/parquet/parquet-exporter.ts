import { z } from 'zod';
import { defineExporter } from '../exporter.ts';
import { createFilePerKindWriter } from '../file-per-kind.ts';

/** The Parquet exporter: typed columns, and two JSON columns that keep every record lossless. */
export const parquetExporter = defineExporter({
  name: 'parquet',
  words: {
    files: 'One for each kind of record.',
    holds: 'The chosen columns, typed, and the columns `normal` and `given` with each record whole, as JSON.',
  },
  options: z.strictObject({}),
  // Loaded on demand: the libraries are large.
  async open(request) {
    const { ParquetFileWriter } = await import('./parquet-file.ts');
    return await createFilePerKindWriter(request, 'parquet', ParquetFileWriter.create);
  },
  async *read(file) {
    const { readParquetRecords: recordsIn } = await import('./parquet-file.ts');
    yield* recordsIn(file);
  },
});
