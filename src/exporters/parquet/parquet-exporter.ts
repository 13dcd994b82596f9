import { z } from 'zod';
import { exporter } from '../exporter.ts';
import { filePerKind } from '../file-per-kind.ts';

/** Typed columns for analysts, and two columns of JSON that keep every record whole. */
export const parquet = exporter({
  name: 'parquet',
  words: {
    files: 'One for each kind of record.',
    holds: 'The chosen columns, typed, and the columns `normal` and `given` with each record whole, as JSON.',
  },
  options: z.strictObject({}),
  // Both only when they are needed: every command would wait for the libraries.
  async open(request) {
    const { ParquetFile } = await import('./parquet-file.ts');
    return await filePerKind(request, 'parquet', ParquetFile.create);
  },
  async *read(file) {
    const { recordsIn } = await import('./parquet-file.ts');
    yield* recordsIn(file);
  },
});
