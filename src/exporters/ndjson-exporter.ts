import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { ExportRecord } from '../model/export-record.ts';
import { defineExporter } from './exporter.ts';
import { createFilePerKindWriter, createTextRecordFileWriter } from './file-per-kind.ts';
import { parseStoredObject } from './value.ts';

const lineEnd = 0x0a;

/** Yields the records of an NDJSON file. */
async function* recordsIn(file: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let number = 0;
  for await (const line of linesIn(file)) {
    number += 1;
    yield parseStoredObject(line, file, number);
  }
}

async function* linesIn(file: string): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(file)) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      begun.push(bytes.subarray(start, end));
      yield Buffer.concat(begun).toString();
      begun = [];
      start = end + 1;
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString();
}

/** Characters that some readers take for line ends; they are escaped. */
const otherLineEnds = /[\u0085\u2028\u2029]/g;

/** The NDJSON exporter: each line has the normal form and `given` of one record. */
export const ndjsonExporter = defineExporter({
  name: 'ndjson',
  words: {
    files: 'One for each kind of record.',
    holds: 'Everything: the normal form in each line, and under `given` the object as the interface sent it.',
  },
  options: z.strictObject({}),
  open: (request) =>
    createFilePerKindWriter(request, 'ndjson', (path) => createTextRecordFileWriter(path, '', linesOf)),
  read: recordsIn,
});

function linesOf(records: readonly ExportRecord[]): string {
  return records.map(lineOf).join('');
}

function lineOf({ normal, given }: ExportRecord): string {
  // Serializing two objects is twice as fast as merging them first.
  const line = `${JSON.stringify(normal).slice(0, -1)},"given":${JSON.stringify(given)}}`;
  return `${line.replace(otherLineEnds, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
