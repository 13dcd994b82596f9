import type { BrokenRow } from '../model/row.ts';
import { escapedUndecodable, firstUndecodable } from './encoding/decoding.ts';

/** How much of a record that cannot be read is shown. */
export const rawLength = 64 * 1024;

/** Whether a text has more bytes as UTF-8, in which a character of UTF-16 has one to three. */
export function isLarger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** A record that is no row: what is wrong with it, and its text. */
export function brokenRow(line: number, code: string, reason: string, raw: string): BrokenRow {
  return {
    kind: 'broken',
    line,
    problem: { code, column: null, reason },
    raw: escapedUndecodable(raw.slice(0, rawLength)),
  };
}

/** The reason of `row.tooLarge`. */
export function tooLargeReason(what: string, maxBytes: number): string {
  return `The ${what} is larger than ${maxBytes} bytes. Raise "maxRowBytes" if it is meant to be.`;
}

/** The reason of `row.encoding`: whose encoding lacks which byte, and what to do about it. */
export function encodingReason(
  what: string,
  text: string,
  whose = "the file's encoding",
  next = 'Save the file in one encoding, or set "encoding".',
): string {
  const byte = firstUndecodable(text);
  const held = byte === null ? 'bytes' : `the byte ${byte}`;
  return `${what} holds ${held} that ${whose} does not have there. ${next}`;
}
