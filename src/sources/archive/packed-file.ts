import type { InputFile } from '../plain-file.ts';
import type { Allowance } from './allowance.ts';

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
