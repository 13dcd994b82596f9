import type { InputFacts, Source, Writing } from '../../model/row.ts';
import { split, type TextFile, textFile, texts } from '../encoding/text-file.ts';
import { fileSource } from '../file-source.ts';
import { guardOf } from '../guarded-file.ts';
import { type InputFile, inputFile } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import { Warnings } from '../warnings.ts';
import type { Sample } from './detect-dialect.ts';
import type { RawRecord } from './dialect.ts';
import { itemsOf } from './items.ts';
import { type Layout, layoutOf, unclosed } from './layout.ts';
import { type CsvOptions, type CsvReading, csvReading } from './options.ts';
import { RecordSplitter } from './record-splitter.ts';

const sampleBytes = 256 * 1024;

/** What is known of a file after its bytes were looked at once. */
interface Opened extends TextFile {
  readonly layout: Layout;
  readonly reading: CsvReading;
  readonly notes: readonly string[];
  readonly lineEnds: Writing['lineEnds'];
}

/** A CSV file as a source; nothing is touched before `inspect` or `read`. */
export function csvSource(options: CsvOptions, input: SourceInput): Source {
  return fileSource({
    find: (signal) => inputFile(input, signal),
    open: (file, signal) => opened(file, options, input, signal),
    records: recordsOf,
    facts: factsOf,
    items:
      ({ layout, reading }) =>
      (records) =>
        itemsOf(records, layout, reading),
  });
}

async function opened(
  file: InputFile,
  options: CsvOptions,
  input: SourceInput,
  signal: AbortSignal,
): Promise<Opened> {
  const { guarded, notes } = await guardOf(options.guarded, input);
  const reading = csvReading(options, guarded);
  const text = await textFile(file, reading.encoding, ['csv', reading], signal);
  const sample = await sampleOf(text, signal);
  const layout = layoutOf(sample, reading, file.name);
  return { ...text, layout, reading, notes, lineEnds: lineEndsOf(sample.text) };
}

/** The beginning of a file, from which its layout is read. */
async function sampleOf(text: TextFile, signal: AbortSignal): Promise<Sample> {
  let sample = '';
  const { heard: _heard, ...file } = text.file;
  for await (const [chunk] of texts({ ...text, file }, signal)) {
    if (chunk === null) return { text: sample, whole: true };
    sample += chunk;
    if (sample.length >= sampleBytes) break;
  }
  return { text: sample, whole: false };
}

/** The records that are items, as they come off the file. */
async function* recordsOf(
  file: Opened,
  signal: AbortSignal,
): AsyncGenerator<readonly RawRecord[], void, undefined> {
  const { dialect, header, preambleLines } = file.layout;
  for await (const records of split(file, new RecordSplitter(dialect, header.width), signal)) {
    const last = records.at(-1);
    if (last?.problem === 'unclosed') throw unclosed(file.file.name, last.line);
    const isData = records[0] !== undefined && records[0].line > preambleLines;
    yield isData ? records : records.filter(({ line }) => line > preambleLines);
  }
}

async function factsOf(file: Opened, signal: AbortSignal) {
  const { layout, lineEnds } = file;
  const { encoding, bomBytes } = file.encoding;
  const { delimiter } = layout.dialect;
  const nuls = new Warnings({
    nul: (count, first: number) =>
      `${count} records have NUL characters, the first in line ${first}; they are removed from the cells.`,
  });
  let items = 0;
  for await (const records of recordsOf(file, signal)) {
    items += records.length;
    for (const { text, line } of records) if (text.includes('\0')) nuls.add('nul', line);
  }
  const detected: InputFacts['detected'] = {
    encoding,
    delimiter,
    ...(layout.headerOption !== undefined && { header: layout.headerOption }),
  };
  const notes = [...file.encoding.notes, ...layout.notes, ...file.notes, ...nuls.notes()];
  const writing = { delimiter, encoding, bom: bomBytes > 0, lineEnds };
  return { items, columns: layout.header.columns, detected, notes, writing };
}

/** What ends the first line. */
function lineEndsOf(text: string): Writing['lineEnds'] {
  const [end] = /\r\n|\n|\r/.exec(text) ?? [];
  return end === '\r\n' ? 'CRLF' : end === '\r' ? 'CR' : 'LF';
}
