import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Room } from '../../storage/room.ts';
import { spooled } from '../../storage/spool.ts';
import { guarded, openSqlite, type SqliteFile, type Statement } from '../../storage/sqlite.ts';
import type { Package } from './workbook.ts';
import type { XmlHandler } from './xml.ts';

/** Gathers the text of a string item (`si`, `is`): its runs joined, without the pronunciation that some hold. */
export class StringText implements XmlHandler {
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

  /** The text so far; the next one begins empty. */
  take(): string {
    const text = unescaped(this.#text);
    this.#text = '';
    return text;
  }
}

/** What XML cannot hold is written `_x000D_` in a workbook, and an underscore that looks like that `_x005F_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The texts of a workbook, by their number in it. */
export type OpenStrings = () => StringsReader;

/** Texts of at most so many bytes as XML are held in memory; with more they are kept in a file. */
const mostInMemory = 16 * 1024 * 1024;

/** Reads the shared texts of a workbook; if they are many they are kept in the spool folder under this name, and trusted if they are there. */
export async function sharedStrings(
  workbook: Package,
  part: string,
  { spoolDir, name }: { readonly spoolDir: string; readonly name: string },
  signal: AbortSignal,
): Promise<OpenStrings> {
  const bytes = workbook.unpackedBytes(part);
  const texts = textsIn(workbook, part, signal);
  if (bytes > mostInMemory) return stringsOnDisk(spoolDir, name, bytes, texts);
  const all: string[] = [];
  for await (const some of texts) all.push(...some);
  return () => ({ at: (index) => all[index], close() {} });
}

async function* textsIn(
  workbook: Package,
  part: string,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  const texts = new SharedTexts();
  for await (const _ of workbook.parse(part, texts, signal)) yield texts.found.splice(0);
}

class SharedTexts extends StringText {
  readonly found: string[] = [];

  override close(name: string): void {
    super.close(name);
    if (name === 'si') this.found.push(this.take());
  }
}

// A sheet goes through its texts nearly in order, so that a block read for one text serves the next ones.
const blockTexts = 128;
const mostRemembered = 8_000_000;

const textsSchema = z.array(z.string());

/** Texts by their number; close it after the reading. */
export interface StringsReader {
  at(index: number): string | undefined;
  close(): void;
}

/**
 * Keeps texts in a SQLite file (0600) of this name in the spool folder; the name tells their content: one that is there is
 * whole and is used as it is. `bytes` are about as many as they will need. Throws a FatalError where the disk is full.
 */
async function stringsOnDisk(
  spoolDir: string,
  name: string,
  bytes: number,
  texts: AsyncIterable<readonly string[]>,
): Promise<() => StringsReader> {
  const path = join(spoolDir, name);
  if (!existsSync(path))
    await spooled(spoolDir, async (_, part) => {
      await new Room(spoolDir, name).assert(bytes);
      const file = guarded(part, () => created(part));
      try {
        await insertBlocks(file, part, texts);
      } finally {
        file.close();
      }
      return name;
    });
  return () => guarded(path, () => new StringsOnDisk(path));
}

async function insertBlocks(
  file: SqliteFile,
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
    guarded(part, () => file.transaction(() => write(blockTexts))());
  }
  guarded(part, () => file.transaction(() => write(0))());
}

function created(part: string): SqliteFile {
  const file = openSqlite(part);
  // Nothing is waited for until all is written: what breaks before was not renamed yet, and is written again.
  file.pragma('journal_mode = MEMORY');
  file.pragma('synchronous = OFF');
  file.exec('CREATE TABLE blocks (number INTEGER PRIMARY KEY, texts TEXT NOT NULL)');
  return file;
}

class StringsOnDisk implements StringsReader {
  readonly #file: SqliteFile;
  readonly #find: Statement<[number], string>;
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
