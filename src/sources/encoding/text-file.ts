import { z } from 'zod';
import {
  createFingerprintHash,
  createInputError,
  type InputFile,
  readChunks,
  stopsBeforeFileEnd,
} from '../plain-file.ts';
import { createDecoder, resolveEncodingLabel } from './decoding.ts';
import {
  type DetectedEncoding,
  detectEncodingByBom,
  detectEncodingByEvidence,
  EncodingEvidence,
} from './detect.ts';

/** The option `encoding` of text formats. */
export const encodingOption = z
  .string()
  .min(1)
  .optional()
  .describe(
    'How bytes become text: utf-8, utf-16le, utf-16be, utf-32le, utf-32be, or another label of the Encoding Standard such as windows-1252 or shift_jis. Left out: the byte order mark, then UTF-8 if the file fits, then a guess, which is reported.',
  );

/** A text file after the scan of its bytes. */
export interface TextFile {
  readonly file: InputFile;
  readonly encoding: DetectedEncoding;
  readonly fingerprint: string;
}

const headBytes = 64 * 1024;
const tailBytes = 4 * 1024;

/** The beginning and the end of a file, the evidence of its encoding, and its fingerprint. */
interface ScannedBytes {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly evidence: EncodingEvidence;
  readonly fingerprint: string;
}

/**
 * Scans the bytes of a file once; the fingerprint is a hash of `settings` and the bytes. Throws a FatalError('input')
 * for a known binary format and for a web page.
 */
export async function scanBytes(
  file: InputFile,
  settings: unknown,
  signal: AbortSignal,
): Promise<ScannedBytes> {
  const hash = createFingerprintHash(settings);
  const evidence = new EncodingEvidence();
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of readChunks(file, signal)) {
    if (head.length === 0) assertNotOtherKind(chunk.subarray(0, notTextBytes), file.name);
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
    tail = Buffer.concat([tail.subarray(-tailBytes), chunk.subarray(-tailBytes)]);
    hash.update(chunk);
    evidence.feed(chunk);
  }
  if (!stopsBeforeFileEnd(file)) evidence.end();
  return { head, tail, evidence, fingerprint: hash.digest('hex') };
}

/**
 * Scans a file once to find its encoding (unless stated) and its fingerprint, a hash of `settings` and the bytes.
 * Throws a FatalError('input') if it is not text.
 */
export async function openTextFile(
  file: InputFile,
  stated: string | undefined,
  settings: unknown,
  signal: AbortSignal,
): Promise<TextFile> {
  const { head, evidence, fingerprint } = await scanBytes(file, settings, signal);
  const encoding = await encodingOf(head, evidence, stated, file.name);
  assertText(head.subarray(0, notTextBytes), encoding.encoding, file.name);
  return { file, encoding, fingerprint };
}

/**
 * Yields the text of a file by chunk, then null at the end of the file. `suspect` is true once undecodable bytes were
 * read. If only a part of the file is read, its text begins with the first whole line, and null is yielded only if the
 * part ends where the file ends.
 */
export async function* readTextChunks(
  { file, encoding }: Pick<TextFile, 'file' | 'encoding'>,
  signal: AbortSignal,
): AsyncGenerator<readonly [text: string | null, suspect: boolean], void, undefined> {
  const decoding = createDecoder(encoding.encoding);
  let bom = encoding.bomBytes;
  let at = file.part?.from ?? 0;
  let inLine = at > 0;
  for await (const chunk of readChunks(file, signal)) {
    const text = decoding.write(chunk.subarray(bom));
    bom = 0;
    at += chunk.length;
    file.onBytesRead?.(at);
    const begin = inLine ? afterLine(text) : 0;
    inLine &&= begin === 0;
    if (!inLine) yield [text.slice(begin), decoding.sawUndecodable];
  }
  if (stopsBeforeFileEnd(file)) return;
  const rest = decoding.end();
  if (rest !== '') yield [rest, decoding.sawUndecodable];
  yield [null, decoding.sawUndecodable];
}

/** Returns the index at which the second line begins; 0 if the text has no line end. */
function afterLine(text: string): number {
  const end = /\r\n|\n|\r/.exec(text);
  return end === null ? 0 : end.index + end[0].length;
}

