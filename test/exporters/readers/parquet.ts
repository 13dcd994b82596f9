import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetRead } from 'hyparquet';
import { nameOf } from './csv.ts';
import type { Reader } from './reader.ts';

/** hyparquet takes a mark at the beginning of a text for none of it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const parsers = { stringFromBytes: (bytes: Uint8Array) => bytes && decoder.decode(bytes) };

export const parquetReader: Reader = {
  shown: ({ is }) => is,
  async read(folder, { kind, columns }) {
    const bytes = readFileSync(join(folder, `${nameOf(kind)}.parquet`));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const { schema } = parquetMetadata(file);
    const names = schema.slice(1).map(({ name }) => name);
    const headings = names.filter((name) => !['list', 'element', 'normal', 'given'].includes(name));
    const rows = await new Promise<unknown[][]>((resolve, reject) => {
      parquetRead({ file, parsers, onComplete: resolve }).catch(reject);
    });
    const shown = columns.map(({ type }) => type);
    return {
      headings,
      rows: rows.map((row) =>
        shown.map((type, index) =>
          row[index] === undefined || (type === 'integer' && row[index] === null) ? null : row[index],
        ),
      ),
    };
  },
};
