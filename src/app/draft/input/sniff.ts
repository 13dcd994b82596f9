import { extname } from 'node:path';
import { FatalError } from '../../../model/fatal-error.ts';
import { formatNameList, truncateText } from '../../../model/listed.ts';
import { detectFilePacking } from '../../../sources/archive/archive.ts';
import { createDecoder } from '../../../sources/encoding/decoding.ts';
import { detectEncodingByBom } from '../../../sources/encoding/detect.ts';
import type { InputFile } from '../../../sources/plain-file.ts';
import { readFileHead } from '../../../sources/plain-file.ts';

/**
 * An array of records in a JSON document, or an object with a record under each key: its path for `at`, and the number of
 * its records seen.
 */
interface SeenArray {
  readonly path: string;
  readonly records: number;
  /** True if its records are named for a way to reach people. */
  readonly reaches?: boolean;
}

/** The structure of a JSON text by its beginning: lines of records, or a document with arrays of records. */
interface JsonShape {
  readonly lines: boolean;
  readonly arrays: readonly SeenArray[];
}

interface Level {
  readonly isArray: boolean;
  /** The last key read in an object. */
  key: string;
  /** The keys of an object that have a plain value, as far as they were read, and those of all. */
  readonly plain: Set<string>;
  keys: number;
  /** The objects directly in an object, and in how many of them each of their plain keys is. */
  objects: number;
  readonly keysWithin: Map<string, number>;
}

/**
 * Returns the path of an object that has a record under each key: all its values are objects, and most have a plain key
 * in common.
 */
function keyedRecords(level: Level, above: readonly Level[]): readonly SeenArray[] {
  const { isArray, keys, objects, keysWithin } = level;
  if (isArray || objects < 2 || keys !== objects) return [];
  if (![...keysWithin.values()].some((count) => count >= 2 && count * 2 >= objects)) return [];
  const reaches = [...keysWithin.keys()].some((key) => /mail|phone|tel|mobil/i.test(key));
  const path = [...above.flatMap(({ key }) => (key === '' ? [] : [key])), '*'].join('.');
  return [{ path, records: objects, reaches }];
}

