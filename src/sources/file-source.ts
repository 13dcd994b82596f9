import type { InputFacts, Source, SourceItem } from '../model/row.ts';
import type { InputFile } from './plain-file.ts';

const batchRows = 256;

/**
 * A file after `open`, with the fingerprint of its bytes and of the options that affect how they are read.
 */
interface OpenedFile {
  readonly file: InputFile;
  readonly fingerprint: string;
}

/**
 * The steps by which a format reads a file: its bytes are split into records, and each record is converted to one item.
 */
interface FileReading<F, O extends OpenedFile, R> {
  /** Finds the file; called once, because a pipe is read only once. */
  find(signal: AbortSignal): Promise<F>;
  /** Scans the file before its records are read. */
  open(found: F, signal: AbortSignal): Promise<O>;
  records(opened: O, signal: AbortSignal): AsyncIterable<readonly R[]>;
  /** Reads all records, and returns the facts about them. */
  facts(opened: O, signal: AbortSignal): Promise<Omit<InputFacts, 'name' | 'bytes' | 'fingerprint'>>;
  /** Creates the function that converts records to items, one item for each record. */
  items(opened: O): (records: readonly R[]) => readonly SourceItem[];
}

/** Creates the source of a file; reads nothing before `inspect` or `read`. */
export function createFileSource<F, O extends OpenedFile, R>(reading: FileReading<F, O, R>): Source {
  let found: F | undefined;
  let opened: O | undefined;
  const open = async (signal: AbortSignal): Promise<O> => {
    found ??= await reading.find(signal);
    opened = await reading.open(found, signal);
    return opened;
  };
  return {
    async inspect(signal) {
      const known = await open(signal);
      const { file, fingerprint } = known;
      return { name: file.name, bytes: file.bytes, fingerprint, ...(await reading.facts(known, signal)) };
    },
    async *read(from, signal) {
      const known = opened ?? (await open(signal));
      const itemsOf = reading.items(known);
      let toSkip = from;
      for await (const records of reading.records(known, signal)) {
        const wanted = toSkip === 0 ? records : records.slice(toSkip);
        toSkip -= Math.min(toSkip, records.length);
        for (let at = 0; at < wanted.length; at += batchRows) {
          signal.throwIfAborted();
          yield itemsOf(wanted.slice(at, at + batchRows));
        }
      }
    },
  };
}
