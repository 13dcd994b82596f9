import { mkdirSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/**
 * Makes a folder that only its owner can read (0700), and those above it, where they are missing. Throws the system's
 * error where that fails; ENOENT for a relative path where the current folder was removed.
 */
export function makeOwnFolder(folder: string): void {
  // Node goes up to the first folder that is there, and in a removed one it never comes to an end.
  if (!isAbsolute(folder)) statSync(process.cwd());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
