import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse as csvParser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { FatalError } from '../../model/fatal-error.ts';
import { unguardCsvCell } from '../../model/spreadsheet-guard.ts';
import { openRegularFile } from '../../storage/regular-file.ts';

/** A merge that a person has approved: a line of the file. */
export interface Approval {
  /** Where the row stands in the input. */
  readonly line: number;
  readonly key: string | null;
  readonly contacts: readonly [number, number];
  /** The whole line but its `approve`, by column. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A merge-proposals.csv after a person has gone through it. */
export interface Approvals {
  /** Absolute. */
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly fingerprint: string;
  readonly approved: readonly Approval[];
  /** How many lines are not approved. */
  readonly left: number;
}

const needed = ['approve', '_line', '_key', 'contact_1_id', 'contact_2_id'];
const delimiters = [',', ';', '\t', '|'];
const yes = new Set(['yes', 'y', 'x', 'true', '1', 'ja', 'oui']);
const no = new Set(['', 'no', 'n', 'false', '0']);

/** Enough for the header. */
const headBytes = 256 * 1_024;

/**
 * Reads a merge-proposals.csv as a person's spreadsheet has saved it, whatever its delimiter, line ends and byte order
 * mark. Throws a FatalError (usage) where it does not say beyond doubt what is approved.
 */
export async function readApprovals(path: string): Promise<Approvals> {
  const file = resolve(path);
  const start = await beginningOf(file);
  const encoding = start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
  const { delimiter, columns } = headerOf(file, new TextDecoder(encoding).decode(start));
  const hash = createHash('sha256');
  const marked = new MarkedLines(file, columns);
  const text = async function* (bytes: AsyncIterable<Buffer>) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  };
  const take = async (records: AsyncIterable<{ record: string[]; info: { lines: number } }>) => {
    let before = 0;
    for await (const { record, info } of records) {
      if (before > 0) marked.add(record, before + 1);
      before = info.lines;
    }
  };
  const parser = csvParser({ delimiter, relax_column_count: true, info: true });
  try {
    await pipeline((await openRegularFile(file)).createReadStream(), text, parser, take);
  } catch (error) {
    throw unreadable(file, error);
  }
  return { file, fingerprint: hash.digest('hex'), ...marked.end() };
}

async function beginningOf(file: string): Promise<Buffer> {
  try {
    const handle = await openRegularFile(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Takes the delimiter that gives the columns that must be there. */
function headerOf(file: string, text: string): { delimiter: string; columns: readonly string[] } {
  const readings = delimiters.map((delimiter) => {
    const [header = []] = parse(text, { delimiter, to: 1, relax_quotes: true });
    const columns = header.map((column) => column.trim());
    return { delimiter, columns, missing: needed.filter((column) => !columns.includes(column)) };
  });
  const [best] = readings.sort((a, b) => a.missing.length - b.missing.length);
  if (best !== undefined && best.missing.length === 0) return best;
  const missing = (best?.missing ?? needed).map((column) => `"${column}"`).join(', ');
  throw new FatalError('usage', `this is no merge-proposals.csv: its first line does not name ${missing}.`, {
    place: { file, line: 1 },
    next: 'Take the merge-proposals.csv of the run again, write yes under "approve", and leave its first line as it is.',
  });
}

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof FatalError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new FatalError('usage', 'this file is not UTF-8, so its letters cannot be read for sure.', {
      place: { file },
      next: 'Save it again as "CSV UTF-8", or as Unicode text.',
      cause: error,
    });
  }
  if (error instanceof CsvError) {
    const line: unknown = error.lines;
    return new FatalError('usage', `the line cannot be read as CSV: ${error.message}.`, {
      place: { file, ...(typeof line === 'number' && { line }) },
      next: 'Fix the quotes of that line, or take the file of the run again.',
      cause: error,
    });
  }
  if (code === undefined) return error;
  return new FatalError('usage', `the file cannot be read (${code}).`, {
    place: { file },
    next: 'Name the merge-proposals.csv of a run: it is in the folder of the run, runs/RUN in the work dir.',
    cause: error,
  });
}

/** Collects the approved lines. */
class MarkedLines {
  readonly #file: string;
  readonly #columns: readonly string[];
  readonly #approved: Approval[] = [];
  /** The line of each row and pair that somebody has written something about. */
  readonly #marked = new Map<string, number>();
  #left = 0;

  constructor(file: string, columns: readonly string[]) {
    this.#file = file;
    this.#columns = columns;
  }

  add(record: readonly string[], line: number): void {
    // Spreadsheets leave empty lines behind.
    if (record.every((cell) => cell.trim() === '')) return;
    const cells = Object.fromEntries(
      this.#columns.map((column, index) => [column, unguardCsvCell(record[index] ?? '')]),
    );
    const mark = (cells.approve ?? '').trim();
    const word = mark.toLowerCase();
    if (!yes.has(word) && !no.has(word)) {
      const message = `"${mark}" under "approve" is neither yes nor no.`;
      throw this.#refusal(line, message, 'Write yes to approve the merge, or leave the cell empty.');
    }
    if (mark !== '') this.#once(cells, line);
    if (!yes.has(word)) this.#left += 1;
    else this.#approved.push(this.#approvedBy(record, cells, line));
  }

  end(): Pick<Approvals, 'approved' | 'left'> {
    if (this.#approved.length > 0) return { approved: this.#approved, left: this.#left };
    throw new FatalError(
      'usage',
      `nothing is approved: none of ${this.#left} lines has yes under "approve".`,
      {
        place: { file: this.#file },
        next: 'Write yes under "approve" in the lines whose two contacts are one person, and save the file as CSV.',
      },
    );
  }

  #once(cells: Readonly<Record<string, string>>, line: number): void {
    const pair = [cells.contact_1_id, cells.contact_2_id].map((id) => (id ?? '').trim()).sort();
    const name = [(cells._line ?? '').trim(), ...pair].join(' ');
    const before = this.#marked.get(name);
    if (before !== undefined) {
      const message = `line ${before} already decides about row ${cells._line} and the contacts ${pair.join(' and ')}.`;
      throw this.#refusal(line, message, 'Leave one of the two lines out.');
    }
    this.#marked.set(name, line);
  }

  #approvedBy(record: readonly string[], all: Readonly<Record<string, string>>, line: number): Approval {
    if (record.slice(this.#columns.length).some((cell) => cell.trim() !== '')) {
      const message = `this line has ${record.length} cells, and the first line names ${this.#columns.length}.`;
      throw this.#refusal(line, message, 'Take the line from the merge-proposals.csv of the run again.');
    }
    const number = (column: string) => this.#wholeNumber(all[column] ?? '', column, line);
    const contacts = [number('contact_1_id'), number('contact_2_id')] as const;
    if (contacts[0] === contacts[1]) {
      const message = `both contacts are ${contacts[0]}: there is nothing to merge.`;
      throw this.#refusal(line, message, 'Take the line from the merge-proposals.csv of the run again.');
    }
    const { approve: _, ...cells } = all;
    return { line: number('_line'), key: cells._key || null, contacts, cells };
  }

  #wholeNumber(cell: string, column: string, line: number): number {
    const text = cell.trim();
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(number)) return number;
    const message = `"${text}" under "${column}" is not a whole number; a spreadsheet may have rewritten it.`;
    throw this.#refusal(line, message, 'Take the number from the merge-proposals.csv of the run again.');
  }

  #refusal(line: number, message: string, next: string): FatalError {
    return new FatalError('usage', message, { place: { file: this.#file, line }, next });
  }
}
