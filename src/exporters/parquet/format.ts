import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet';
import { z } from 'zod';
import { exporter } from '../exporter.ts';
import { filePerKind } from '../file-per-kind.ts';
import { keptObject } from '../value.ts';
import { ParquetFile, wholeColumns } from './file.ts';

/** Typed columns for analysts, and two columns of JSON that keep every record whole. */
export const parquet = exporter({
  name: 'parquet',
  words: {
    files: 'One for each kind of record.',
    holds: 'The chosen columns, typed, and the columns `normal` and `given` with each record whole, as JSON.',
  },
  options: z.strictObject({}),
  open: (request) => filePerKind(request, 'parquet', ParquetFile.create),
  read: recordsIn,
});

/** The records of a Parquet file in its order. */
async function* recordsIn(file: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  let before = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rows = Number(num_rows);
    for (const row of await rowsOf(buffer, metadata, before, before + rows)) {
      before += 1;
      const [normal, given] = row.map((text) => keptObject(String(text), file, before));
      yield { ...normal, given };
    }
  }
}

function rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  rowStart: number,
  rowEnd: number,
): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve, reject) => {
    const columns = [...wholeColumns];
    parquetRead({ file, metadata, columns, rowStart, rowEnd, onComplete: resolve }).catch(reject);
  });
}
