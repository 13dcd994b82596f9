/** Pages of a database as they are shipped: the page size, the size of the database in pages, then numbers and contents. */
const fixedBytes = 12;

/** What a shipment changes in a database. */
export interface PageSet {
  readonly pageSize: number;
  /** How many pages the database has afterwards. */
  readonly size: number;
  readonly pages: ReadonlyMap<number, Buffer>;
}

export function packPages({ pageSize, size, pages }: PageSet): Buffer {
  const numbers = Buffer.alloc(fixedBytes + 4 * pages.size);
  numbers.writeUInt32BE(pageSize, 0);
  numbers.writeUInt32BE(size, 4);
  numbers.writeUInt32BE(pages.size, 8);
  let at = fixedBytes;
  for (const number of pages.keys()) at = numbers.writeUInt32BE(number, at);
  return Buffer.concat([numbers, ...pages.values()]);
}

export function unpackPages(packed: Buffer): PageSet {
  const [pageSize, size, count] = [packed.readUInt32BE(0), packed.readUInt32BE(4), packed.readUInt32BE(8)];
  const contents = fixedBytes + 4 * count;
  const pages = new Map<number, Buffer>();
  for (let n = 0; n < count; n += 1) {
    const at = contents + n * pageSize;
    pages.set(packed.readUInt32BE(fixedBytes + 4 * n), packed.subarray(at, at + pageSize));
  }
  return { pageSize, size, pages };
}
