import type { BrokenRow } from '../model/row.ts';
import { escapeUndecodable, firstUndecodable } from './encoding/decoding.ts';

/** The maximum length of the raw text of a broken row. */
export const rawLength = 64 * 1024;

/** Whether a text has more than `bytes` as UTF-8. */
export function isLarger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** Creates a broken row with its problem and raw text. */
export function brokenRow(line: number, code: string, reason: string, raw: string): BrokenRow {
  return {
    kind: 'broken',
    line,
    problem: { code, column: null, reason },
    raw: escapeUndecodable(raw.slice(0, rawLength)),
  };
}

/** Returns the reason of `row.tooLarge`. */
export function tooLargeReason(what: string, maxBytes: number): string {
  return `The ${what} is larger than ${maxBytes} bytes. Raise "maxRowBytes" if it is meant to be.`;
}

/** Returns the reason of `row.encoding`: the encoding, the invalid byte, and the fix. */
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
