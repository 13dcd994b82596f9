import { fstatSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

// SQLite's write-ahead log (sqlite.org/walformat.html): a header, then frames of a header and a page each.
const headerBytes = 32;
const frameHeaderBytes = 24;
const saltsAt = 16;
const saltBytes = 8;
const magic = endianness() === 'LE' ? 0x377f0682 : 0x377f0683;
const chunkBytes = 1024 * 1024;

/** A position in a WAL, at the end of a commit. */
export interface WalPosition {
  /** The salts of the WAL, which change with each restart; undefined for an empty one. */
  readonly salts: Buffer | undefined;
  readonly frames: number;
  /** The running checksum of all frames up to here. */
  readonly checksum: readonly [number, number];
}

/** The position at the start of any WAL. */
export const walStart: WalPosition = { salts: undefined, frames: 0, checksum: [0, 0] };

/** The changes that were committed since a position. */
export interface WalChanges {
  /** The changed pages by their number, each as of the last commit. */
  readonly pages: ReadonlyMap<number, Buffer>;
  /** The number of pages of the database after the last commit; undefined if nothing was committed. */
  readonly size: number | undefined;
  readonly mark: WalPosition;
}

/**
 * Reads the pages committed since a position; ignores uncommitted frames and frames of an older WAL. Returns undefined
 * if the WAL was restarted since, or has more than `most` changed pages.
 */
export function readWalChanges(
  fd: number,
  from: WalPosition,
  { pageSize, most }: { readonly pageSize: number; readonly most: number },
): WalChanges | undefined {
  const header = headerOf(fd, pageSize);
  if (header === undefined)
    return from.frames > 0 ? undefined : { pages: new Map(), size: undefined, mark: from };
  if (from.salts !== undefined && !from.salts.equals(header.salts)) return undefined;
  const frameBytes = frameHeaderBytes + pageSize;
  const committed = new Map<number, Buffer>();
  const uncommitted = new Map<number, Buffer>();
  let size: number | undefined;
  let mark: WalPosition =
    from.frames > 0 ? from : { ...from, salts: header.salts, checksum: header.checksum };
  let { frames, checksum } = mark;
  for (const frame of framesFrom(fd, headerBytes + frames * frameBytes, frameBytes)) {
    if (!frame.subarray(8, 8 + saltBytes).equals(header.salts)) break;
    checksum = sum(frame.subarray(frameHeaderBytes), sum(frame.subarray(0, 8), checksum));
    if (frame.readUInt32BE(16) !== checksum[0] || frame.readUInt32BE(20) !== checksum[1]) break;
    frames += 1;
    uncommitted.set(frame.readUInt32BE(0), frame.subarray(frameHeaderBytes));
    if (uncommitted.size + committed.size > most) return undefined;
    const pagesAfter = frame.readUInt32BE(4);
    if (pagesAfter === 0) continue;
    for (const [number, page] of uncommitted) committed.set(number, page);
    uncommitted.clear();
    size = pagesAfter;
    mark = { salts: header.salts, frames, checksum };
  }
  return { pages: committed, size, mark };
}

/** True if the WAL contains a position, and so all commits up to it. */
export function walContainsPosition(fd: number, mark: WalPosition, pageSize: number): boolean {
  const header = headerOf(fd, pageSize);
  if (header === undefined || mark.salts === undefined || !mark.salts.equals(header.salts)) return false;
  const frame = Buffer.alloc(frameHeaderBytes);
  const at = headerBytes + (mark.frames - 1) * (frameHeaderBytes + pageSize);
  if (readSync(fd, frame, 0, frame.length, at) < frame.length) return false;
  return (
    frame.subarray(8, 8 + saltBytes).equals(mark.salts) &&
    frame.readUInt32BE(16) === mark.checksum[0] &&
    frame.readUInt32BE(20) === mark.checksum[1]
  );
}

function headerOf(fd: number, pageSize: number) {
  const header = Buffer.alloc(headerBytes);
  if (readSync(fd, header, 0, headerBytes, 0) < headerBytes) return undefined;
  const checksum = sum(header.subarray(0, headerBytes - 8), [0, 0]);
  const isWhole = header.readUInt32BE(24) === checksum[0] && header.readUInt32BE(28) === checksum[1];
  if (!isWhole || header.readUInt32BE(0) !== magic || header.readUInt32BE(8) !== pageSize) return undefined;
  return { salts: header.subarray(saltsAt, saltsAt + saltBytes), checksum };
}

/** Yields each complete frame from an offset on. */
function* framesFrom(fd: number, from: number, frameBytes: number): Generator<Buffer> {
  const most = Math.max(1, Math.floor(chunkBytes / frameBytes)) * frameBytes;
  const end = fstatSync(fd).size;
  for (let at = from; at + frameBytes <= end; ) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(most, end - at));
    const whole = readSync(fd, chunk, 0, chunk.length, at);
    let used = 0;
    for (; used + frameBytes <= whole; used += frameBytes) yield chunk.subarray(used, used + frameBytes);
    if (used === 0) return;
    at += used;
  }
}

