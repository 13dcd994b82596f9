import { decodingOf } from '../encoding/decoding.ts';

/** Bytes as text: as it stands where it is printable, else in hexadecimal. */
export type BinaryText = (text: string) => string;

const unprintable = /(?![\t\n\r])[\p{Cc}\p{Surrogate}]/u;

/** How the bytes of a dump in an encoding are shown: by what they were before they were decoded. */
export function binaryTextIn(encoding: string): BinaryText {
  const bytesOf = encoding === 'utf-8' ? utf8Bytes : singleBytes(encoding);
  return (text) => {
    if (!unprintable.test(text)) return text;
    const bytes = bytesOf(text);
    return bytes === null ? text : hexText(bytes.toString('hex'));
  };
}

/** Hexadecimal digits as a cell. */
export function hexText(digits: string): string {
  return digits === '' ? '' : `0x${digits.toLowerCase()}`;
}

/** The digits of a bit literal as a cell: a flag is 0 or 1. */
export function bitText(digits: string): string {
  const value = BigInt(`0b0${digits}`);
  return value <= 1n
    ? String(value)
    : hexText(value.toString(16).padStart(Math.ceil(digits.length / 8) * 2, '0'));
}

/** The text of a BIT column, which may be written as bytes. */
export function bitColumnText(cell: string, binaryText: BinaryText): string {
  const shown = cell === '' ? '' : binaryText(cell);
  const flag = /^0x0*([01])$/.exec(shown)?.[1];
  return flag ?? shown;
}

function utf8Bytes(text: string): Buffer {
  const bytes: Buffer[] = [];
  // What could not be decoded stands for the byte it was: see encoding/undecodable.ts.
  for (const part of text.split(/(\p{Surrogate})/u)) {
    const code = part.charCodeAt(0);
    const standIn = part.length === 1 && code >= 0xdc00 && code < 0xdd00;
    bytes.push(standIn ? Buffer.of(code - 0xdc00) : Buffer.from(part));
  }
  return Buffer.concat(bytes);
}

/** Back to bytes in an encoding of one byte a character; null for what has none. */
function singleBytes(encoding: string): (text: string) => Buffer | null {
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const decoding = decodingOf(encoding);
    const character = decoding.write(Buffer.of(byte)) + decoding.end();
    if (character.length === 1 && !table.has(character)) table.set(character, byte);
  }
  return (text) => {
    const bytes = Buffer.alloc(text.length);
    for (let at = 0; at < text.length; at += 1) {
      const byte = table.get(text.charAt(at));
      if (byte === undefined) return null;
      bytes[at] = byte;
    }
    return bytes;
  };
}
