import { z } from 'zod';
import { fingerprintOf, type InputFile, pieces, refused } from '../plain-file.ts';
import { canonicalEncoding, decodingOf } from './decoding.ts';
import { byEvidence, byMark, type FoundEncoding } from './detect.ts';
import { EncodingEvidence } from './evidence.ts';
import { assertText, notTextBytes } from './not-text.ts';

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
  readonly encoding: FoundEncoding;
  readonly fingerprint: string;
}

/** Looks through a file once for its encoding (unless it is stated) and its fingerprint, which `settings` enter. Refuses what is no text. */
export async function textFile(
  file: InputFile,
  stated: string | undefined,
  settings: unknown,
  signal: AbortSignal,
): Promise<TextFile> {
  const hash = fingerprintOf(settings);
  const evidence = new EncodingEvidence();
  let found: Buffer | null = null;
  for await (const piece of pieces(file, signal)) {
    found ??= Buffer.from(piece.subarray(0, notTextBytes));
    hash.update(piece);
    evidence.feed(piece);
  }
  evidence.end();
  const head = found ?? Buffer.alloc(0);
  const encoding = encodingOf(head, evidence, stated, file.name);
  assertText(head, encoding.encoding, file.name);
  return { file, encoding, fingerprint: hash.digest('hex') };
}

/** The file's text piece by piece, with whether anything so far could not be decoded; null at the end. */
export async function* texts(
  { file, encoding }: TextFile,
  signal: AbortSignal,
): AsyncGenerator<readonly [text: string | null, suspect: boolean], void, undefined> {
  const decoding = decodingOf(encoding.encoding);
  let mark = encoding.markBytes;
  for await (const piece of pieces(file, signal)) {
    const text = decoding.write(piece.subarray(mark));
    mark = 0;
    yield [text, decoding.broke];
  }
  const rest = decoding.end();
  if (rest !== '') yield [rest, decoding.broke];
  yield [null, decoding.broke];
}

function encodingOf(
  head: Buffer,
  evidence: EncodingEvidence,
  stated: string | undefined,
  name: string,
): FoundEncoding {
  const marked = byMark(head);
  if (stated === undefined) return marked ?? byEvidence(evidence);
  const encoding = canonicalEncoding(stated);
  if (encoding === null) {
    const next =
      'Use one of the Encoding Standard (utf-8, utf-16le, windows-1252, shift_jis, …), or leave it out.';
    throw refused(name, `cannot be read: unknown encoding "${stated}"`, next);
  }
  // UTF-16 and UTF-32 are often stated without their byte order; then the mark tells it.
  const sameMark = marked !== null && (marked.encoding === encoding || /^utf-?(16|32)$/i.test(stated));
  return sameMark ? marked : { encoding, markBytes: 0, notes: [] };
}
