import { isAscii } from 'node:buffer';

const sampleBytes = 128 * 1024;

/** What the bytes of a whole input say about its encoding, gathered chunk by chunk in bounded memory. */
export class EncodingEvidence {
  /** Runs of bytes above 0x7F that are whole UTF-8 sequences, and those that are not. */
  validRuns = 0;
  brokenRuns = 0;
  bytes = 0;
  /** NUL bytes at even and at odd offsets: UTF-16 without a mark has one of the two nearly everywhere. */
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

  /** Lines that hold bytes above 0x7F, from all over the input as far as they fit. */
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
    // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
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
