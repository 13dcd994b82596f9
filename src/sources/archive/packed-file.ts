import type { InputFile } from '../plain-file.ts';

/** A file in an archive. */
export interface PackedFile {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** What the archive states as its unpacked size. */
  readonly bytes: number;
  /** Its bytes, which must be read before the next file is asked for; a chunk is valid until the next. Throws a FatalError('input') where they are not sound. */
  content(): AsyncGenerator<Buffer, void, undefined>;
}

/** An archive that is being walked: its file, and what it may still become. */
export interface Packed {
  readonly file: InputFile;
  /** Called for every file in it; throws where there are too many. */
  member(): void;
  /** Called with the number of bytes of every chunk that comes out of it; throws where there are too many. */
  take(bytes: number): void;
}