/** Splits text into records, chunk by chunk. */
export interface TextSplitter<R> {
  /** Returns the records completed by this chunk; `suspect` is true once undecodable bytes were seen. */
  push(text: string, suspect: boolean): readonly R[];
  /** Returns the last records. Throws a FatalError('input') if the input is cut off. */
  end(): readonly R[];
}

/** Yields the records of a file, as the splitter finds them. */
export async function* splitTextFile<R>(
  file: TextFile,
  splitter: TextSplitter<R>,
  signal: AbortSignal,
): AsyncGenerator<readonly R[], void, undefined> {
  for await (const [text, suspect] of readTextChunks(file, signal))
    yield text === null ? splitter.end() : splitter.push(text, suspect);
}

async function encodingOf(
  head: Buffer,
  evidence: EncodingEvidence,
  stated: string | undefined,
  name: string,
): Promise<DetectedEncoding> {
  const marked = detectEncodingByBom(head);
  if (stated === undefined) return marked ?? (await detectEncodingByEvidence(evidence));
  const encoding = resolveEncodingLabel(stated);
  if (encoding === null) {
    const next =
      'Use one of the Encoding Standard (utf-8, utf-16le, windows-1252, shift_jis, …), or leave it out.';
    throw createInputError(name, `cannot be read: unknown encoding "${stated}"`, next);
  }
  // If UTF-16 or UTF-32 is stated without a byte order, the byte order of the BOM is used.
  const sameMark = marked !== null && (marked.encoding === encoding || /^utf-?(16|32)$/i.test(stated));
  return sameMark ? marked : { encoding, bomBytes: 0, notes: [] };
}

const exportAgain = 'Use the exported file, or set the right "format".';
const saveAs = 'Open it in a spreadsheet program and save it as .xlsx, without a password.';

/** The first bytes (as latin-1) of binary formats that are passed as text by mistake. */
const otherFileKinds: readonly (readonly [begins: string, what: string, next: string])[] = [
  ['\x89PNG\r\n', 'is a PNG image, not text', exportAgain],
  ['\xff\xd8\xff', 'is a JPEG image, not text', exportAgain],
  ['GIF89a', 'is a GIF image, not text', exportAgain],
  ['%PDF-', 'is a PDF, not text', 'Export the rows themselves, for example as CSV.'],
  ['\x7fELF', 'is a program, not text', exportAgain],
  ['PAR1\x15', 'is a Parquet file, not text', 'Export it again, for example as CSV.'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'is an old workbook (.xls), or one with a password', saveAs],
  ['SQLite format 3\0', 'is a SQLite file, not text', 'Set "format: sqlite".'],
  [
    'PGDMP',
    "is in pg_dump's custom format, not text",
    'Convert it to plain text: pg_restore --file=dump.sql <file>.',
  ],
];
const webPage = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i;

/** The number of bytes checked for binary content. */
const notTextBytes = 4096;

const mostUnusualControls = 7;

/** Throws a FatalError('input') if a file begins like one of another format. */
function assertNotOtherKind(head: Buffer, name: string): void {
  const characters = head.toString('latin1');
  const found = otherFileKinds.find(([begins]) => characters.startsWith(begins));
  if (found !== undefined) throw createInputError(name, found[1], found[2]);
  if (!webPage.test(characters)) return;
  const next =
    'Download or export it again; if a spreadsheet program opens it, save it there as .xlsx and set "format: xlsx".';
  throw createInputError(name, 'is a web page (HTML)', next);
}

/** Throws a FatalError('input') if the beginning of a file is binary. */
function assertText(head: Buffer, encoding: string, name: string): void {
  // In UTF-16 and UTF-32 any byte may be part of a character.
  if (/^utf-(?:16|32)/.test(encoding)) return;
  const found = head.filter(isUnusualControl);
  if (new Set(found).size <= mostUnusualControls || found.length * 100 < head.length) return;
  throw createInputError(name, 'is binary, not text', exportAgain);
}

/** True if a byte is a control character that is unusual in text and exports. */
function isUnusualControl(byte: number): boolean {
  return byte > 1 && byte < 0x1b && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x14;
}
