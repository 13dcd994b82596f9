import type { Package } from './package.ts';
import { StringText } from './string-text.ts';
import { type StringsReader, stringsOnDisk } from './strings-on-disk.ts';
import type { XmlHandler } from './xml.ts';

/** The texts of a workbook, by their number in it. */
export type OpenStrings = () => StringsReader;

/** Texts of at most so many bytes as XML are held in memory; with more they are kept in a file. */
const mostInMemory = 16 * 1024 * 1024;

/** Reads the shared texts of a workbook; `path` is where they are kept if they are many, and is trusted if it is there. */
export async function sharedStrings(
  workbook: Package,
  part: string,
  path: string,
  signal: AbortSignal,
): Promise<OpenStrings> {
  const texts = new SharedTexts();
  const bytes = workbook.unpackedBytes(part);
  if (bytes > mostInMemory) return stringsOnDisk(path, bytes, drained(workbook, part, texts, signal));
  const all: string[] = [];
  for await (const some of drained(workbook, part, texts, signal)) all.push(...some);
  return () => ({ at: (index) => all[index], close() {} });
}

async function* drained(
  workbook: Package,
  part: string,
  texts: SharedTexts,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const _ of workbook.parse(part, texts, signal)) yield texts.take();
}

class SharedTexts implements XmlHandler {
  readonly #current = new StringText();
  #found: string[] = [];

  open(name: string): void {
    this.#current.open(name);
  }

  text(text: string): void {
    this.#current.text(text);
  }

  close(name: string): void {
    this.#current.close(name);
    if (name === 'si') this.#found.push(this.#current.take());
  }

  take(): readonly string[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}
