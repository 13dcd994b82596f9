import { type FileHandle, open } from 'node:fs/promises';
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportColumnType, ExportRecord, ExportTable } from '../../model/export-record.ts';
import type { RecordFileWriter } from '../file-per-kind.ts';
import {
  makeNamesUnique,
  parseStoredObject,
  readRecordValue,
  toBoolean,
  toCellText,
  toCompactJson,
  toDate,
  toInteger,
  toNumber,
  toTextList,
  toTimestamp,
} from '../value.ts';

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const moment = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;
const date = { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } } as const;

type Leaf = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const leaves: {
  readonly [T in Exclude<ExportColumnType, 'texts'>]: readonly [Leaf, (value: unknown) => unknown];
} = {
  text: [text, toCellText],
  json: [text, toCompactJson],
  integer: [{ type: 'INT64' }, toInteger],
  number: [{ type: 'DOUBLE' }, toNumber],
  boolean: [{ type: 'BOOLEAN' }, toBoolean],
  moment: [moment, toTimestamp],
  date: [date, toDate],
};

/**
 * Returns the schema of a column, and the conversion of its values: null for a missing value or one of another type.
 */
function parquetColumn(name: string, type: ExportColumnType) {
  const own = { name, repetition_type: 'OPTIONAL' } as const;
  if (type !== 'texts') {
    const [leaf, typed] = leaves[type];
    return { name, schema: [{ ...own, ...leaf }], typed };
  }
  const schema: SchemaElement[] = [
    { ...own, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...text },
  ];
  return { name, schema, typed: toTextList };
}

/** The JSON columns that keep a record lossless. */
const jsonColumns = ['normal', 'given'] as const;

/** The limits of a row group, which is buffered in memory. */
const largestGroup = { rows: 10_000, characters: 8_000_000 };

/** JSON columns need no statistics and no dictionary. */
const withoutStatistics = { encoding: 'PLAIN', statistics: false } as const;

interface Column {
  readonly name: string;
  readonly written?: typeof withoutStatistics;
  readonly of: (record: ExportRecord) => unknown;
  data: unknown[];
}

/** Writes a Parquet file, one row group at a time. */
export class ParquetFileWriter implements RecordFileWriter {
  readonly #sink: FileBytes;
  readonly #writer: ParquetWriter;
  readonly #columns: readonly Column[];
  #rows = 0;
  #characters = 0;

  private constructor(handle: FileHandle, { columns }: ExportTable) {
    const names = makeNamesUnique(
      columns.map(({ name }) => name),
      jsonColumns,
    );
    const shown = columns.map(({ path, type }, index) => {
      const { typed, ...column } = parquetColumn(names[index] ?? '', type);
      return { ...column, of: ({ normal }: ExportRecord) => typed(readRecordValue(normal, path)) };
    });
    const whole = jsonColumns.map((name) => {
      const { schema } = parquetColumn(name, 'text');
      return {
        name,
        schema,
        of: (record: ExportRecord) => this.#json(record[name]),
        written: withoutStatistics,
      };
    });
    this.#columns = [...shown, ...whole].map(({ schema: _, ...column }) => ({ ...column, data: [] }));
    this.#sink = new FileBytes(handle);
    const root = { name: 'longshore', num_children: this.#columns.length };
    this.#writer = new ParquetWriter({
      writer: this.#sink,
      schema: [root, ...[...shown, ...whole].flatMap(({ schema }): SchemaElement[] => schema)],
      createdBy: 'longshore',
    });
  }

  static async create(path: string, table: ExportTable): Promise<ParquetFileWriter> {
    return new ParquetFileWriter(await open(path, 'wx', 0o600), table);
  }

  async write(records: readonly ExportRecord[]): Promise<void> {
    for (const record of records) {
      for (const { data, of } of this.#columns) data.push(of(record));
      this.#rows += 1;
      if (this.#rows === largestGroup.rows || this.#characters >= largestGroup.characters) {
        await this.#writeGroup();
      }
    }
  }

  async finish(): Promise<void> {
    if (this.#rows > 0) await this.#writeGroup();
    await this.#writer.finish();
  }

  async abandon(): Promise<void> {
    await this.#sink.close();
  }

  #json(value: unknown): string {
    const text = JSON.stringify(value);
    this.#characters += text.length;
    return text;
  }

  async #writeGroup(): Promise<void> {
    const columnData = this.#columns.map(({ name, data, written }) => ({ name, data, ...written }));
    await this.#writer.write({ columnData, rowGroupSize: this.#rows });
    for (const column of this.#columns) column.data = [];
    this.#rows = 0;
    this.#characters = 0;
  }
}

/** Writes the bytes of complete row groups to a file. */
class FileBytes extends ByteWriter {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }

  async flush(): Promise<void> {
    await this.#handle.writeFile(this.getBytes());
    this.index = 0;
  }

  override async finish(): Promise<void> {
    await this.flush();
    await this.#handle.sync();
    await this.close();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Yields the records of a Parquet file in order; throws a FatalError('input') for a changed record. */
export async function* readParquetRecords(file: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  let before = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rows = Number(num_rows);
    for (const row of await rowsOf(buffer, metadata, before, before + rows)) {
      before += 1;
      const [normal, given] = row.map((text) => parseStoredObject(String(text), file, before));
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
    const columns = [...jsonColumns];
    parquetRead({ file, metadata, columns, rowStart, rowEnd, onComplete: resolve }).catch(reject);
  });
}
