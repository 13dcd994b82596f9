import type { Package } from './package.ts';
import { StringText } from './string-text.ts';
import { type StringsReader, stringsOnDisk } from './strings-on-disk.ts';

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
