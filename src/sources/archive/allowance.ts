import { refused } from '../plain-file.ts';

const usualBytes = 20e9;
const ratio = 250;
const ratioCountsFrom = 64e6;
const mostMembers = 100_000;

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
