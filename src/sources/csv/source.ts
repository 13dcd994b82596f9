import type { InputFacts, Source, SourceItem } from '../../model/row.ts';
import { canonicalEncoding, decodingOf } from '../encoding/decoding.ts';
import { byEvidence, byMark, type FoundEncoding } from '../encoding/detect.ts';
import { EncodingEvidence } from '../encoding/evidence.ts';
import { fingerprintOf, type InputFile, inputFile, pieces, refused } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import type { Sample } from './detect-dialect.ts';
import { isEmptyRecord, itemsOf } from './items.ts';
import { type Layout, layoutOf, unclosed } from './layout.ts';
import type { CsvOptions } from './options.ts';
import type { RawRecord } from './raw-record.ts';
import { RecordSplitter } from './record-splitter.ts';

const batchRows = 256;
const sampleBytes = 256 * 1024;

/** What is known of a file after its bytes were looked at once. */
interface Opened {
  readonly file: InputFile;
  readonly encoding: FoundEncoding;
  readonly fingerprint: string;
  readonly layout: Layout;
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
    const { file, encoding, fingerprint, layout } = this.#opened;
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
    const notes = [...encoding.notes, ...layout.notes];
    if (withNul > 0) {
      notes.push(
        `${withNul} records hold NUL characters, the first in line ${firstNul}; they are left out of the cells.`,
      );
    }
    return { name: file.name, bytes: file.bytes, fingerprint, items, columns: layout.header.names, notes };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#opened ??= await this.#open(signal);
    let toSkip = from;
    for await (const records of this.#records(this.#opened, signal)) {
      const wanted = toSkip === 0 ? records : records.slice(toSkip);
      toSkip -= Math.min(toSkip, records.length);
      for (let at = 0; at < wanted.length; at += batchRows) {
        signal.throwIfAborted();
        yield itemsOf(wanted.slice(at, at + batchRows), this.#opened.layout, this.#options);
      }
    }
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const file = this.#opened?.file ?? (await inputFile(this.#input, signal));
    const hash = fingerprintOf(['csv', this.#options]);
    const evidence = new EncodingEvidence();
    let head: Buffer | null = null;
    for await (const piece of pieces(file, signal)) {
      head ??= Buffer.from(piece.subarray(0, 16));
      hash.update(piece);
      evidence.feed(piece);
    }
    evidence.end();
    const encoding = this.#encoding(head ?? Buffer.alloc(0), evidence);
    const layout = layoutOf(await sampleOf(file, encoding, signal), this.#options, file.name);
    return { file, encoding, fingerprint: hash.digest('hex'), layout };
  }

  #encoding(head: Buffer, evidence: EncodingEvidence): FoundEncoding {
    const marked = byMark(head);
    const stated = this.#options.encoding;
    if (stated === undefined) return marked ?? byEvidence(evidence);
    const encoding = canonicalEncoding(stated);
    if (encoding === null) {
      const next =
        'State one of the Encoding Standard (utf-8, utf-16le, windows-1252, shift_jis, …), or leave it out.';
      throw refused(this.#input.path, `cannot be read: there is no encoding "${stated}"`, next);
    }
    // UTF-16 and UTF-32 are often stated without their byte order; then the mark tells it.
    const sameMark = marked !== null && (marked.encoding === encoding || /^utf-?(16|32)$/i.test(stated));
    return sameMark ? marked : { encoding, markBytes: 0, notes: [] };
  }

  /** The records that are items, as they come off the file. */
  async *#records(
    opened: Opened,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RawRecord[], void, undefined> {
    const { file, encoding, layout } = opened;
    const splitter = new RecordSplitter(layout.dialect, layout.header.names.length);
    const skipEmpty = this.#options.skipEmpty;
    for await (const [text, suspect] of texts(file, encoding, signal)) {
      const records = text === null ? splitter.end() : splitter.push(text, suspect);
      const last = records.at(-1);
      if (last?.trouble === 'unclosed') throw unclosed(file.name, last.line);
      const first = records[0];
      const plain = !skipEmpty && first !== undefined && first.line > layout.preambleLines;
      yield plain
        ? records
        : records.filter(
            (record) =>
              record.line > layout.preambleLines &&
              !(skipEmpty && isEmptyRecord(record.text, layout.dialect)),
          );
    }
  }
}

/** The file's text piece by piece, with whether anything so far could not be decoded; null at the end. */
async function* texts(
  file: InputFile,
  encoding: FoundEncoding,
  signal: AbortSignal,
): AsyncGenerator<readonly [text: string | null, suspect: boolean], void, undefined> {
  const decoding = decodingOf(encoding.encoding);
  let mark = encoding.markBytes;
  for await (const piece of pieces(file, signal)) {
    const text = decoding.write(piece.subarray(mark));
    mark = 0;
    yield [text, decoding.broke];
  }
  const rest = decoding.end();
  if (rest !== '') yield [rest, decoding.broke];
  yield [null, decoding.broke];
}

async function sampleOf(file: InputFile, encoding: FoundEncoding, signal: AbortSignal): Promise<Sample> {
  let sample = '';
  for await (const [text] of texts(file, encoding, signal)) {
    if (text === null) return { text: sample, whole: true };
    sample += text;
    if (sample.length >= sampleBytes) break;
  }
  return { text: sample, whole: false };
}
