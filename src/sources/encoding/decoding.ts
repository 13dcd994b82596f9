import { isAscii, isUtf8 } from 'node:buffer';

// An undecodable byte becomes a lone surrogate that encodes it. Valid text has no lone surrogate, so a record
// with one is broken, and its raw text can show the byte.
const base = 0xdc00;

/** Returns the placeholder of an undecodable byte. */
function placeholderOf(byte: number): string {
  return String.fromCharCode(base + byte);
}

/**
 * True if a text has a lone surrogate: the placeholder of an undecodable byte, or one of the input itself.
 */
export function hasUndecodableBytes(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/**
 * Returns the first undecodable byte of a text as `0xE9`; null if the text has none, or if its first lone surrogate
 * is not the placeholder of a byte.
 */
export function formatFirstUndecodableByte(text: string): string | null {
  const found = /\p{Surrogate}/u.exec(text);
  const unit = found === null ? 0 : found[0].charCodeAt(0) - base;
  return unit > 0 && unit < 0x100 ? `0x${hex(unit)}` : null;
}

/** Returns a text with the placeholders of undecodable bytes written as `\xE9`, and other lone surrogates as U+FFFD. */
export function escapeUndecodableBytes(text: string): string {
  return text.replace(/\p{Surrogate}/gu, (unit) => {
    const byte = unit.charCodeAt(0) - base;
    return byte > 0 && byte < 0x100 ? `\\x${hex(byte)}` : '\ufffd';
  });
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

/** Decodes bytes chunk by chunk; undecodable ones become placeholders, never an error. */
interface Decoder {
  /** Returns the text of the characters that this chunk completes; keeps the rest for the next chunk. */
  write(bytes: Buffer): string;
  /** Returns the rest at the end of the input. */
  end(): string;
  /** True once undecodable bytes were read. */
  readonly sawUndecodable: boolean;
}

/** Creates the decoder of an encoding, by its name from `resolveEncodingLabel`. */
export function createDecoder(encoding: string): Decoder {
  switch (encoding) {
    case 'utf-8':
      return new Utf8Decoder();
    case 'utf-16le':
    case 'utf-16be':
      return new Utf16Decoder(encoding === 'utf-16be');
    case 'utf-32le':
    case 'utf-32be':
      return new Utf32Decoder(encoding === 'utf-32be');
    case 'windows-1252':
      return new Windows1252Decoder();
    case 'ibm850':
    case 'ibm852':
      return new DosDecoder(dosCharacters[encoding]);
    default:
      return new LabelDecoder(encoding);
  }
}

/** Returns the canonical name of an encoding label; null for an unknown one. */
export function resolveEncodingLabel(label: string): string | null {
  const wanted = label.trim().toLowerCase().replaceAll('_', '-');
  const utf32 = /^utf-?32-?(le|be)$/.exec(wanted);
  if (utf32 !== null) return `utf-32${utf32[1]}`;
  const utf16 = /^utf-?16-?(le|be)$/.exec(wanted);
  if (utf16 !== null) return `utf-16${utf16[1]}`;
  const dos = /^(?:cp|ibm|dos|csibm|cspc)?-?(437|850|858|852)$/.exec(wanted);
  if (dos !== null) return dos[1] === '852' ? 'ibm852' : 'ibm850';
  for (const name of [label.trim(), wanted]) {
    try {
      return new TextDecoder(name).encoding;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return null;
}

abstract class ChunkDecoder implements Decoder {
  sawUndecodable = false;
  #kept: Buffer = Buffer.alloc(0);

  write(bytes: Buffer): string {
    const all = this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
    const whole = this.whole(all);
    // A copy, because the reader reuses its buffer.
    this.#kept = Buffer.from(all.subarray(whole));
    return this.text(all.subarray(0, whole));
  }

  end(): string {
    const rest = this.#kept;
    this.#kept = Buffer.alloc(0);
    return rest.length === 0 ? '' : this.text(rest);
  }

  protected bad(byte: number): string {
    this.sawUndecodable = true;
    return placeholderOf(byte);
  }

  /** Returns the number of leading bytes that are complete characters. */
  protected abstract whole(bytes: Buffer): number;
  protected abstract text(bytes: Buffer): string;
}

class Utf8Decoder extends ChunkDecoder {
  protected whole(bytes: Buffer): number {
    for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
      const byte = bytes[bytes.length - back] ?? 0;
      if (byte < 0x80) break;
      if (byte >= 0xc0) {
        const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        return length > back ? bytes.length - back : bytes.length;
      }
    }
    return bytes.length;
  }

  protected text(bytes: Buffer): string {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (isUtf8(bytes)) return bytes.toString('utf8');
    return byLines(bytes, (line) => (isUtf8(line) ? line.toString('utf8') : this.#repaired(line)));
  }

  #repaired(bytes: Buffer): string {
    let text = '';
    let at = 0;
    while (at < bytes.length) {
      const length = sequenceLength(bytes, at);
      text += length === 0 ? this.bad(bytes[at] ?? 0) : bytes.toString('utf8', at, at + length);
      at += Math.max(1, length);
    }
    return text;
  }
}

/** Returns the length of the valid UTF-8 sequence at a position; 0 if there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const sequence = bytes.subarray(at, at + length);
  return first >= 0xc2 && sequence.length === length && isUtf8(sequence) ? length : 0;
}

class Utf16Decoder extends ChunkDecoder {
  readonly #swap: boolean;

  constructor(swap: boolean) {
    super();
    this.#swap = swap;
  }

  protected whole(bytes: Buffer): number {
    const even = bytes.length - (bytes.length % 2);
    const high = bytes[even - (this.#swap ? 2 : 1)] ?? 0;
    return even >= 2 && high >= 0xd8 && high <= 0xdb ? even - 2 : even;
  }

  protected text(bytes: Buffer): string {
    const even = bytes.length - (bytes.length % 2);
    // TextDecoder would replace a lone surrogate, and the row would pass as valid.
    const units = bytes.subarray(0, even);
    const text = (this.#swap ? Buffer.from(units).swap16() : units).toString('utf16le');
    const rest = even < bytes.length ? this.bad(bytes[even] ?? 0) : '';
    if (/\p{Surrogate}/u.test(text)) this.sawUndecodable = true;
    return text + rest;
  }
}

class Utf32Decoder extends ChunkDecoder {
  readonly #big: boolean;

  constructor(big: boolean) {
    super();
    this.#big = big;
  }

  protected whole(bytes: Buffer): number {
    return bytes.length - (bytes.length % 4);
  }

  protected text(bytes: Buffer): string {
    let text = '';
    for (let at = 0; at < bytes.length; at += 4) {
      const point = at + 4 > bytes.length ? -1 : this.#big ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
      const valid = point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
      text += valid ? String.fromCodePoint(point) : this.bad(bytes[at] ?? 0);
    }
    return text;
  }
}

// The characters of windows-1252 from 0x80 to 0x9F; five of them are control characters (Encoding Standard).
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes windows-1252: the TextDecoder of many Node releases (20.20 among them) reads it as latin-1 and loses the €.
 */
class Windows1252Decoder extends ChunkDecoder {
  protected whole(bytes: Buffer): number {
    return bytes.length;
  }

  protected text(bytes: Buffer): string {
    const latin1 = bytes.toString('latin1');
    return latin1.replace(
      /[\u0080-\u009f]/g,
      (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character,
    );
  }
}

/**
 * The characters from 0x80 of code pages of DOS, which the Encoding Standard does not have: that of Western languages, also
 * for 437 and 858, whose letters it has at the same places, and that of Central European ones.
 */
const dosCharacters = {
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

class DosDecoder extends ChunkDecoder {
  readonly #characters: string;

  constructor(characters: string) {
    super();
    this.#characters = characters;
  }

  protected whole(bytes: Buffer): number {
    return bytes.length;
  }

  protected text(bytes: Buffer): string {
    return bytes
      .toString('latin1')
      .replace(
        /[\u0080-\u00ff]/g,
        (character) => this.#characters[character.charCodeAt(0) - 0x80] ?? character,
      );
  }
}

/**
 * Decodes with TextDecoder. Each chunk is cut after its last line end, because in these encodings a line end is never a
 * byte of a longer character (UTF-16 and UTF-32 have decoders of their own).
 */
class LabelDecoder extends ChunkDecoder {
  readonly #strict: InstanceType<typeof TextDecoder>;
  readonly #lenient: InstanceType<typeof TextDecoder>;

  constructor(label: string) {
    super();
    this.#strict = new TextDecoder(label, { fatal: true, ignoreBOM: true });
    this.#lenient = new TextDecoder(label, { ignoreBOM: true });
  }

  protected whole(bytes: Buffer): number {
    const end = Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1;
    return end > 0 || bytes.length < 1024 * 1024 ? end : bytes.length;
  }

  protected text(bytes: Buffer): string {
    return this.#strictly(bytes) ?? byLines(bytes, (line) => this.#strictly(line) ?? this.#marked(line));
  }

  #strictly(bytes: Buffer): string | null {
    try {
      return this.#strict.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }

  #marked(line: Buffer): string {
    return this.#lenient.decode(line).replaceAll('\ufffd', () => this.bad(0));
  }
}

function byLines(bytes: Buffer, decode: (line: Buffer) => string): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(0x0a, at);
    const next = end === -1 ? bytes.length : end + 1;
    text += decode(bytes.subarray(at, next));
    at = next;
  }
  return text;
}
