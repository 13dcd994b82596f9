import { Parser, type ReadEntry } from 'tar';
import { validateFileName } from 'yauzl';
import { createInputError, getErrorMessage } from '../plain-file.ts';
import type { ArchiveContext, ArchiveEntry } from './packed-file.ts';

const fileTypes = ['File', 'OldFile', 'ContiguousFile'];

/**
 * Yields the files of a tar, without links and devices. Throws a FatalError('input') if it is cut off, damaged or
 * malicious.
 */
export async function* readTarEntries(
  packed: ArchiveContext,
  bytes: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const reading = new TarReading(packed.file.name, bytes);
  try {
    for (let entry = await reading.next(); entry !== null; entry = await reading.next()) {
      packed.limit?.countFile();
      const wrong = validateFileName(entry.path);
      if (wrong !== null) {
        const what = `has a file whose path leads out of it (${wrong}), as malicious archives do`;
        throw createInputError(packed.file.name, what, 'Do not use it; ask where it came from.');
      }
      const own = entry;
      if (fileTypes.includes(own.type))
        yield {
          name: own.path.replace(/^(\.\/)+/, ''),
          bytes: own.size,
          content: () => reading.content(own),
        };
    }
  } finally {
    await bytes.return();
  }
}

/** Reads a tar entry by entry; feeds the parser only on demand, so that memory stays bounded. */
class TarReading {
  readonly #name: string;
  readonly #bytes: AsyncGenerator<Buffer, void, undefined>;
  readonly #entries: ReadEntry[] = [];
  readonly #parser: Parser;
  #failure: unknown = null;
  #current: ReadEntry | null = null;
  #sawEnd = false;

  constructor(name: string, bytes: AsyncGenerator<Buffer, void, undefined>) {
    this.#name = name;
    this.#bytes = bytes;
    this.#parser = new Parser({ strict: true, onReadEntry: (entry) => this.#entries.push(entry) });
    this.#parser.on('eof', () => {
      this.#sawEnd = true;
    });
    this.#parser.on('error', (error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Returns the next entry, and skips the rest of the one before; null at the end. */
  async next(): Promise<ReadEntry | null> {
    this.#current?.resume();
    for (;;) {
      const entry = this.#entries.shift();
      if (entry !== undefined) {
        this.#current = entry;
        return entry;
      }
      if (!(await this.#feed())) return null;
    }
  }

  async *content(entry: ReadEntry): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const chunk = entry.read();
      if (chunk !== null) yield chunk;
      else if (entry.emittedEnd || !(await this.#feed())) return;
    }
  }

  /** Feeds the parser; returns false at the end of the bytes. */
  async #feed(): Promise<boolean> {
    const next = await this.#bytes.next();
    if (next.done !== true) {
      // The parser would buffer bytes after the end.
      if (!this.#sawEnd) this.#parser.write(next.value);
    } else if (!this.#sawEnd) {
      throw createInputError(
        this.#name,
        'is a tar that is cut off: its end is missing',
        'Copy or export it again.',
      );
    }
    if (this.#failure !== null) {
      const what = `is damaged and cannot be unpacked (${getErrorMessage(this.#failure)})`;
      throw createInputError(this.#name, what, 'Copy or export it again.');
    }
    return next.done !== true;
  }
}
