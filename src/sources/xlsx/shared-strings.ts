import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DiskSpaceChecker } from '../../storage/room.ts';
import { spoolFile } from '../../storage/spool.ts';
import {
  openSqlite,
  type SqliteConnection,
  type SqliteStatement,
  withStorageErrors,
} from '../../storage/sqlite.ts';
import type { WorkbookPackage } from './workbook.ts';
import type { XmlHandler } from './xml.ts';

/** Collects the text of a string item (`si`, `is`): its runs joined, without phonetic runs. */
export class StringItemHandler implements XmlHandler {
  #text = '';
  #inText = false;
  #phonetic = 0;

  open(name: string): void {
    if (name === 'rPh') this.#phonetic += 1;
    this.#inText = name === 't' && this.#phonetic === 0;
  }

  text(text: string): void {
    if (this.#inText) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic -= 1;
    this.#inText = false;
  }

  /** Returns the text collected since the last call. */
  take(): string {
    const text = unescapeXlsxText(this.#text);
    this.#text = '';
    return text;
  }
}

/** Decodes the `_x000D_` escapes of a workbook, for characters that XML cannot hold. */
export function unescapeXlsxText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Opens a reader of the shared strings. */
export type SharedStringsOpener = () => SharedStringsReader;

/** Shared strings up to this size (as XML) stay in memory, larger ones go to a file. */
const mostInMemory = 16 * 1024 * 1024;

/**
 * Reads the shared strings of a workbook. Large ones are stored in the file `name` of the spool folder; an existing
 * file is reused.
 */
export async function readSharedStrings(
  workbook: WorkbookPackage,
  part: string,
  { spoolDir, name }: { readonly spoolDir: string; readonly name: string },
  signal: AbortSignal,
): Promise<SharedStringsOpener> {
  const bytes = workbook.unpackedBytes(part);
  const texts = textsIn(workbook, part, signal);
  if (bytes > mostInMemory) return stringsOnDisk(spoolDir, name, bytes, texts);
  const all: string[] = [];
  for await (const some of texts) all.push(...some);
  return () => ({ at: (index) => all[index], close() {} });
}

async function* textsIn(
  workbook: WorkbookPackage,
  part: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  const texts = new SharedTexts();
  for await (const _ of workbook.parse(part, texts, signal)) yield texts.found.splice(0);
}

class SharedTexts extends StringItemHandler {
  readonly found: string[] = [];

  override close(name: string): void {
    super.close(name);
    if (name === 'si') this.found.push(this.take());
  }
}

// Sheets use shared strings nearly in order, so the block that was read for one string also has the next ones.
const blockTexts = 128;
const mostRemembered = 8_000_000;

const textsSchema = z.array(z.string());

/** Reads shared strings by index, undefined for an unknown one; must be closed. */
export interface SharedStringsReader {
  at(index: number): string | undefined;
  close(): void;
}

/**
 * Stores texts in the SQLite file `name` (mode 0600) of the spool folder. An existing file is reused: it is complete,
 * and its name is derived from the content. `bytes` is the estimated size. Throws a FatalError if the disk is full.
 */
async function stringsOnDisk(
  spoolDir: string,
  name: string,
  bytes: number,
  texts: AsyncIterable<readonly string[]>,
): Promise<() => SharedStringsReader> {
  const path = join(spoolDir, name);
  if (!existsSync(path))
    await spoolFile(spoolDir, async (_, part) => {
      await new DiskSpaceChecker(spoolDir, name).assert(bytes);
      const file = withStorageErrors(part, () => created(part));
      try {
        await insertBlocks(file, part, texts);
      } finally {
        file.close();
      }
      return name;
    });
  return () => withStorageErrors(path, () => new StringsOnDisk(path));
}

async function insertBlocks(
  file: SqliteConnection,
  part: string,
  texts: AsyncIterable<readonly string[]>,
): Promise<void> {
  const insert = file.prepare('INSERT INTO blocks (number, texts) VALUES (?, ?)');
  let number = 0;
  let waiting: string[] = [];
  const write = (most: number) => {
    let at = 0;
    for (; waiting.length - at >= most && at < waiting.length; at += blockTexts) {
      insert.run(number, JSON.stringify(waiting.slice(at, at + blockTexts)));
      number += 1;
    }
    waiting = waiting.slice(at);
  };
  for await (const some of texts) {
    waiting.push(...some);
    withStorageErrors(part, () => file.transaction(() => write(blockTexts))());
  }
  withStorageErrors(part, () => file.transaction(() => write(0))());
}

function created(part: string): SqliteConnection {
  const file = openSqlite(part);
  // The file need not be durable while it is written: an incomplete file is never renamed, and is written again.
  file.pragma('journal_mode = MEMORY');
  file.pragma('synchronous = OFF');
  file.exec('CREATE TABLE blocks (number INTEGER PRIMARY KEY, texts TEXT NOT NULL)');
  return file;
}

class StringsOnDisk implements SharedStringsReader {
  readonly #file: SqliteConnection;
  readonly #find: SqliteStatement<[number], string>;
  readonly #remembered = new Map<number, readonly string[]>();
  #length = 0;

  constructor(path: string) {
    this.#file = openSqlite(path, { readonly: true });
    this.#find = this.#file.prepare<[number], string>('SELECT texts FROM blocks WHERE number = ?').pluck();
  }

  at(index: number): string | undefined {
    if (!Number.isSafeInteger(index)) return undefined;
    const number = Math.floor(index / blockTexts);
    const block = this.#remembered.get(number) ?? this.#read(number);
    return block[index - number * blockTexts];
  }

  close(): void {
    this.#file.close();
  }

  #read(number: number): readonly string[] {
    const stored = this.#find.get(number);
    if (stored === undefined) return [];
    if (this.#length + stored.length > mostRemembered) {
      this.#remembered.clear();
      this.#length = 0;
    }
    const block = textsSchema.parse(JSON.parse(stored));
    this.#remembered.set(number, block);
    this.#length += stored.length;
    return block;
  }
}
