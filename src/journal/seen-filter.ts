/** A Bloom filter of one megabyte with one hash: where `mayHave` returns false, the text was certainly not added. */
export class BloomFilter {
  readonly #bits = new Uint8Array(1 << 20);

  add(text: string): void {
    const hash = hashOf(text);
    this.#bits[hash >>> 3] = (this.#bits[hash >>> 3] ?? 0) | (1 << (hash & 7));
  }

  mayHave(text: string): boolean {
    const hash = hashOf(text);
    return ((this.#bits[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0;
  }
}

/** Returns the upper 23 bits of the FNV-1a hash: the filter has 2^23 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 9;
}
