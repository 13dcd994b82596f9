import type { InputFacts, Source, SourceItem, Writing } from '../../model/row.ts';
import { type TextFile, textFile, texts } from '../encoding/text-file.ts';
import { guardOf } from '../guarded-file.ts';
import { inputFile } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import type { Sample } from './detect-dialect.ts';
import type { RawRecord } from './dialect.ts';
import { itemsOf } from './items.ts';
import { type Layout, layoutOf, unclosed } from './layout.ts';
import { type CsvOptions, type CsvReading, csvReading } from './options.ts';
import { RecordSplitter } from './record-splitter.ts';

const sampleBytes = 256 * 1024;

/** The beginning of a file, from which its layout is read. */
async function sampleOf(text: TextFile, signal: AbortSignal): Promise<Sample> {
  let sample = '';
  for await (const [piece] of texts(text, signal)) {
    if (piece === null) return { text: sample, whole: true };
    sample += piece;
    if (sample.length >= sampleBytes) break;
  }
  return { text: sample, whole: false };
}

const batchRows = 256;

/** What is known of a file after its bytes were looked at once. */
interface Opened {
  readonly text: TextFile;
  readonly layout: Layout;
  readonly reading: CsvReading;
  readonly notes: readonly string[];
  readonly lineEnds: Writing['lineEnds'];
}

/** A CSV file as a source; nothing is touched before `inspect` or `read`. */
export function csvSource(options: CsvOptions, input: SourceInput): Source {
  return new CsvSource(options, input);
}

class CsvSource implements Source {
  readonly #options: CsvOptions;
  readonly #input: SourceInput;
  #opened: Opened | null = null;

  constructor(options: CsvOptions, input: SourceInput) {
    this.#options = options;
    this.#input = input;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    this.#opened = await this.#open(signal);
    const { layout, text, notes: said } = this.#opened;
    const { file, encoding, fingerprint } = text;
    let items = 0;
    let withNul = 0;
    let firstNul = 0;
    for await (const records of this.#records(this.#opened, signal)) {
      items += records.length;
      for (const record of records) {
        if (!record.text.includes('\0')) continue;
        withNul += 1;
        if (withNul === 1) firstNul = record.line;
      }
    }
    const notes = [...encoding.notes, ...layout.notes, ...said];
    if (withNul > 0) {
      notes.push(
        `${withNul} records have NUL characters, the first in line ${firstNul}; they are removed from the cells.`,
      );
    }
    const writing = {
      delimiter: layout.dialect.delimiter,
      encoding: encoding.encoding,
      bom: encoding.markBytes > 0,
      lineEnds: this.#opened.lineEnds,
    };
    const detected = {
      encoding: encoding.encoding,
      delimiter: layout.dialect.delimiter,
      ...(layout.headerOption !== undefined && { header: layout.headerOption }),
    };
    const { names: columns } = layout.header;
    return { name: file.name, bytes: file.bytes, fingerprint, items, columns, detected, notes, writing };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#opened ??= await this.#open(signal);
    let toSkip = from;
    for await (const records of this.#records(this.#opened, signal)) {
      const wanted = toSkip === 0 ? records : records.slice(toSkip);
      toSkip -= Math.min(toSkip, records.length);
      for (let at = 0; at < wanted.length; at += batchRows) {
        signal.throwIfAborted();
        yield itemsOf(wanted.slice(at, at + batchRows), this.#opened.layout, this.#opened.reading);
      }
    }
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const file = this.#opened?.text.file ?? (await inputFile(this.#input, signal));
    const { guarded, notes } = await guardOf(this.#options.guarded, this.#input);
    const reading = csvReading(this.#options, guarded);
    const text = await textFile(file, reading.encoding, ['csv', reading], signal);
    const sample = await sampleOf(text, signal);
    const layout = layoutOf(sample, reading, file.name);
    return { text, layout, reading, notes, lineEnds: lineEndsOf(sample.text) };
  }

  /** The records that are items, as they come off the file. */
  async *#records(
    opened: Opened,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RawRecord[], void, undefined> {
    const { layout } = opened;
    const splitter = new RecordSplitter(layout.dialect, layout.header.names.length);
    for await (const [text, suspect] of texts(opened.text, signal)) {
      const records = text === null ? splitter.end() : splitter.push(text, suspect);
      const last = records.at(-1);
      if (last?.trouble === 'unclosed') throw unclosed(opened.text.file.name, last.line);
      const first = records[0];
      const plain = first !== undefined && first.line > layout.preambleLines;
      yield plain ? records : records.filter((record) => record.line > layout.preambleLines);
    }
  }
}

/** What ends the first line. */
function lineEndsOf(text: string): Writing['lineEnds'] {
  const [end] = /\r\n|\n|\r/.exec(text) ?? [];
  return end === '\r\n' ? 'CRLF' : end === '\r' ? 'CR' : 'LF';
}
