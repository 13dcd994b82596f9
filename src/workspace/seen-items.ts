/** Up to here every item is remembered by itself. */
const mostExact = 10_000;

/** Behind that a table of fixed size says whether an item may have been seen: of five million it errs about one in 25. */
const bits = 2 ** 25;
const hashes = 4;

/**
 * Which items of a list were seen, in memory that does not grow with the list. What was seen is always known; of what was
 * not, one in many is taken for seen, so that only a whole page of them says anything.
 */
export class SeenItems {
  readonly #exact = new Set<string>();
  #table: Uint32Array | undefined;

  /** Notes an item by what identifies it; true where it is new. */
  add(key: string): boolean {
    if (this.#table !== undefined) return setIn(this.#table, key);
    if (this.#exact.has(key)) return false;
    this.#exact.add(key);
    if (this.#exact.size >= mostExact) {
      this.#table = new Uint32Array(bits / 32);
      for (const each of this.#exact) setIn(this.#table, each);
      this.#exact.clear();
    }
    return true;
  }
}

/** Sets the bits of a key; true where one of them was not set. */
function setIn(table: Uint32Array, key: string): boolean {
  const first = hash(key, 0x811c9dc5);
  const step = hash(key, 0x01234567) | 1;
  let isNew = false;
  for (let n = 0; n < hashes; n += 1) {
    const bit = ((first + Math.imul(n, step)) >>> 0) % bits;
    const before = table[bit >>> 5] ?? 0;
    const after = before | (1 << (bit & 31));
    if (after >>> 0 !== before >>> 0) isNew = true;
    table[bit >>> 5] = after;
  }
  return isNew;
}

/** FNV-1a with a final mix, so that ids in a row do not lie in a row. */
function hash(text: string, from: number): number {
  let value = from;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
