import { isAscii, isUtf8 } from 'node:buffer';
import { createDecoder, resolveEncodingLabel } from '../encoding/decoding.ts';
import { readTextChunks, type TextFile } from '../encoding/text-file.ts';
import { readChunks } from '../plain-file.ts';

// Cards of version 2.1 set the encoding per property and fold lines within characters. So a card stays bytes until its
// values are parsed: strings here hold one byte per character.

/**
 * Yields the bytes of a file by chunk; UTF-16 and UTF-32 are converted to UTF-8, so that line ends are single bytes.
 */
export async function* readByteStringChunks(
  file: TextFile,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  if (isMultiByteUnit(file)) {
    for await (const [text] of readTextChunks(file, signal)) if (text !== null) yield utf8Bytes(text);
    return;
  }
  let mark = file.encoding.bomBytes;
  for await (const chunk of readChunks(file.file, signal)) {
    yield chunk.subarray(mark).toString('latin1');
    mark = 0;
  }
}

/** Returns the encoding of a file's byte strings: UTF-8 if the file is UTF-16 or UTF-32, else the file's encoding. */
export function getByteStringEncoding(file: TextFile): string {
  return isMultiByteUnit(file) ? 'utf-8' : file.encoding.encoding;
}

/** Decodes bytes; undecodable ones become placeholders. */
export function decodeByteString(bytes: string, encoding: string): string {
  // Plain ASCII needs no decoding. ISO-2022-JP also uses ASCII bytes, but only after an escape, which this test
  // finds.
  if (!/[^ -~\s]/.test(bytes)) return bytes;
  const decoding = createDecoder(encoding);
  return decoding.write(Buffer.from(bytes, 'latin1')) + decoding.end();
}

/** Returns the encoding that a property's CHARSET names; `otherwise` if that is missing or unknown. */
export function resolveCharset(charset: string | null, otherwise: string): string {
  return (charset === null ? null : resolveEncodingLabel(charset)) ?? otherwise;
}

/**
 * Guesses the encoding of bytes without a CHARSET: UTF-8 if they are valid UTF-8, else `otherwise`, or windows-1252 if
 * `otherwise` is UTF-8.
 */
export function guessEncoding(bytes: string, otherwise: string): string {
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
