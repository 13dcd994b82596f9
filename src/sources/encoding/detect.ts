import { isAscii } from 'node:buffer';
import { createDecoder, resolveEncodingLabel } from './decoding.ts';

const sampleBytes = 128 * 1024;

/** Collects the evidence of an encoding from the bytes of an input, chunk by chunk in bounded memory. */
export class EncodingEvidence {
  /** The number of runs of bytes above 0x7F that are valid UTF-8. */
  validRuns = 0;
  /** The number of runs of bytes above 0x7F that are not valid UTF-8. */
  brokenRuns = 0;
  bytes = 0;
  /** The number of NUL bytes at even and at odd offsets: in UTF-16 one of the two is high. */
  readonly nuls: [even: number, odd: number] = [0, 0];
  readonly #sample: Buffer[] = [];
  #sampled = 0;
  #pending = 0;
  #low = 0x80;
  #high = 0xbf;
  #inRun = false;
  #runValid = true;

  feed(chunk: Buffer): void {
    this.#countNuls(chunk);
    if (!this.#inRun && isAscii(chunk)) {
      this.bytes += chunk.length;
      return;
    }
    this.bytes += chunk.length;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte >= 0x80) this.#highByte(byte);
      else if (this.#inRun) this.#endRun();
    }
    this.#keep(chunk);
  }

  end(): void {
    this.#endRun();
  }

  /** Returns the first lines with bytes above 0x7F, about 128 KB of them. */
  sample(): Buffer {
    return Buffer.concat(this.#sample);
  }

  #endRun(): void {
    if (!this.#inRun) return;
    if (this.#runValid && this.#pending === 0) this.validRuns += 1;
    else this.brokenRuns += 1;
    this.#inRun = false;
    this.#runValid = true;
    this.#pending = 0;
  }

  #highByte(byte: number): void {
    this.#inRun = true;
    if (this.#pending > 0) {
      if (byte < this.#low || byte > this.#high) this.#runValid = false;
      this.#pending -= 1;
      this.#low = 0x80;
      this.#high = 0xbf;
      return;
    }
    if (byte < 0xc2 || byte > 0xf4) this.#runValid = false;
    else this.#pending = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    // The range of the second byte excludes overlong forms, surrogates and code points above U+10FFFF.
    this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  #countNuls(chunk: Buffer): void {
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) {
      if ((this.bytes + at) % 2 === 0) this.nuls[0] += 1;
      else this.nuls[1] += 1;
    }
  }

  #keep(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#sampled < sampleBytes) {
      const end = chunk.indexOf(0x0a, at);
      const line = chunk.subarray(at, Math.min(end === -1 ? chunk.length : end + 1, at + 4096));
      if (!isAscii(line)) {
        this.#sample.push(Buffer.from(line));
        this.#sampled += line.length;
      }
      at = end === -1 ? chunk.length : end + 1;
    }
  }
}

/** An encoding, the length of its BOM, and the notes about how it was detected. */
export interface DetectedEncoding {
  readonly encoding: string;
  readonly bomBytes: number;
  readonly notes: readonly string[];
}

