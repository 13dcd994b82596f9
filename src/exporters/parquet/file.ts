import { type FileHandle, open } from 'node:fs/promises';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportRecord, ExportTable } from '../../model/export-record.ts';
import type { RecordFile } from '../file-per-kind.ts';
import { uniqueNames } from '../unique-names.ts';
import { valueAt } from '../value.ts';
import { parquetColumn } from './column.ts';

/** The columns of JSON that keep a record whole. */
export const wholeColumns = ['normal', 'given'] as const;

/** A group of rows waits in memory until it is written. */
const largestGroup = { rows: 10_000, characters: 8_000_000 };

/** Nobody searches in them, and hardly two are alike. */
const unsearched = { encoding: 'PLAIN', statistics: false } as const;

interface Column {
  readonly name: string;
  readonly written?: typeof unsearched;
  readonly of: (record: ExportRecord) => unknown;
  data: unknown[];
}

/** A Parquet file that is written group of rows by group of rows. */
export class ParquetFile implements RecordFile {
  readonly #sink: FileBytes;
  readonly #writer: ParquetWriter;
  readonly #columns: readonly Column[];
  #rows = 0;
  #characters = 0;

  private constructor(handle: FileHandle, { columns }: ExportTable) {
    const names = uniqueNames(
      columns.map(({ name }) => name),
      wholeColumns,
    );
    const shown = columns.map(({ path, type }, index) => {
      const name = names[index] ?? '';
      const { schema, typed } = parquetColumn(name, type);
      return { name, schema, of: ({ normal }: ExportRecord) => typed(valueAt(normal, path)) };
    });
    const whole = wholeColumns.map((name) => {
      const { schema } = parquetColumn(name, 'text');
      const of = (record: ExportRecord) => this.#json(record[name]);
      return { name, schema, of, written: unsearched };
    });
    this.#columns = [...shown, ...whole].map(({ schema: _, ...column }) => ({ ...column, data: [] }));
    this.#sink = new FileBytes(handle);
    const root = { name: 'longshore', num_children: this.#columns.length };
    this.#writer = new ParquetWriter({
      writer: this.#sink,
      schema: [root, ...shown.flatMap(({ schema }) => schema), ...whole.flatMap(({ schema }) => schema)],
      createdBy: 'longshore',
    });
  }

  static async create(path: string, table: ExportTable): Promise<ParquetFile> {
    return new ParquetFile(await open(path, 'wx', 0o600), table);
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

/** Bytes that go to a file when a group of rows is whole. */
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
