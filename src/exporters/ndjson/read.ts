import { createReadStream } from 'node:fs';
import { keptObject } from '../kept-json.ts';

const lineEnd = 0x0a;

/** The records of an NDJSON file in its order, each as its line has it. */
export async function* recordsIn(file: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let number = 0;
  for await (const line of linesIn(file)) {
    number += 1;
    yield keptObject(line, file, number);
  }
}

async function* linesIn(file: string): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const piece of createReadStream(file)) {
    const bytes = Buffer.from(piece);
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