/** SQLite's running checksum over words of eight bytes. */
function sum(bytes: Buffer, [s0, s1]: readonly [number, number]): readonly [number, number] {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let [a, b] = [s0, s1];
  for (let n = 0; n < words.length; n += 2) {
    a = (a + (words[n] ?? 0) + b) | 0;
    b = (b + (words[n + 1] ?? 0) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

const markBytes = saltBytes + 12;

/** Serializes a position for the database. */
export function packWalPosition({ salts, frames, checksum }: WalPosition): Buffer {
  const packed = Buffer.alloc(markBytes);
  salts?.copy(packed);
  packed.writeUInt32BE(frames, saltBytes);
  packed.writeUInt32BE(checksum[0], saltBytes + 4);
  packed.writeUInt32BE(checksum[1], saltBytes + 8);
  return packed;
}

/** Parses a position from the database. */
export function unpackWalPosition(packed: Buffer): WalPosition {
  const frames = packed.readUInt32BE(saltBytes);
  return {
    salts: frames === 0 ? undefined : packed.subarray(0, saltBytes),
    frames,
    checksum: [packed.readUInt32BE(saltBytes + 4), packed.readUInt32BE(saltBytes + 8)],
  };
}

/**
 * The length of the head of packed pages: page size, database size in pages, and count; numbers and contents follow.
 */
const fixedBytes = 12;

/** The pages of a database that a shipment changes. */
export interface DatabasePageSet {
  readonly pageSize: number;
  /** The number of pages of the database afterwards. */
  readonly size: number;
  readonly pages: ReadonlyMap<number, Buffer>;
}

export function packDatabasePages({ pageSize, size, pages }: DatabasePageSet): Buffer {
  const numbers = Buffer.alloc(fixedBytes + 4 * pages.size);
  numbers.writeUInt32BE(pageSize, 0);
  numbers.writeUInt32BE(size, 4);
  numbers.writeUInt32BE(pages.size, 8);
  let at = fixedBytes;
  for (const number of pages.keys()) at = numbers.writeUInt32BE(number, at);
  return Buffer.concat([numbers, ...pages.values()]);
}

export function unpackDatabasePages(packed: Buffer): DatabasePageSet {
  const [pageSize, size, count] = [packed.readUInt32BE(0), packed.readUInt32BE(4), packed.readUInt32BE(8)];
  const contents = fixedBytes + 4 * count;
  const pages = new Map<number, Buffer>();
  for (let n = 0; n < count; n += 1) {
    const at = contents + n * pageSize;
    pages.set(packed.readUInt32BE(fixedBytes + 4 * n), packed.subarray(at, at + pageSize));
  }
  return { pageSize, size, pages };
}
