import { statfs } from 'node:fs/promises';
import { type Hint, hint } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';

/** The disk space (bytes) that must stay free for other programs. */
export const reservedDiskBytes = 64e6;
const bytesBetweenLooks = 64e6;

/** Checks the free space on the disk of a folder, before and while a file is written there. */
export class DiskSpaceChecker {
  readonly #folder: string;
  readonly #name: string;
  readonly #free: (folder: string) => Promise<number>;
  readonly #lack: string;
  #untilLook = 0;

  /** `name` is the input's name; the error message is `<name> <lack> on the disk of <folder>`. */
  constructor(
    folder: string,
    name: string,
    free: (folder: string) => Promise<number> = readFreeDiskBytes,
    lack = 'is packed, and there is no space to unpack it',
  ) {
    this.#folder = folder;
    this.#name = name;
    this.#free = free;
    this.#lack = lack;
  }

  /** Throws a FatalError('input') where fewer than `bytes` plus the reserve are free. */
  async assert(bytes: number): Promise<void> {
    if ((await this.#free(this.#folder)) < bytes + reservedDiskBytes) throw this.#lacking();
  }

  /** Awaits a write; throws a FatalError('input') where it fails because the disk is full. */
  async kept(writing: Promise<void>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      throw isDiskFullError(error) ? this.#lacking() : error;
    }
  }

  /** Counts written bytes and checks the free space again after every 64 MB. */
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

/** Returns the number of bytes that are free on the disk of a folder; Infinity where the disk does not report it. */
export async function readFreeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize, blocks } = await statfs(folder);
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Returns true for the error of a write to a full disk, or over the disk quota. */
export function isDiskFullError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && full.has(String(error.code));
}

/** Returns the FatalError('unexpected') of an export to a full disk; its hint says that the fetched data is kept. */
export function toExportDiskFullError(folder: string, cause: unknown, next: Hint): FatalError {
  return new FatalError('unexpected', 'the disk of the exports is full.', {
    place: { file: folder },
    next: hint`Free some space there; what was fetched is kept. Then: ${next}`,
    cause,
  });
}
