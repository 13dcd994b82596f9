import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { FatalError } from '../../model/fatal-error.ts';
import { Allowance } from '../archive/allowance.ts';
import { entryBytes } from '../archive/zip.ts';
import { type InputFile, refused } from '../input-file.ts';
import { parseXml, XmlError, type XmlHandler } from './xml.ts';

const mostParts = 100_000;
const again = 'Copy or export it again, or open it in a spreadsheet program and save it.';

/** The parts of a workbook file, by their path in it. */
export class Package {
  readonly #zip: ZipFile;
  readonly #file: InputFile;
  readonly #allowance: Allowance;
  readonly #parts = new Map<string, Entry>();

  private constructor(zip: ZipFile, file: InputFile, allowance: Allowance) {
    this.#zip = zip;
    this.#file = file;
    this.#allowance = allowance;
  }

  /** Throws a FatalError('input') where the file is cut off or is no zip archive. */
  static async open(file: InputFile, maxUnpacked: number | undefined, signal: AbortSignal): Promise<Package> {
    const zip = await orDamaged(file, openPromise(file.path, { lazyEntries: true, autoClose: false }));
    const opened = new Package(zip, file, new Allowance(file.name, file.bytes, maxUnpacked));
    try {
      await opened.#list(signal);
      return opened;
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** Whether there is a part under this path. */
  has(path: string): boolean {
    return this.#parts.has(key(path));
  }

  /** How many bytes a part has; 0 where there is none. */
  unpackedBytes(path: string): number {
    return this.#parts.get(key(path))?.uncompressedSize ?? 0;
  }

  /** Parses a part, nothing where there is none; yields after each chunk. `row` says how far it got. */
  async *parse(
    path: string,
    handler: XmlHandler,
    signal: AbortSignal,
    row: () => number = () => 0,
  ): AsyncGenerator<void, void, undefined> {
    const entry = this.#parts.get(key(path));
    if (entry === undefined) return;
    try {
      yield* parseXml(this.#bytes(entry, signal), handler);
    } catch (error) {
      if (!(error instanceof XmlError || error instanceof PartError)) throw error;
      const last = row();
      const what = `in ${path} ${error.message}`;
      if (last === 0) throw refused(this.#file.name, `cannot be read: ${what}`, again);
      throw refused(this.#file.name, `cannot be read after row ${last}: ${what}`, again, last);
    }
  }

  /** Parses a part whole. */
  async read(path: string, handler: XmlHandler, signal: AbortSignal): Promise<void> {
    for await (const _ of this.parse(path, handler, signal));
  }

  close(): void {
    this.#zip.close();
  }

  async #list(signal: AbortSignal): Promise<void> {
    if (this.#zip.entryCount > mostParts)
      throw refused(this.#file.name, `has ${this.#zip.entryCount} parts, more than any workbook`, again);
    await orDamaged(this.#file, this.#listed(signal));
    signal.throwIfAborted();
  }

  async #listed(signal: AbortSignal): Promise<void> {
    for await (const entry of this.#zip.eachEntry()) {
      if (signal.aborted) return;
      const name = key(entry.fileName);
      if (this.#parts.has(name)) throw new PartError(`it has the part ${entry.fileName} twice`);
      this.#parts.set(name, entry);
    }
  }

  async *#bytes(entry: Entry, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    if (entry.isEncrypted()) throw new PartError('the bytes are encrypted');
    this.#allowance.check(entry.uncompressedSize);
    try {
      yield* entryBytes(this.#zip, entry, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new PartError(`the bytes are damaged (${reasonOf(error)})`, { cause: error });
    }
  }
}

/** That a part's bytes cannot be had. */
class PartError extends Error {}

async function orDamaged<T>(file: InputFile, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw damaged(file, reasonOf(error));
  }
}

function damaged(file: InputFile, reason: string): FatalError {
  return refused(file.name, `is cut off or damaged, or is not a workbook: ${reason}`, again);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/** Paths are compared as spreadsheet programs do it: without regard to case. */
function key(path: string): string {
  return path.replace(/^\//, '').toLowerCase();
}
