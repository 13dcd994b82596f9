import type { FatalError } from '../../model/fatal-error.ts';
import type { BrokenRow, Source } from '../../model/row.ts';
import { openTextFile, splitTextFile, type TextFile, type TextSplitter } from '../encoding/text-file.ts';
import { createFileSource } from '../file-source.ts';
import { resolveInputFile } from '../input-file.ts';
import { createInputError } from '../plain-file.ts';
import { ColumnUnion } from '../rows.ts';
import { defineSourceFormat, type SourceInput } from '../source-format.ts';
import { toJsonSourceItem } from './items.ts';
import { type JsonOptions, jsonOptionsSchema, type NdjsonOptions, ndjsonOptionsSchema } from './options.ts';
import type { RawJsonRecord } from './raw-record.ts';
import { JsonArraySplitter, JsonRecordBuffer } from './splitters.ts';

/** Splits NDJSON into lines; blank lines are not records. */
export class NdjsonSplitter implements TextSplitter<RawJsonRecord> {
  readonly #maxBytes: number;
  #line = 1;
  #open: JsonRecordBuffer;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#open = new JsonRecordBuffer(1, maxBytes);
  }

  push(text: string, suspect: boolean): readonly RawJsonRecord[] {
    const records: RawJsonRecord[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#open.add(text.slice(at, end), suspect);
      records.push(...this.end());
      at = end + 1;
      this.#line += 1;
      this.#open = new JsonRecordBuffer(this.#line, this.#maxBytes);
    }
    this.#open.add(text.slice(at), suspect);
    return records;
  }

  end(): readonly RawJsonRecord[] {
    const record = this.#open.closed();
    return record.text.trim() === '' ? [] : [record];
  }
}

/** Creates the source of an NDJSON file; reads nothing before `inspect` or `read`. */
function ndjsonSource(options: NdjsonOptions, input: SourceInput): Source {
  return recordSource('ndjson', options, input, () => new NdjsonSplitter(options.maxRowBytes));
}

/** Creates the source of a JSON document; reads nothing before `inspect` or `read`. */
function jsonSource(options: JsonOptions, input: SourceInput): Source {
  const splitter = (file: string) => new JsonArraySplitter(file, options.at, options.maxRowBytes);
  return recordSource('json', options, input, splitter);
}

function recordSource(
  format: 'json' | 'ndjson',
  options: NdjsonOptions,
  input: SourceInput,
  splitterOf: (file: string) => TextSplitter<RawJsonRecord>,
): Source {
  const recordsOf = (text: TextFile, signal: AbortSignal) =>
    splitTextFile(text, splitterOf(text.file.name), signal);
  return createFileSource({
    find: (signal) => resolveInputFile(input, signal),
    open: (file, signal) => openTextFile(file, options.encoding, [format, options], signal),
    records: recordsOf,
    async facts(text, signal) {
      const columns = new ColumnUnion();
      let items = 0;
      let rows = 0;
      let first: RawJsonRecord | undefined;
      let firstBroken: BrokenRow | undefined;
      for await (const records of recordsOf(text, signal)) {
        items += records.length;
        first ??= records[0];
        for (const record of records) {
          const item = toJsonSourceItem(record, options);
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
    items: () => (records) => records.map((record) => toJsonSourceItem(record, options)),
  });
}

/** Throws a FatalError('input') if there is no line, or if the first line shows that the file is one JSON document. */
function assertLines(name: string, first: RawJsonRecord | undefined): void {
  if (first === undefined)
    throw createInputError(name, 'has only blanks', 'Export it again, or use another file.');
  if (!/^\s*(\[|\{\s*$)/.test(first.text)) return;
  throw createInputError(
    name,
    'is one JSON document, not one record per line',
    'Set "format: json".',
    first.line,
  );
}

function noRecord(name: string, { line, problem }: BrokenRow): FatalError {
  const what = `has no line of JSON; line ${line}: ${problem.reason.replace(/\.$/, '')}`;
  return createInputError(name, what, 'Set the right "format", or export it again.', line);
}

export const jsonSourceFormat = defineSourceFormat({
  name: 'json',
  extensions: ['json'],
  words: {
    reads: 'An array of records, at the top of the document or at the place that `at` names.',
    columns:
      'The path of each value: `company.name`, `emails[0].value`. A list is also one column, as JSON text, and `emails[].value` is all its values.',
    line: "The record's number.",
  },
  options: jsonOptionsSchema,
  sparse: true,
  parts: 'beginning',
  open: jsonSource,
});

const lines = {
  extensions: ['ndjson', 'jsonl', 'json'],
  options: ndjsonOptionsSchema,
  sparse: true,
  parts: 'lines' as const,
  open: ndjsonSource,
};

export const ndjsonSourceFormat = defineSourceFormat({
  name: 'ndjson',
  words: { reads: 'A JSON record in each line.', columns: 'As JSON.', line: 'The line.' },
  ...lines,
});

export const jsonlSourceFormat = defineSourceFormat({
  name: 'jsonl',
  words: {
    reads: 'The same as `ndjson`.',
    columns: 'As JSON.',
    line: 'The line.',
    keys: 'Takes the keys of [ndjson](#ndjson).',
  },
  ...lines,
});
