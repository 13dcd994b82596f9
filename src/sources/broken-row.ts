import type { BrokenRow } from '../model/row.ts';
import { escapeUndecodableBytes, formatFirstUndecodableByte } from './encoding/decoding.ts';

/** The maximum length of a broken row's raw text, in characters. */
export const maxRawTextLength = 64 * 1024;

/** True if a text has more than `bytes` bytes as UTF-8. */
export function exceedsBytes(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** Creates a broken row; `raw` is cut to `maxRawTextLength`, and its undecodable bytes are escaped. */
export function createBrokenRow(
  line: number,
  code: string,
  reason: string,
  raw: string,
  column: string | null = null,
): BrokenRow {
  return {
    kind: 'broken',
    line,
    problem: { code, column, reason },
    raw: escapeUndecodableBytes(raw.slice(0, maxRawTextLength)),
  };
}

/** Returns the reason of the problem `row.tooLarge`; `what` is the noun for the row, such as "record". */
export function formatTooLargeReason(what: string, maxBytes: number): string {
  return `The ${what} is larger than ${maxBytes} bytes. Raise "maxRowBytes" if it is meant to be.`;
}

/**
 * Returns the reason of the problem `row.encoding`: `what` (such as "The row") holds a byte that is invalid in `whose`
 * (such as "the file's encoding"). `next` says how to fix it.
 */
export function formatEncodingReason(
  what: string,
  text: string,
  whose = "the file's encoding",
  next = 'Save the file in one encoding, or set "encoding".',
): string {
  const byte = formatFirstUndecodableByte(text);
  const held = byte === null ? 'bytes' : `the byte ${byte}`;
  return `${what} holds ${held} that ${whose} does not have there. ${next}`;
}
