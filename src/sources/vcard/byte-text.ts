import { isAscii, isUtf8 } from 'node:buffer';
import { canonicalEncoding, decoderOf } from '../encoding/decoding.ts';
import { type TextFile, textChunks } from '../encoding/text-file.ts';
import { chunksOf } from '../plain-file.ts';

// Cards of version 2.1 change their encoding from property to property, and lines are folded within characters. So a
// card stays bytes until its values are known: a string here holds a byte in each character.

/** The bytes of a file chunk by chunk; those of UTF-16 and UTF-32 become UTF-8 first, for their line ends are no bytes. */
export async function* byteChunks(
  file: TextFile,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  if (isMultiByteUnit(file)) {
    for await (const [text] of textChunks(file, signal)) if (text !== null) yield utf8Bytes(text);
    return;
  }
  let mark = file.encoding.bomBytes;
  for await (const chunk of chunksOf(file.file, signal)) {
    yield chunk.subarray(mark).toString('latin1');
    mark = 0;
  }
}

/** The encoding of the bytes that `byteTexts` gives. */
export function byteEncoding(file: TextFile): string {
  return isMultiByteUnit(file) ? 'utf-8' : file.encoding.encoding;
}

/** The text of bytes; what cannot be decoded is in it as stand-ins. */
export function decodedText(bytes: string, encoding: string): string {
  // ISO-2022-JP has its characters in ASCII, behind an escape.
  if (!/[^ -~\s]/.test(bytes)) return bytes;
  const decoding = decoderOf(encoding);
  return decoding.write(Buffer.from(bytes, 'latin1')) + decoding.end();
}

/** The encoding that a card states for one property; the file's own where nobody knows the stated one. */
export function statedEncoding(charset: string | null, otherwise: string): string {
  return (charset === null ? null : canonicalEncoding(charset)) ?? otherwise;
}

/** The encoding of bytes that were written in ASCII, and of which nothing is stated. */
export function likelyEncoding(bytes: string, otherwise: string): string {
  const all = Buffer.from(bytes, 'latin1');
  if (isAscii(all) || isUtf8(all)) return 'utf-8';
  return otherwise === 'utf-8' ? 'windows-1252' : otherwise;
}

function isMultiByteUnit({ encoding }: TextFile): boolean {
  return /^utf-(16|32)/.test(encoding.encoding);
}

/** As UTF-8, with a byte that UTF-8 never has for what could not be decoded. */
function utf8Bytes(text: string): string {
  const valid = text.split(/\p{Surrogate}/u);
  return valid.map((part) => Buffer.from(part).toString('latin1')).join('\xff');
}
