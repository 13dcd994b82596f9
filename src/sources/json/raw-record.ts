/** Why the text of a record is not even tried. */
export type RecordTrouble = 'encoding' | 'tooLarge' | 'tooDeep';

/** The text of one record, or the beginning of it where it is too large, with its place. */
export interface RawRecord {
  /** The line in NDJSON; in an array the number of the record, 1 being the first. */
  readonly line: number;
  readonly text: string;
  readonly trouble: RecordTrouble | null;
}

/** Parts text into records as it comes. */
export interface RecordSplitter {
  /** The records that end in this piece; `suspect` where anything so far could not be decoded. */
  push(text: string, suspect: boolean): readonly RawRecord[];
  /** The record that ends with the input, if one does. Throws a FatalError('input') where the input breaks off. */
  end(): readonly RawRecord[];
}

/** Records are nested at most so deep. */
export const mostDepth = 100;

/** So much is kept of the text of a record that is no row. */
export const rawLength = 64 * 1024;
