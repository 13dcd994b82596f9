import { statfs } from 'node:fs/promises';
import type { FatalError } from '../../model/fatal-error.ts';
import { refused } from '../plain-file.ts';

const usualBytes = 20e9;
const ratio = 250;
const ratioCountsFrom = 64e6;
const mostMembers = 100_000;
const reserveBytes = 64e6;
const bytesBetweenLooks = 64e6;

/** What a packed input may still become; everything that comes out of it is taken from it. */
export class Allowance {
  readonly #name: string;
  readonly #packedBytes: number;
  readonly #stated: number | undefined;
  #bytes = 0;
  #members = 0;

  constructor(name: string, packedBytes: number, stated: number | undefined) {
    this.#name = name;
    this.#packedBytes = packedBytes;
    this.#stated = stated;
  }

  /** Throws a FatalError('input') where this is one member too many. */
  member(): void {
    this.#members += 1;
    if (this.#members <= mostMembers) return;
    throw refused(this.#name, `has more than ${mostMembers} files`, 'Unpack it, and use the file in it.');
  }

  /** Throws a FatalError('input') where these bytes are too many. */
  take(bytes: number): void {
    this.#bytes += bytes;
    this.check(this.#bytes);
  }

  /** Throws a FatalError('input') where so many bytes in all would be too many. */
  check(bytes: number): void {
    const most = this.#stated ?? usualBytes;
    if (bytes > most) {
      throw refused(
        this.#name,
        `unpacks to more than ${shownBytes(most)}`,
        `Set "maxUnpacked: ${shownBytes(Math.max(bytes, most * 2))}" if it is meant to be that large.`,
      );
    }
    if (this.#stated !== undefined || bytes < ratioCountsFrom || bytes <= this.#packedBytes * ratio) return;
    throw refused(
      this.#name,
      `unpacks to more than ${ratio} times its size, like an archive made to fill the disk`,
      'If you trust it, set "maxUnpacked" to the size it should have.',
    );
  }
}

/** The room on the disk of a folder, looked at before and while something is written there. */
export class Room {
  readonly #folder: string;
  readonly #name: string;
  readonly #free: (folder: string) => Promise<number>;
  readonly #lack: string;
  #untilLook = 0;

  /** `lack` is what is said of the input where room is lacking. */
  constructor(
    folder: string,
    name: string,
    free: (folder: string) => Promise<number> = freeBytes,
    lack = 'is packed, and there is no space to unpack it',
  ) {
    this.#folder = folder;
    this.#name = name;
    this.#free = free;
    this.#lack = lack;
  }

  /** Throws a FatalError('input') where there is no room for so many bytes and some more. */
  async assert(bytes: number): Promise<void> {
    if ((await this.#free(this.#folder)) < bytes + reserveBytes) throw this.#lacking();
  }

  /** What writing gives; a disk that is full is explained. */
  async kept(writing: Promise<void>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      throw code === 'ENOSPC' || code === 'EDQUOT' ? this.#lacking() : error;
    }
  }

  /** Looks again after every few bytes that were written. */
  async written(bytes: number): Promise<void> {
    this.#untilLook += bytes;
    if (this.#untilLook < bytesBetweenLooks) return;
    this.#untilLook = 0;
    await this.assert(0);
  }

  #lacking(): FatalError {
    return refused(
      this.#name,
      `${this.#lack} on the disk of ${this.#folder}`,
      'Free some space there, or choose another --work-dir.',
    );
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize, blocks } = await statfs(folder);
  // Some file systems do not tell.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

function shownBytes(bytes: number): string {
  for (const [unit, size] of [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
  ] as const) {
    if (bytes >= size) return `${Math.ceil(bytes / size)}${unit}`;
  }
  return `${Math.ceil(bytes / 1e3)}KB`;
}
