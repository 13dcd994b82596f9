import { CsvError } from 'csv-parse';
import { type Options, parse } from 'csv-parse/sync';
import type { CsvReadDialect } from './record-scan.ts';

const lineEndOf = { auto: '\n', lf: '\n', crlf: '\r\n', cr: '\r' } as const;

/** The cells of a record, or csv-parse's error message. */
export type RecordCellsResult = readonly string[] | { readonly refused: string };

/** Parses the texts of records; a record that csv-parse rejects does not affect the others. */
export function parseRecordCells(
  texts: readonly string[],
  dialect: CsvReadDialect,
): readonly RecordCellsResult[] {
  const { delimiter, quote } = dialect;
  // A record without a quote is split at its delimiters: csv-parse would read every character, and compiles its parser
  // at every call.
  const quoted = quote === null ? [] : texts.filter((text) => text.includes(quote));
  if (quoted.length === 0) return texts.map((text) => text.split(delimiter));
  const parsed = quotedCells(quoted, dialect);
  let next = 0;
  return texts.map((text) => {
    if (quote === null || !text.includes(quote)) return text.split(delimiter);
    next += 1;
    return parsed[next - 1] ?? { refused: 'it was not parsed' };
  });
}

function quotedCells(texts: readonly string[], dialect: CsvReadDialect): readonly RecordCellsResult[] {
  const lineEnd = lineEndOf[dialect.lineEnds];
  const options: Options = {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    escape: dialect.escape,
    record_delimiter: lineEnd,
    relax_column_count: true,
  };
  const together = attempt(texts.join(lineEnd), options);
  if (Array.isArray(together) && together.length === texts.length) return together;
  return texts.map((text) => alone(text, options));
}

function alone(text: string, options: Options): RecordCellsResult {
  const records = attempt(text, options);
  if (typeof records === 'string') return { refused: records };
  const [cells, more] = records;
  return cells === undefined || more !== undefined ? { refused: 'it is not one record' } : cells;
}

function attempt(text: string, options: Options): string[][] | string {
  try {
    return parse(text, options).map((record) => (Array.isArray(record) ? record : []));
  } catch (error) {
    if (error instanceof CsvError) return error.message;
    throw error;
  }
}
