import type { FatalError } from '../../model/fatal-error.ts';
import type { BrokenRow, Source } from '../../model/row.ts';
import { openTextFile, type Splitter, split, type TextFile } from '../encoding/text-file.ts';
import { fileSource } from '../file-source.ts';
import { inputFile } from '../input-file.ts';
import { inputError } from '../plain-file.ts';
import { ColumnUnion } from '../rows.ts';
import { type SourceInput, sourceFormat } from '../source-format.ts';
import { toItem } from './items.ts';
import { type JsonOptions, jsonOptions, type NdjsonOptions, ndjsonOptions } from './options.ts';
import type { RawRecord } from './raw-record.ts';
import { ArraySplitter, UnfinishedRecord } from './splitters.ts';

/** Splits NDJSON into lines; blank lines are not records. */
export class LineSplitter implements Splitter<RawRecord> {
  readonly #maxBytes: number;
  #line = 1;
  #open: UnfinishedRecord;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#open = new UnfinishedRecord(1, maxBytes);
  }

  push(text: string, suspect: boolean): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#open.add(text.slice(at, end), suspect);
      records.push(...this.end());
      at = end + 1;
      this.#line += 1;
      this.#open = new UnfinishedRecord(this.#line, this.#maxBytes);
    }
    this.#open.add(text.slice(at), suspect);
    return records;
  }

  end(): readonly RawRecord[] {
    const record = this.#open.closed();
    return record.text.trim() === '' ? [] : [record];
  }
}

/** Creates the source of an NDJSON file; reads nothing before `inspect` or `read`. */
function ndjsonSource(options: NdjsonOptions, input: SourceInput): Source {
  return recordSource('ndjson', options, input, () => new LineSplitter(options.maxRowBytes));
}

/** Creates the source of a JSON document; reads nothing before `inspect` or `read`. */
function jsonSource(options: JsonOptions, input: SourceInput): Source {
  const splitter = (file: string) => new ArraySplitter(file, options.at, options.maxRowBytes);
  return recordSource('json', options, input, splitter);
}

function recordSource(
  format: 'json' | 'ndjson',
  options: NdjsonOptions,
  input: SourceInput,
  splitterOf: (file: string) => Splitter<RawRecord>,
): Source {
  const recordsOf = (text: TextFile, signal: AbortSignal) => split(text, splitterOf(text.file.name), signal);
  return fileSource({
    find: (signal) => inputFile(input, signal),
    open: (file, signal) => openTextFile(file, options.encoding, [format, options], signal),
    records: recordsOf,
    async facts(text, signal) {
      const columns = new ColumnUnion();
      let items = 0;
      let rows = 0;
      let first: RawRecord | undefined;
      let firstBroken: BrokenRow | undefined;
      for await (const records of recordsOf(text, signal)) {
        items += records.length;
        first ??= records[0];
        for (const record of records) {
          const item = toItem(record, options);
          if (item.kind === 'broken') firstBroken ??= item;
          else if (item.kind === 'row') {
            rows += 1;
            columns.add(item);
          }
        }
      }
      if (format === 'ndjson') {
        assertLines(text.file.name, first);
        if (rows === 0 && firstBroken?.problem.code === 'row.json')
          throw noRecord(text.file.name, firstBroken);
      }
      return { items, columns: columns.names(), notes: text.encoding.notes };
    },
    items: () => (records) => records.map((record) => toItem(record, options)),
  });
}

/** Throws where there is no line, or where the first line shows a JSON document. */
function assertLines(name: string, first: RawRecord | undefined): void {
  if (first === undefined) throw inputError(name, 'has only blanks', 'Export it again, or use another file.');
  if (!/^\s*(\[|\{\s*$)/.test(first.text)) return;
  throw inputError(name, 'is one JSON document, not one record per line', 'Set "format: json".', first.line);
}

function noRecord(name: string, { line, problem }: BrokenRow): FatalError {
  const what = `has no line of JSON; line ${line}: ${problem.reason.replace(/\.$/, '')}`;
  return inputError(name, what, 'Set the right "format", or export it again.', line);
}

export const json = sourceFormat({
  name: 'json',
  extensions: ['json'],
  words: {
    reads: 'An array of records, at the top of the document or at the place that `at` names.',
    columns:
      'The path of each value: `company.name`, `emails[0].value`. A list is also one column, as JSON text, and `emails[].value` is all its values.',
    line: "The record's number.",
  },
  options: jsonOptions,
  sparse: true,
  parts: 'beginning',
  open: jsonSource,
});

const lines = {
  extensions: ['ndjson', 'jsonl', 'json'],
  options: ndjsonOptions,
  sparse: true,
  parts: 'lines' as const,
  open: ndjsonSource,
};

export const ndjson = sourceFormat({
  name: 'ndjson',
  words: { reads: 'A JSON record in each line.', columns: 'As JSON.', line: 'The line.' },
  ...lines,
});

export const jsonl = sourceFormat({
  name: 'jsonl',
  words: {
    reads: 'The same as `ndjson`.',
    columns: 'As JSON.',
    line: 'The line.',
    keys: 'Takes the keys of [ndjson](#ndjson).',
  },
  ...lines,
});
