import type { FatalError } from '../../model/fatal-error.ts';
import type { BrokenRow, InputFacts, Source, SourceItem } from '../../model/row.ts';
import { ColumnUnion } from '../column-union.ts';
import { type TextFile, textFile, texts } from '../encoding/text-file.ts';
import { inputFile, refused } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import { ArraySplitter } from './array-splitter.ts';
import { itemOf } from './items.ts';
import { OpenRecord } from './open-record.ts';
import type { NdjsonOptions } from './options.ts';
import type { RawRecord, RecordSplitter } from './raw-record.ts';

/** Parts NDJSON: a record in each line; lines of nothing but blanks are none. */
export class LineSplitter implements RecordSplitter {
  readonly #maxBytes: number;
  #line = 1;
  #open: OpenRecord;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#open = new OpenRecord(1, maxBytes);
  }

  push(text: string, suspect: boolean): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#open.add(text.slice(at, end), suspect);
      records.push(...this.end());
      at = end + 1;
      this.#line += 1;
      this.#open = new OpenRecord(this.#line, this.#maxBytes);
    }
    this.#open.add(text.slice(at), suspect);
    return records;
  }

  end(): readonly RawRecord[] {
    const record = this.#open.closed();
    return record.text.trim() === '' ? [] : [record];
  }
}

const batchRows = 256;

/** A file with a JSON record in each line as a source; nothing is touched before `inspect` or `read`. */
export function ndjsonSource(options: NdjsonOptions, input: SourceInput): Source {
  return new JsonSource('ndjson', options, input, () => new LineSplitter(options.maxRowBytes));
}

/** A JSON document with an array of records as a source; nothing is touched before `inspect` or `read`. */
export function jsonSource(
  options: NdjsonOptions & { readonly at?: string | undefined },
  input: SourceInput,
): Source {
  return new JsonSource(
    'json',
    options,
    input,
    (name) => new ArraySplitter(name, options.at, options.maxRowBytes),
  );
}

class JsonSource implements Source {
  readonly #format: 'json' | 'ndjson';
  readonly #options: NdjsonOptions;
  readonly #input: SourceInput;
  readonly #splitter: (name: string) => RecordSplitter;
  #text: TextFile | null = null;

  constructor(
    format: 'json' | 'ndjson',
    options: NdjsonOptions,
    input: SourceInput,
    splitter: (name: string) => RecordSplitter,
  ) {
    this.#format = format;
    this.#options = options;
    this.#input = input;
    this.#splitter = splitter;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    this.#text = await this.#open(signal);
    const { file, encoding, fingerprint } = this.#text;
    const columns = new ColumnUnion();
    let items = 0;
    let sound = 0;
    let first: RawRecord | undefined;
    let firstBroken: BrokenRow | undefined;
    for await (const records of this.#records(this.#text, signal)) {
      items += records.length;
      first ??= records[0];
      for (const record of records) {
        const item = itemOf(record, this.#options);
        if (item.kind === 'broken') firstBroken ??= item;
        else if (item.kind === 'row') {
          sound += 1;
          columns.add(item);
        }
      }
    }
    if (this.#format === 'ndjson') {
      assertLines(file.name, first);
      if (sound === 0 && firstBroken?.problem.code === 'row.json') throw noRecord(file.name, firstBroken);
    }
    return {
      name: file.name,
      bytes: file.bytes,
      fingerprint,
      items,
      columns: columns.names(),
      notes: encoding.notes,
    };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#text ??= await this.#open(signal);
    let toSkip = from;
    for await (const records of this.#records(this.#text, signal)) {
      const wanted = toSkip === 0 ? records : records.slice(toSkip);
      toSkip -= Math.min(toSkip, records.length);
      for (let at = 0; at < wanted.length; at += batchRows) {
        signal.throwIfAborted();
        yield wanted.slice(at, at + batchRows).map((record) => itemOf(record, this.#options));
      }
    }
  }

  async #open(signal: AbortSignal): Promise<TextFile> {
    const file = this.#text?.file ?? (await inputFile(this.#input, signal));
    return textFile(file, this.#options.encoding, [this.#format, this.#options], signal);
  }

  async *#records(
    text: TextFile,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RawRecord[], void, undefined> {
    const splitter = this.#splitter(text.file.name);
    for await (const [piece, suspect] of texts(text, signal)) {
      yield piece === null ? splitter.end() : splitter.push(piece, suspect);
    }
  }
}

/** Throws where there is no line, and where the first shows that records are not one to a line. */
function assertLines(name: string, first: RawRecord | undefined): void {
  if (first === undefined) throw refused(name, 'has only blanks', 'Export it again, or use another file.');
  if (!/^\s*(\[|\{\s*$)/.test(first.text)) return;
  throw refused(name, 'is one JSON document, not one record per line', 'Set "format: json".', first.line);
}

function noRecord(name: string, { line, problem }: BrokenRow): FatalError {
  const what = `has no line of JSON; line ${line}: ${problem.reason.replace(/\.$/, '')}`;
  return refused(name, what, 'Set the right "format", or export it again.', line);
}
