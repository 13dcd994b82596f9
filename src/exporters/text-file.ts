import { type FileHandle, open } from 'node:fs/promises';
import type { ExportRecord } from '../model/export-record.ts';
import type { RecordFile } from './file-per-kind.ts';

const enough = 256 * 1024;

/** A text file (0600) of records, written in large chunks and made durable when it is complete. */
export class TextFile implements RecordFile {
  readonly #handle: FileHandle;
  readonly #textOf: (records: readonly ExportRecord[]) => string;
  #waiting: string;

  private constructor(
    handle: FileHandle,
    head: string,
    textOf: (records: readonly ExportRecord[]) => string,
  ) {
    this.#handle = handle;
    this.#waiting = head;
    this.#textOf = textOf;
  }

  static async create(
    path: string,
    head: string,
    textOf: (records: readonly ExportRecord[]) => string,
  ): Promise<TextFile> {
    return new TextFile(await open(path, 'wx', 0o600), head, textOf);
  }

  async write(records: readonly ExportRecord[]): Promise<void> {
    this.#waiting += this.#textOf(records);
    if (this.#waiting.length >= enough) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#handle.sync();
    await this.#handle.close();
  }

  async abandon(): Promise<void> {
    await this.#handle.close();
  }

  async #flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    await this.#handle.writeFile(text);
  }
}
