import { statfs } from 'node:fs/promises';
import { FatalError } from '../model/fatal-error.ts';

/** Disk space that is left to other programs. */
export const reserveBytes = 64e6;
const bytesBetweenLooks = 64e6;

/** The room on the disk of a folder, looked at before and while something is written there. */
export class DiskRoom {
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

  /** Resolves as the writing does; throws a FatalError('input') where the disk is full. */
  async kept(writing: Promise<void>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      throw isDiskFullError(error) ? this.#lacking() : error;
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
    return new FatalError('input', `${this.#name} ${this.#lack} on the disk of ${this.#folder}.`, {
      place: { file: this.#name },
      next: 'Free some space there, or choose another --work-dir.',
    });
  }
}

/** How many bytes may still be written on the disk of a folder; Infinity where it does not say. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize, blocks } = await statfs(folder);
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Whether writing failed because the disk, or what one may use of it, is full. */
export function isDiskFullError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && full.has(String(error.code));
}

/** The error of an export that has no disk space left; what it fetched is kept. */
export function noDiskSpaceError(folder: string, cause: unknown, next: string): FatalError {
  return new FatalError('unexpected', 'the disk of the exports is full.', {
    place: { file: folder },
    next: `Free some space there; what was fetched is kept. Then: ${next}`,
    cause,
  });
}
