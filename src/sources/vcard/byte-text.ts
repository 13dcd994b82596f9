import { isAscii, isUtf8 } from 'node:buffer';
import { canonicalEncoding, decoderOf } from '../encoding/decoding.ts';
import { type TextFile, textChunks } from '../encoding/text-file.ts';
import { chunksOf } from '../plain-file.ts';

// Cards of version 2.1 set the encoding per property and fold lines within characters. So a card stays bytes until its
// values are parsed: strings here hold one byte per character.

/** Yields the bytes of a file by chunk; UTF-16 and UTF-32 are converted to UTF-8, so that line ends are single bytes. */
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

/** Returns the encoding of the bytes from `byteChunks`. */
export function byteEncoding(file: TextFile): string {
  return isMultiByteUnit(file) ? 'utf-8' : file.encoding.encoding;
}

/** Decodes bytes; undecodable ones become placeholders. */
export function decodedText(bytes: string, encoding: string): string {
  // ISO-2022-JP writes its characters in ASCII, after an escape.
  if (!/[^ -~\s]/.test(bytes)) return bytes;
  const decoding = decoderOf(encoding);
  return decoding.write(Buffer.from(bytes, 'latin1')) + decoding.end();
}

/** Returns the encoding that a property states; `otherwise` for an unknown one. */
export function statedEncoding(charset: string | null, otherwise: string): string {
  return (charset === null ? null : canonicalEncoding(charset)) ?? otherwise;
}

/** Guesses the encoding of quoted-printable or base64 bytes without a CHARSET. */
export function likelyEncoding(bytes: string, otherwise: string): string {
  const all = Buffer.from(bytes, 'latin1');
  if (isAscii(all) || isUtf8(all)) return 'utf-8';
  return otherwise === 'utf-8' ? 'windows-1252' : otherwise;
}

function isMultiByteUnit({ encoding }: TextFile): boolean {
  return /^utf-(16|32)/.test(encoding.encoding);
}

/** Encodes text as UTF-8; placeholders become a byte that is invalid in UTF-8. */
function utf8Bytes(text: string): string {
  const valid = text.split(/\p{Surrogate}/u);
  return valid.map((part) => Buffer.from(part).toString('latin1')).join('\xff');
}
