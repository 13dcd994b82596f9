import type { InputFacts, Source, SourceItem } from '../model/row.ts';
import type { InputFile } from './plain-file.ts';

const batchRows = 256;

/** What every look through a file finds out. */
interface OpenedFile {
  readonly file: InputFile;
  readonly fingerprint: string;
}

/** How a format reads a file: its bytes become records as they come, and each record becomes one item. */
interface FileReading<F, O extends OpenedFile, R> {
  /** Finds the file; it is asked for once, for a pipe can be read only once. */
  find(signal: AbortSignal): Promise<F>;
  /** Looks through the file before its records are read. */
  open(found: F, signal: AbortSignal): Promise<O>;
  records(opened: O, signal: AbortSignal): AsyncIterable<readonly R[]>;
  /** What one whole reading finds out. */
  facts(opened: O, signal: AbortSignal): Promise<Omit<InputFacts, 'name' | 'bytes' | 'fingerprint'>>;
  /** What makes items of records, one of each. */
  items(opened: O): (records: readonly R[]) => readonly SourceItem[];
}

/** A file as a source; nothing is touched before `inspect` or `read`. */
export function fileSource<F, O extends OpenedFile, R>(reading: FileReading<F, O, R>): Source {
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
