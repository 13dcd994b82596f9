import type { InputFile } from '../plain-file.ts';
import type { Allowance } from './allowance.ts';

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
export interface Packed {
  readonly file: InputFile;
  readonly allowance?: Allowance;
}
