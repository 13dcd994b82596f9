import { lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { quoteForShell } from '../model/shell-quoted.ts';

/**
 * Makes a folder that only its owner can read (0700), with the missing folders above it; does nothing if it exists.
 * Throws the system's error if that fails: ENOENT for a relative path if the current folder was removed.
 */
export function makeOwnerOnlyFolder(folder: string): void {
  // Without this check, `mkdirSync` would never return if the current folder was removed: it searches upwards for a
  // folder that exists.
  if (!isAbsolute(folder)) statSync(process.cwd());
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

const root = 0;

/**
 * Asserts that other users cannot change data through a folder, and returns warnings about what is allowed but unwise.
 * Throws a FatalError('usage') if all users can write to the folder, or an entry of it is a link. Also throws if the
 * folder or an entry belongs to a user other than `user` and root, unless `user` is root. `user` is undefined if files
 * have no owners (Windows): then only links are refused.
 */
export function checkFolderTrust(folder: string, user = process.getuid?.()): readonly string[] {
  const found = statSync(folder);
  for (const name of readdirSync(folder)) assertPlain(folder, name, user);
  if (user === undefined) return [];
  const warnings: string[] = [];
  if (found.uid !== user && found.uid !== root) {
    const text = `it belongs to another user (${found.uid})`;
    // Root has every permission anyway, and volumes of containers often belong to another user.
    if (user !== root) throw refused(folder, text, takeOver(folder));
    warnings.push(
      `${folder}: ${text}, who can read and change its files. To take it over: ${takeOver(folder)}`,
    );
  }
  if ((found.mode & 0o002) !== 0) throw refused(folder, 'everybody can write to it', withdraw(folder));
  // Only the owner of the folder is warned: the user of a container cannot change the permissions of a volume that
  // another user owns.
  if ((found.mode & 0o020) !== 0 && found.uid === user)
    warnings.push(`${folder}: its group can write to it. To stop that: ${withdraw(folder)}`);
  return warnings;
}

function assertPlain(folder: string, name: string, user: number | undefined): void {
  const path = join(folder, name);
  const found = statsOf(path);
  if (found === undefined) return;
  if (found.isSymbolicLink())
    throw refused(folder, `${name} in it is a link`, `rm ${quoteForShell(resolve(path))}`);
  if (user === undefined || user === root || found.uid === user || found.uid === root) return;
  throw refused(folder, `${name} in it belongs to another user (${found.uid})`, takeOver(folder));
}

/** Returns the stats of an entry; undefined where another command has removed it meanwhile. */
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function takeOver(folder: string): string {
  return `sudo chown -R "$(id -un)" ${quoteForShell(resolve(folder))}`;
}

function withdraw(folder: string): string {
  return `chmod go-w ${quoteForShell(resolve(folder))}`;
}

function refused(folder: string, why: string, command: string): FatalError {
  return new FatalError('usage', `the work dir is not used: ${why}.`, {
    place: { file: folder },
    next: `${command}\nOr choose another folder with --work-dir.`,
  });
}
