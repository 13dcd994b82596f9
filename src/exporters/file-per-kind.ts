import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportKind, ExportRecord, ExportTable } from '../model/export-record.ts';
import type { ExportWriteRequest, ExportWriter, WrittenExportFile } from './exporter.ts';

/** The file name of each kind. */
const names: { readonly [K in ExportKind]: string } = {
  contacts: 'contacts',
  changes: 'changes',
  messages: 'messages',
  messageUpdates: 'message-updates',
  users: 'users',
  customFields: 'custom-fields',
  closingNotes: 'closing-notes',
  tags: 'tags',
  templates: 'templates',
};

/** Writes the records of one kind into a file. */
export interface RecordFileWriter {
  write(records: readonly ExportRecord[]): Promise<void>;
  /** Completes the file and makes it durable. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** Creates the writer of a format with a file per kind, and all its files; closes them if one cannot be created. */
export async function createFilePerKindWriter(
  { folder, tables }: ExportWriteRequest,
  extension: string,
  create: (path: string, table: ExportTable) => Promise<RecordFileWriter>,
): Promise<ExportWriter> {
  const files = new Map<
    ExportKind,
    { readonly name: string; readonly file: RecordFileWriter; rows: number }
  >();
  const abandon = async () => {
    for (const { file } of files.values()) await file.abandon();
  };
  try {
    for (const table of tables) {
      const name = `${names[table.kind]}.${extension}`;
      files.set(table.kind, { name, file: await create(join(folder, name), table), rows: 0 });
    }
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    async write(kind, records) {
      const entry = files.get(kind);
      if (entry === undefined) throw new Error(`${kind} were not announced to this writer`);
      await entry.file.write(records);
      entry.rows += records.length;
    },
    async finish() {
      const written: WrittenExportFile[] = [];
      for (const [kind, { name, file, rows }] of files) {
        await file.finish();
        written.push({ name, kind, rows });
      }
      return written;
    },
    abandon,
  };
}

const enough = 256 * 1024;

/** Creates a text file (0600) that begins with `head`; returns its writer, which buffers up to 256 KiB of text. */
export async function createTextRecordFileWriter(
  path: string,
  head: string,
  textOf: (records: readonly ExportRecord[]) => string,
): Promise<RecordFileWriter> {
  const handle = await open(path, 'wx', 0o600);
  let waiting = head;
  const flush = async () => {
    const text = waiting;
    waiting = '';
    await handle.writeFile(text);
  };
  return {
    async write(records) {
      waiting += textOf(records);
      if (waiting.length >= enough) await flush();
    },
    async finish() {
      await flush();
      await handle.sync();
      await handle.close();
    },
    abandon: () => handle.close(),
  };
}
