import { decodingOf } from '../encoding/decoding.ts';
import type { FoundEncoding } from '../encoding/detect.ts';
import { EncodingEvidence } from '../encoding/evidence.ts';
import { assertNoOtherKind, notTextBytes } from '../encoding/not-text.ts';
import { fingerprintOf, type InputFile, pieces } from '../input-file.ts';
import { dumpEncoding } from './charset.ts';
import { incompleteness } from './completeness.ts';
import { type Writer, writerOf } from './lexis.ts';

const headBytes = 64 * 1024;
const tailBytes = 4 * 1024;

/** What the bytes of a dump show before its text is read. */
export interface OpenedDump {
  readonly file: InputFile;
  readonly fingerprint: string;
  readonly encoding: FoundEncoding;
  readonly writer: Writer;
  /** Says so where the end of the dump is missing, as far as its last bytes show it. */
  readonly unended: string | undefined;
  readonly notes: readonly string[];
}

/** Looks through the bytes of a dump once; `settings` enter the fingerprint, `charset` is the one that is stated. */
export async function openDump(
  file: InputFile,
  charset: string | undefined,
  settings: unknown,
  signal: AbortSignal,
): Promise<OpenedDump> {
  const hash = fingerprintOf(settings);
  const evidence = new EncodingEvidence();
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const piece of pieces(file, signal)) {
    if (head.length === 0) assertNoOtherKind(piece.subarray(0, notTextBytes), file.name);
    if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)]);
    tail = Buffer.concat([tail.subarray(-tailBytes), piece.subarray(-tailBytes)]);
    hash.update(piece);
    evidence.feed(piece);
  }
  evidence.end();
  const encoding = dumpEncoding(head, evidence, charset, file.name);
  const decoding = decodingOf(encoding.encoding);
  const start = decoding.write(head.subarray(encoding.markBytes)) + decoding.end();
  // UTF-16 has every other byte a NUL, and is not worth decoding for these few words.
  const end = tail.toString('latin1').replaceAll('\0', '');
  return {
    file,
    fingerprint: hash.digest('hex'),
    encoding,
    writer: writerOf(start),
    unended: incompleteness(start, end),
    notes: encoding.notes,
  };
}

/** The text of a dump piece by piece, with whether anything so far could not be decoded; null at the end. */
export async function* dumpTexts(
  { file, encoding }: Pick<OpenedDump, 'file' | 'encoding'>,
  signal: AbortSignal,
): AsyncGenerator<readonly [text: string | null, suspect: boolean], void, undefined> {
  const decoding = decodingOf(encoding.encoding);
  let mark = encoding.markBytes;
  for await (const piece of pieces(file, signal)) {
    const text = decoding.write(piece.subarray(mark));
    mark = 0;
    yield [text, decoding.broke];
  }
  yield [decoding.end(), decoding.broke];
  yield [null, decoding.broke];
}