// Longer BOMs first: that of UTF-32 LE begins like that of UTF-16 LE.
const boms: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0x00, 0x00]],
  ['utf-32be', [0x00, 0x00, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Returns the encoding of an input that begins with a BOM, or that is UTF-32 without one; null for any other input.
 * `head` is the beginning of the input.
 */
export function detectEncodingByBom(head: Buffer): DetectedEncoding | null {
  const found = boms.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
  if (found === undefined) {
    const unmarked = utf32At(head, 0);
    return unmarked === null ? null : { encoding: unmarked, bomBytes: 0, notes: [] };
  }
  const [encoding, mark] = found;
  // Some programs write a BOM of UTF-16 before UTF-32.
  const utf32 = mark.length === 2 ? utf32At(head, 2) : null;
  if (utf32 === null) return { encoding, bomBytes: mark.length, notes: [] };
  return {
    encoding: utf32,
    bomBytes: 2,
    notes: [`The byte order mark says ${encoding}, but the file is ${utf32}.`],
  };
}

/**
 * Detects UTF-32 at an offset by two code points below U+10000 that are not NUL. In UTF-16, the same bytes would have a
 * NUL in every other unit, which text does not have.
 */
function utf32At(head: Buffer, at: number): string | null {
  if (head.length < at + 8) return null;
  const little = [head.readUInt32LE(at), head.readUInt32LE(at + 4)];
  const big = [head.readUInt32BE(at), head.readUInt32BE(at + 4)];
  const valid = (points: readonly number[]) => points.every((point) => point > 0 && point < 0x10000);
  if (valid(little)) return 'utf-32le';
  return valid(big) ? 'utf-32be' : null;
}

/** Returns the encoding of an input without a BOM by its evidence; a guess comes with a note. */
export async function detectEncodingByEvidence(evidence: EncodingEvidence): Promise<DetectedEncoding> {
  const utf16 = unmarkedUtf16(evidence);
  if (utf16 !== null) return guessedEncoding(utf16);
  const { validRuns, brokenRuns } = evidence;
  if (brokenRuns === 0) return { encoding: 'utf-8', bomBytes: 0, notes: [] };
  // Valid UTF-8 sequences are rare in other encodings: if there is at least one for every ten invalid ones, the file
  // counts as damaged UTF-8.
  if (validRuns * 10 >= brokenRuns) {
    const note = `The file is UTF-8, but ${brokenRuns} ${brokenRuns === 1 ? 'place is' : 'places are'} not: those rows are rejected (row.encoding). If it is another encoding, set "encoding".`;
    return { encoding: 'utf-8', bomBytes: 0, notes: [note] };
  }
  return guessedEncoding(await guessByContent(evidence.sample()), validRuns);
}

function guessedEncoding(encoding: string, validRuns = 0): DetectedEncoding {
  const doubt = validRuns === 0 ? '' : ` ${validRuns} of its words look like UTF-8.`;
  return {
    encoding,
    bomBytes: 0,
    notes: [
      `The encoding was guessed: ${encoding}.${doubt} Set "encoding: ${encoding}" (or the right one) to be sure.`,
    ],
  };
}

function unmarkedUtf16({ nuls: [even, odd], bytes }: EncodingEvidence): string | null {
  const many = bytes * 0.2;
  if (odd > many && even < odd / 10) return 'utf-16le';
  if (even > many && odd < even / 10) return 'utf-16be';
  return null;
}

/** The labels of the Encoding Standard for encodings that jschardet spells differently. */
const spelled: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  macroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
};

async function guessByContent(sample: Buffer): Promise<string> {
  // Loaded on demand: the tables are large, and most inputs need no guess.
  const { detectAll } = await import('jschardet');
  const words = wordsAbove7F(sample);
  const candidates = detectAll(words).flatMap(({ encoding, confidence }) => {
    const label = encoding?.toLowerCase().replace(/^iso8859/, 'iso-8859') ?? '';
    const known = resolveEncodingLabel(spelled[label] ?? label);
    const text = known === null ? '' : createDecoder(known).write(Buffer.concat([words, lineEnd]));
    return known === null || mixesScripts(text) || drawsInWords(text)
      ? []
      : [{ encoding: known, confidence, text }];
  });
  const [best] = candidates;
  if (best?.encoding === 'euc-kr' && hasManyIdeographs(best.text) && isChinese(words)) return 'gb18030';
  if (best === undefined) return 'windows-1252';
  // Short Western text scores alike in many encodings; windows-1252 is the most common of them.
  const western = candidates.find(({ encoding }) => encoding === 'windows-1252');
  const near = western !== undefined && western.confidence >= best.confidence * 0.5;
  return near && looksWestern(sample) ? western.encoding : best.encoding;
}

const lineEnd = Buffer.from('\n');

/** True if a line of a table or a block is beside a letter, as in text of Windows that is read as that of DOS. */
function drawsInWords(text: string): boolean {
  return /\p{L}[\u2500-\u25a0]|[\u2500-\u25a0]\p{L}/u.test(text);
}

/** True for Korean with more than a few Chinese characters, which today's Korean does not have: it is Chinese. */
function hasManyIdeographs(text: string): boolean {
  const ideographs = text.match(/\p{Ideographic}/gu) ?? [];
  const syllables = text.match(/\p{Script=Hangul}/gu) ?? [];
  return ideographs.length > syllables.length * 0.3;
}

function isChinese(words: Buffer): boolean {
  const text = createDecoder('gb18030').write(Buffer.concat([words, lineEnd]));
  return /^[\p{ASCII}\p{Ideographic}\u3000-\u303f\uff00-\uffef]*$/u.test(text);
}

/**
 * Returns the words with bytes above 0x7F: many plain cells between them would make all guesses equally unlikely. A
 * second byte of Chinese or Japanese may be below 0x7F, but not below @.
 */
function wordsAbove7F(sample: Buffer): Buffer {
  const words = sample.toString('latin1').match(/[@-~\u0080-\u00ff]+/g) ?? [];
  return Buffer.from(words.filter((word) => /[\u0080-\u00ff]/.test(word)).join(' '), 'latin1');
}

/**
 * True if most words with letters above 0x7F have Latin letters and others, as Jörg has in the encodings of Chinese. A
 * single letter, such as the è of Italian, is no word, except in Chinese and Japanese: it is a letter of another script in
 * many encodings.
 */
function mixesScripts(text: string): boolean {
  const letters = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => /[^\p{ASCII}]/u.test(word));
  const words = letters.filter((word) => word.length > 1 || /\p{Ideographic}/u.test(word));
  const mixed = words.filter((word) => /[a-z]/i.test(word) && hasOtherScript(word));
  return words.length === 0 ? letters.some(hasOtherScript) : mixed.length * 2 > words.length;
}

function hasOtherScript(word: string): boolean {
  return /[^\p{Script=Latin}\p{M}]/u.test(word);
}

/** True if the bytes, read as windows-1252, are characters common in Western languages. */
function looksWestern(sample: Buffer): boolean {
  const text = createDecoder('windows-1252').write(sample);
  // In text of DOS, quotation marks are letters.
  if (/\p{L}[„“”«»]\p{L}/u.test(text)) return false;
  return /^[\p{ASCII}À-ÏÑ-ÖØ-Üß-ïñ-öø-üÿŒœ€’‘“”„«»–—…°·¿¡ªº\u00a0]*$/u.test(text);
}
