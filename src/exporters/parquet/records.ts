import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet';
import { keptObject } from '../value.ts';
import { wholeColumns } from './file.ts';

/** The records of a Parquet file in its order. */
export async function* recordsIn(file: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
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
