import { extname } from 'node:path';
import { FatalError } from '../../../model/fatal-error.ts';
import { kindOf } from '../../../sources/archive/archive.ts';
import { decodingOf } from '../../../sources/encoding/decoding.ts';
import { byBom } from '../../../sources/encoding/detect.ts';
import type { InputFile } from '../../../sources/input-file.ts';
import { headOf } from '../../../sources/plain-file.ts';

/** An array of records in a JSON document: the keys that lead to it, and how many records of it were seen. */
interface SeenArray {
  readonly path: string;
  readonly records: number;
}

/** What the beginning of a JSON text is: lines of records, or a document with arrays of records in it. */
interface JsonShape {
  readonly lines: boolean;
  readonly arrays: readonly SeenArray[];
}

interface Level {
  readonly array: boolean;
  key: string;
  records: number;
}

/** Looks through the beginning of a JSON text, which may break off anywhere. */
function jsonShape(text: string): JsonShape {
  const walk = new Walk(text);
  return walk.shape();
}

class Walk {
  readonly #text: string;
  readonly #levels: Level[] = [];
  readonly #arrays = new Map<string, number>();
  #documents = 0;
  #multiline = false;

  constructor(text: string) {
    this.#text = text;
  }

  shape(): JsonShape {
    const text = this.#text;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === '"') at = this.#string(at);
      else if (sign === '{' || sign === '[') this.#open(sign === '[');
      else if (sign === '}' || sign === ']') this.#levels.pop();
      else if (sign === '\n' && this.#levels.length > 0) this.#multiline = true;
    }
    const arrays = [...this.#arrays].map(([path, records]) => ({ path, records }));
    const single = this.#documents === 1 && !this.#multiline && arrays.every(({ path }) => path !== '');
    return { lines: this.#documents > 1 || (single && arrays.length === 0), arrays };
  }

  #open(array: boolean): void {
    const above = this.#levels.at(-1);
    if (above === undefined) this.#documents += 1;
    else if (above.array && !array) this.#record(above);
    this.#levels.push({ array, key: '', records: 0 });
  }

  /** A record of an array counts for the path to the array; arrays on the way are walked through. */
  #record(level: Level): void {
    level.records += 1;
    const path = this.#levels
      .slice(0, -1)
      .flatMap(({ key }) => (key === '' ? [] : [key]))
      .join('.');
    this.#arrays.set(path, (this.#arrays.get(path) ?? 0) + 1);
  }

  /** Passes over a string; one that a colon follows is the key of its object. */
  #string(from: number): number {
    let end = from + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    const level = this.#levels.at(-1);
    if (level !== undefined && !level.array && /^\s*:/.test(this.#text.slice(end + 1, end + 100))) {
      level.key = this.#text.slice(from + 1, end);
    }
    return end;
  }
}

/** A format that an input seems to be in, with the options that must be stated for it. */
interface LikelyFormat {
  readonly format: string;
  readonly options: Readonly<Record<string, string>>;
}

const sqlBegin =
  /^(?:--|\/\*|#|\\|(?:SET|USE|CREATE|INSERT|REPLACE|DROP|BEGIN|PRAGMA|LOCK|COPY|START|ALTER|SELECT|DELIMITER)\b)/i;
const sqlRows = /^\s*(?:CREATE\s+(?:\w+\s+)*TABLE|INSERT\s+(?:\w+\s+)*INTO|REPLACE\s+INTO|COPY\s+\S+)/im;

/** The format of a text by how it begins; its name decides only where the text could be two. */
function textFormat(head: string, name: string): LikelyFormat {
  const text = head.replaceAll('\0', '').replace(/^[\s\ufeff]+/, '');
  if (/^BEGIN\s*:\s*VCARD/i.test(text)) return { format: 'vcard', options: {} };
  if (sqlBegin.test(text) && (sqlRows.test(text) || /\.sql$/i.test(name)))
    return { format: 'sql', options: {} };
  if (/^\[\s*(?:[{\]]|$)/.test(text)) return { format: 'json', options: {} };
  if (/^\{\s*["}]/.test(text)) return jsonObject(text, name);
  return { format: 'csv', options: {} };
}

function jsonObject(text: string, name: string): LikelyFormat {
  const { lines, arrays } = jsonShape(text);
  const named = /\.(?:ndjson|jsonl)$/i.test(name);
  const [best] = [...arrays].sort((a, b) => depth(a.path) - depth(b.path) || b.records - a.records);
  if (lines || named) return { format: 'ndjson', options: {} };
  return { format: 'json', options: best === undefined ? {} : { at: best.path } };
}

function depth(path: string): number {
  return path.split('.').length;
}

const headBytes = 256 * 1024;
const sqliteMark = 'SQLite format 3\0';
const oldWorkbook = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** The format of a plain file, by its content first. Throws a FatalError('input') for what surely is no input. */
export async function sniffed(file: InputFile, name: string, signal: AbortSignal): Promise<LikelyFormat> {
  if ((await kindOf(file, signal)) === 'document') return { format: 'xlsx', options: {} };
  const head = await headOf(file.path, headBytes);
  if (head.toString('latin1', 0, sqliteMark.length) === sqliteMark) return { format: 'sqlite', options: {} };
  if (head.subarray(0, 4).equals(oldWorkbook)) {
    throw unreadable(
      file,
      'is an old workbook (.xls) or one with a password',
      'Save it as .xlsx without a password.',
    );
  }
  const mark = byBom(head.subarray(0, 16));
  if (mark === null && isBinary(head)) {
    throw unreadable(
      file,
      `has no text and no known format${ending(name)}`,
      'Give an export: CSV, JSON, a workbook, an address book, a SQL dump or a SQLite file.',
    );
  }
  const text = decodingOf(mark?.encoding ?? 'utf-8').write(head.subarray(mark?.bomBytes ?? 0));
  return textFormat(text, name);
}

/** Whether bytes are no text in any encoding: many control characters, and not the NULs of UTF-16. */
function isBinary(head: Buffer): boolean {
  const sample = head.subarray(0, 4096);
  const controls = sample.filter((byte) => byte < 32 && ![0, 1, 9, 10, 12, 13, 27].includes(byte)).length;
  return controls * 20 > sample.length;
}

function ending(name: string): string {
  const extension = extname(name);
  return extension === '' ? '' : ` (${extension})`;
}

function unreadable({ name }: InputFile, what: string, next: string): FatalError {
  return new FatalError('input', `${name} ${what}.`, { place: { file: name }, next });
}
