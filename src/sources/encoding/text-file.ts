import { z } from 'zod';
import { chunksOf, fingerprintOf, type InputFile, inputError, isCut } from '../plain-file.ts';
import { canonicalEncoding, decoderOf } from './decoding.ts';
import { type DetectedEncoding, EncodingEvidence, encodingByBom, encodingByEvidence } from './detect.ts';

/** The option of every format whose encoding is not in itself. */
export const encodingOption = z
  .string()
  .min(1)
  .optional()
  .describe(
    'How bytes become text: utf-8, utf-16le, utf-16be, utf-32le, utf-32be, or another label of the Encoding Standard such as windows-1252 or shift_jis. Left out: the byte order mark, then UTF-8 if the file fits, then a guess, which is reported.',
  );

/** A file of text whose bytes were looked at once. */
export interface TextFile {
  readonly file: InputFile;
  readonly encoding: DetectedEncoding;
  readonly fingerprint: string;
}

const headBytes = 64 * 1024;
const tailBytes = 4 * 1024;

/** What the bytes of a whole file show before they are decoded. */
interface ScannedBytes {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly evidence: EncodingEvidence;
  readonly fingerprint: string;
}

/** Looks through a file once; `settings` enter the fingerprint. Refuses what is of another kind. */
export async function scanBytes(
  file: InputFile,
  settings: unknown,
  signal: AbortSignal,
): Promise<ScannedBytes> {
  const hash = fingerprintOf(settings);
  const evidence = new EncodingEvidence();
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of chunksOf(file, signal)) {
    if (head.length === 0) assertNotOtherKind(chunk.subarray(0, notTextBytes), file.name);
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
    tail = Buffer.concat([tail.subarray(-tailBytes), chunk.subarray(-tailBytes)]);
    hash.update(chunk);
    evidence.feed(chunk);
  }
  if (!isCut(file)) evidence.end();
  return { head, tail, evidence, fingerprint: hash.digest('hex') };
}

/** Looks through a file once for its encoding (unless it is stated) and its fingerprint, which `settings` enter. Refuses what is no text. */
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
 * The file's text chunk by chunk, with whether anything so far could not be decoded; null at the end. A part of a file begins
 * with its first whole line, and has no end where the file goes on.
 */
export async function* textChunks(
  { file, encoding }: Pick<TextFile, 'file' | 'encoding'>,
  signal: AbortSignal,
): AsyncGenerator<readonly [text: string | null, suspect: boolean], void, undefined> {
  const decoding = decoderOf(encoding.encoding);
  let bom = encoding.bomBytes;
  let at = file.part?.from ?? 0;
  let inLine = at > 0;
  for await (const chunk of chunksOf(file, signal)) {
    const text = decoding.write(chunk.subarray(bom));
    bom = 0;
    at += chunk.length;
    file.onBytesRead?.(at);
    const begin = inLine ? afterLine(text) : 0;
    inLine &&= begin === 0;
    if (!inLine) yield [text.slice(begin), decoding.sawUndecodable];
  }
  if (isCut(file)) return;
  const rest = decoding.end();
  if (rest !== '') yield [rest, decoding.sawUndecodable];
  yield [null, decoding.sawUndecodable];
}

/** Where the second line begins; 0 where there is none. */
function afterLine(text: string): number {
  const end = /\r\n|\n|\r/.exec(text);
  return end === null ? 0 : end.index + end[0].length;
}

/** Parts text into records as it comes. */
export interface Splitter<R> {
  /** The records that end in this chunk; `suspect` where anything so far could not be decoded. */
  push(text: string, suspect: boolean): readonly R[];
  /** The records that end with the input. Throws a FatalError('input') where the input breaks off. */
  end(): readonly R[];
}

/** The records of a file as they come. */
export async function* split<R>(
  file: TextFile,
  splitter: Splitter<R>,
  signal: AbortSignal,
): AsyncGenerator<readonly R[], void, undefined> {
  for await (const [text, suspect] of textChunks(file, signal))
    yield text === null ? splitter.end() : splitter.push(text, suspect);
}

async function encodingOf(
  head: Buffer,
  evidence: EncodingEvidence,
  stated: string | undefined,
  name: string,
): Promise<DetectedEncoding> {
  const marked = encodingByBom(head);
  if (stated === undefined) return marked ?? (await encodingByEvidence(evidence));
  const encoding = canonicalEncoding(stated);
  if (encoding === null) {
    const next =
      'Use one of the Encoding Standard (utf-8, utf-16le, windows-1252, shift_jis, …), or leave it out.';
    throw inputError(name, `cannot be read: unknown encoding "${stated}"`, next);
  }
  // UTF-16 and UTF-32 are often stated without their byte order; then the mark tells it.
  const sameMark = marked !== null && (marked.encoding === encoding || /^utf-?(16|32)$/i.test(stated));
  return sameMark ? marked : { encoding, bomBytes: 0, notes: [] };
}

const exportAgain = 'Use the exported file, or set the right "format".';
const saveAs = 'Open it in a spreadsheet program and save it as .xlsx, without a password.';

/** How files begin that people mistake for text, in the characters of latin-1. */
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

/** So many bytes of a file show that it is no text. */
const notTextBytes = 4096;

const mostUnusualControls = 7;

/** Throws a FatalError('input') where a file begins as one of another kind does. */
function assertNotOtherKind(head: Buffer, name: string): void {
  const characters = head.toString('latin1');
  const found = otherFileKinds.find(([begins]) => characters.startsWith(begins));
  if (found !== undefined) throw inputError(name, found[1], found[2]);
  if (!webPage.test(characters)) return;
  const next =
    'Download or export it again; if a spreadsheet program opens it, save it there as .xlsx and set "format: xlsx".';
  throw inputError(name, 'is a web page (HTML)', next);
}

/** Throws a FatalError('input') where the beginning of a file is no text in this encoding. */
function assertText(head: Buffer, encoding: string, name: string): void {
  // There, any byte may be half a character.
  if (/^utf-(?:16|32)/.test(encoding)) return;
  const found = head.filter(isUnusualControl);
  if (new Set(found).size <= mostUnusualControls || found.length * 100 < head.length) return;
  throw inputError(name, 'is binary, not text', exportAgain);
}

/** Whether a byte is a control character that no text has: not a blank, not an escape, none that exports part cells with. */
function isUnusualControl(byte: number): boolean {
  return byte > 1 && byte < 0x1b && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x14;
}
