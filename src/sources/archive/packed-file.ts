import { type InputFile, inputError } from '../plain-file.ts';

/** How the files of an archive lie in it; `gzip` is one file alone. */
export type PackedKind = 'gzip' | 'zip' | 'tar' | 'tar.gz';

/** An archive whose files were listed: as long as it is unchanged it is not walked or hashed again for any of them. */
export interface ListedArchive {
  readonly file: InputFile;
  readonly kind: PackedKind;
  /** How many bytes each file states as its size, by its name. */
  readonly files: ReadonlyMap<string, number>;
  /** SHA-256 of its bytes, hexadecimal; they are read once. */
  hash(signal: AbortSignal): Promise<string>;
}

/** A file in an archive. */
export interface PackedFile {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** What the archive states as its unpacked size. */
  readonly bytes: number;
  /** Its bytes, which must be read before the next file is asked for; a chunk is valid until the next. Throws a FatalError('input') where they are not valid. */
  content(): AsyncGenerator<Buffer, void, undefined>;
}

/** An archive that is being walked: its file, and what it may still become where that is counted. */
export interface OpenArchive {
  readonly file: InputFile;
  readonly limit?: UnpackLimit;
}

const usualBytes = 20e9;
const ratio = 250;
const ratioCountsFrom = 64e6;
const mostMembers = 100_000;

/** What a packed input may still become; everything that comes out of it is taken from it. */
export class UnpackLimit {
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

  /** Throws a FatalError('input') where this is one member too many. */
  countFile(): void {
    this.#members += 1;
    if (this.#members <= mostMembers) return;
    throw inputError(this.#name, `has more than ${mostMembers} files`, 'Unpack it, and use the file in it.');
  }

  /** Throws a FatalError('input') where these bytes are too many. */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    this.assertFits(this.#bytes);
  }

  /** Throws a FatalError('input') where so many bytes in all would be too many. */
  assertFits(bytes: number): void {
    const most = this.#stated ?? usualBytes;
    if (bytes > most) {
      throw inputError(
        this.#name,
        `unpacks to more than ${shownBytes(most)}`,
        `Set "maxUnpacked: ${shownBytes(Math.max(bytes, most * 2))}" if it is meant to be that large.`,
      );
    }
    if (this.#stated !== undefined || bytes < ratioCountsFrom || bytes <= this.#packedBytes * ratio) return;
    throw inputError(
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
