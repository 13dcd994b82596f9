import { createInputError, type InputFile } from '../plain-file.ts';

/** The kind of an archive; `gzip` holds one file. */
export type ArchiveFormat = 'gzip' | 'zip' | 'tar' | 'tar.gz';

/** The list of an archive's files, reused while the archive is unchanged. */
export interface ArchiveListing {
  readonly file: InputFile;
  readonly kind: ArchiveFormat;
  /** The stated size of each file by name. */
  readonly files: ReadonlyMap<string, number>;
  /** Returns the SHA-256 of the archive's bytes in hexadecimal; cached. */
  hash(signal: AbortSignal): Promise<string>;
}

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** The unpacked size that the archive states; the packed size for a gz. */
  readonly bytes: number;
  /**
   * Yields the unpacked bytes; must be read before the next file, and a chunk is valid until the next chunk.
   * Throws a FatalError('input') if they are damaged.
   */
  content(): AsyncGenerator<Buffer, void, undefined>;
}

/** An archive that is being read, with its unpack limit. */
export interface ArchiveContext {
  readonly file: InputFile;
  readonly limit?: UnpackLimiter;
}

const usualBytes = 20e9;
const ratio = 250;
const ratioCountsFrom = 64e6;
const mostMembers = 100_000;

/** Counts the files and bytes that an input unpacks to, and throws above their limits. */
export class UnpackLimiter {
  readonly #name: string;
  readonly #packedBytes: number;
  readonly #stated: number | undefined;
  #bytes = 0;
  #members = 0;

  constructor(name: string, packedBytes: number, stated: number | undefined) {
    this.#name = name;
    this.#packedBytes = packedBytes;
    this.#stated = stated;
  }

  /** Counts a file. Throws a FatalError('input') above the limit. */
  countFile(): void {
    this.#members += 1;
    if (this.#members <= mostMembers) return;
    throw createInputError(
      this.#name,
      `has more than ${mostMembers} files`,
      'Unpack it, and use the file in it.',
    );
  }

  /** Counts unpacked bytes. Throws a FatalError('input') above the limit. */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    this.assertFits(this.#bytes);
  }

  /** Throws a FatalError('input') if this total of bytes is above the limit. */
  assertFits(bytes: number): void {
    const most = this.#stated ?? usualBytes;
    if (bytes > most) {
      throw createInputError(
        this.#name,
        `unpacks to more than ${shownBytes(most)}`,
        `Set "maxUnpacked: ${shownBytes(Math.max(bytes, most * 2))}" if it is meant to be that large.`,
      );
    }
    if (this.#stated !== undefined || bytes < ratioCountsFrom || bytes <= this.#packedBytes * ratio) return;
    throw createInputError(
      this.#name,
      `unpacks to more than ${ratio} times its size, like an archive made to fill the disk`,
      'If you trust it, set "maxUnpacked" to the size it should have.',
    );
  }
}

function shownBytes(bytes: number): string {
  for (const [unit, size] of [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
  ] as const) {
    if (bytes >= size) return `${Math.ceil(bytes / size)}${unit}`;
  }
  return `${Math.ceil(bytes / 1e3)}KB`;
}
