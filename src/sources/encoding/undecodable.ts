// A byte that does not decode becomes a lone surrogate that remembers it: no decoded text ever holds one of its own,
// so a record that holds one is known to be broken, and its raw text can show the byte.
const base = 0xdc00;

/** The stand-in for a byte that could not be decoded. */
export function standIn(byte: number): string {
  return String.fromCharCode(base + byte);
}

/** Whether a text holds something that could not be decoded. */
export function holdsUndecodable(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** The first undecodable byte of a text as `0xE9`, or null where there is none or it is not known which it was. */
export function firstUndecodable(text: string): string | null {
  const found = /\p{Surrogate}/u.exec(text);
  const unit = found === null ? 0 : found[0].charCodeAt(0) - base;
  return unit > 0 && unit < 0x100 ? `0x${hex(unit)}` : null;
}

/** A text for people, with every undecodable byte written as `\xE9`. */
export function shown(text: string): string {
  return text.replace(/\p{Surrogate}/gu, (unit) => {
    const byte = unit.charCodeAt(0) - base;
    return byte > 0 && byte < 0x100 ? `\\x${hex(byte)}` : '\ufffd';
  });
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