/** A key with its colon; any other string, even if cut off; a bracket; the end of a line. */
const jsonToken = /"(?<key>[^"\\]*(?:\\.[^"\\]*)*)"\s*:|"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]\n]/gs;

/** Detects the structure of a JSON text from its beginning, which may be cut off anywhere. */
function jsonShape(text: string): JsonShape {
  const levels: Level[] = [];
  const found = new Map<string, number>();
  const keyed: SeenArray[] = [];
  let documents = 0;
  let deepestLineEnd = 0;
  for (const { 0: token, groups } of text.matchAll(jsonToken)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      if (level === undefined) documents += 1;
      openLevel(token, levels, found);
    } else if (token === '}' || token === ']') keyed.push(...closeLevel(levels));
    else if (token === '\n') deepestLineEnd = Math.max(deepestLineEnd, levels.length);
    else readKey(level, groups?.key);
  }
  // What the beginning cuts off: the last key may have no value yet.
  const last = levels.at(-1);
  if (last !== undefined && /:\s*$/.test(text)) last.keys -= 1;
  while (levels.length > 0) keyed.push(...closeLevel(levels));
  const arrays = [...[...found].map(([path, records]) => ({ path, records })), ...keyed];
  // A single record counts as a line of records, unless it has arrays of records or spans several lines: then it is a
  // document.
  const fewest = deepestLineEnd > 0 || arrays.length > 0 ? 2 : 1;
  return { lines: documents >= fewest, arrays };
}

function openLevel(token: '{' | '[', levels: Level[], found: Map<string, number>): void {
  if (token === '{') countRecord(levels, found);
  const outer = levels.at(-1);
  outer?.plain.delete(outer.key);
  const isArray = token === '[';
  levels.push({ isArray, key: '', plain: new Set(), keys: 0, objects: 0, keysWithin: new Map() });
}

/** Closes the innermost level; returns it if it is an object of records. */
function closeLevel(levels: Level[]): readonly SeenArray[] {
  const level = levels.pop();
  if (level === undefined) return [];
  const outer = levels.at(-1);
  if (!level.isArray && outer?.isArray === false) {
    outer.objects += 1;
    for (const key of level.plain) outer.keysWithin.set(key, (outer.keysWithin.get(key) ?? 0) + 1);
  }
  return keyedRecords(level, levels);
}

/** Notes a key of an object; undefined for a text that is no key. */
function readKey(level: Level | undefined, key: string | undefined): void {
  if (level === undefined || level.isArray || key === undefined) return;
  level.key = key;
  level.plain.add(key);
  level.keys += 1;
}

/** Counts a record, which is an object directly in an array, under the keys that lead to this array. */
function countRecord(levels: readonly Level[], found: Map<string, number>): void {
  if (levels.at(-1)?.isArray !== true) return;
  const keys = levels.slice(0, -1).flatMap(({ key }) => (key === '' ? [] : [key]));
  const path = keys.join('.');
  found.set(path, (found.get(path) ?? 0) + 1);
}

/** A likely format of an input, with the options to state for it. */
export interface LikelyFormat {
  readonly format: string;
  readonly options: Readonly<Record<string, string>>;
  readonly notes?: readonly string[];
  /** True for text whose columns have a fixed width and no delimiter. */
  readonly isAligned?: boolean;
}

const sqlBegin =
  /^(?:--|\/\*|#|\\|(?:SET|USE|CREATE|INSERT|REPLACE|DROP|BEGIN|PRAGMA|LOCK|COPY|START|ALTER|SELECT|DELIMITER)\b)/i;
const sqlRows = /^\s*(?:CREATE\s+(?:\w+\s+)*TABLE|INSERT\s+(?:\w+\s+)*INTO|REPLACE\s+INTO|COPY\s+\S+)/im;

/** Returns the format of a text by its beginning; the file name decides only where the text fits two formats. */
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
  const [best] = [...arrays].sort(
    (a, b) =>
      Number(b.reaches ?? true) - Number(a.reaches ?? true) ||
      depth(a.path) - depth(b.path) ||
      b.records - a.records,
  );
  if (lines || named) return { format: 'ndjson', options: {} };
  if (best === undefined) return { format: 'json', options: {} };
  const others = arrays.filter(
    (each) => each !== best && ![best, ...arrays].some(({ path }) => isWithin(each.path, path)),
  );
  const names = formatNameList(others.map(({ path }) => `"${truncateText(path, 60)}"`));
  const notes =
    others.length === 0 ? [] : [`The rows are the records in "${best.path}". Not read: ${names}.`];
  return { format: 'json', options: { at: best.path }, notes };
}

/** Returns true for a path, or that of a record's list, within another. */
function isWithin(path: string, other: string): boolean {
  const outer = other.replace(/\.?\*$/, '');
  return path !== other && (outer === '' || path.startsWith(`${outer}.`));
}

function depth(path: string): number {
  return path.replace(/\.\*$/, '').split('.').length;
}

const commonDelimiters = [',', ';', '\t', '|', '^', '`'];
const fewestLines = 4;
const mostLines = 200;
const nearlyAll = 0.8;

/**
 * Returns true for a text whose columns are aligned by blanks, as terminals and old systems print them: no delimiter is in
 * most lines, most have wide gaps or are rules, and two or more gaps are in the same place of nearly all lines.
 */
function isAlignedByBlanks(text: string): boolean {
  const lines = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, mostLines);
  const most = lines.length * nearlyAll;
  const inMost = (test: (line: string) => boolean) => lines.filter(test).length >= most;
  if (lines.length < fewestLines || !inMost((line) => /\S {2,}\S|^[-= ]+$/.test(line))) return false;
  if (commonDelimiters.some((delimiter) => inMost((line) => line.includes(delimiter)))) return false;
  const width = Math.max(...lines.map((line) => line.trimEnd().length));
  const isGap = (at: number) => inMost((line) => (line[at] ?? ' ') === ' ');
  const gaps = Array.from({ length: width }, (_, at) => isGap(at) && !isGap(at + 1) && at + 1 < width);
  return gaps.filter(Boolean).length >= 2;
}

const headBytes = 256 * 1024;
const sqliteMark = 'SQLite format 3\0';
const oldWorkbook = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/**
 * Returns the format of a plain file, by its content first. Throws a FatalError('input') for an old workbook, and for
 * binary data of no known format.
 */
export async function sniffFormat(file: InputFile, name: string, signal: AbortSignal): Promise<LikelyFormat> {
  if ((await detectFilePacking(file, signal)) === 'document') return { format: 'xlsx', options: {} };
  const head = await readFileHead(file.path, headBytes);
  if (head.toString('latin1', 0, sqliteMark.length) === sqliteMark) return { format: 'sqlite', options: {} };
  if (head.subarray(0, 4).equals(oldWorkbook)) {
    throw unreadable(
      file,
      'is an old workbook (.xls) or one with a password',
      'Save it as .xlsx without a password.',
    );
  }
  const mark = detectEncodingByBom(head.subarray(0, 16));
  if (mark === null && isBinary(head)) {
    throw unreadable(
      file,
      `has no text and no known format${ending(name)}`,
      'Give an export: CSV, JSON, a workbook, an address book, a SQL dump or a SQLite file.',
    );
  }
  const text = createDecoder(mark?.encoding ?? 'utf-8').write(head.subarray(mark?.bomBytes ?? 0));
  const likely = textFormat(text, name);
  return likely.format === 'csv' && isAlignedByBlanks(text) ? { ...likely, isAligned: true } : likely;
}

/**
 * Returns true for bytes that are not text in any encoding: many control characters, not counting the NULs of UTF-16.
 */
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
