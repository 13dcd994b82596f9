import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { checkFolderTrust, makeOwnerOnlyFolder } from '../../storage/own-folder.ts';

const usualName = '.longshore';

/** The environment that determines the work dir of a command without --work-dir. */
interface Place {
  readonly cwd: string;
  readonly home: string;
  /** The value of LONGSHORE_WORK_DIR. */
  readonly stated: string | undefined;
  /** Undefined where files have no owners, as on Windows. */
  readonly user: number | undefined;
}

/**
 * Returns the work dir of a command without --work-dir: LONGSHORE_WORK_DIR, else the nearest `.longshore` in the
 * current folder or above, else a new one in the current folder. The search upwards stops before the home folder, and
 * before a folder that another user owns or that is world-writable; it skips any such `.longshore`.
 */
export function resolveDefaultWorkDir(place: Partial<Place> = {}): string {
  const { cwd, home, stated, user } = { ...thisPlace(), ...place };
  if (stated !== undefined && stated.trim() !== '') return stated;
  if (statsOf(join(cwd, usualName))?.isDirectory() === true) return usualName;
  for (let folder = cwd; folder !== home && isOwn(folder, user) && dirname(folder) !== folder; ) {
    folder = dirname(folder);
    if (folder === home || !isOwn(folder, user)) break;
    const workDir = join(folder, usualName);
    if (isOwn(workDir, user)) return relative(cwd, workDir);
  }
  return usualName;
}

function thisPlace(): Place {
  return {
    cwd: process.cwd(),
    home: homedir(),
    stated: process.env.LONGSHORE_WORK_DIR,
    user: process.getuid?.(),
  };
}

/** Returns true for a folder of this user that is not world-writable. */
function isOwn(folder: string, user: number | undefined): boolean {
  const found = statsOf(folder);
  if (found?.isDirectory() !== true) return false;
  return user === undefined || (found.uid === user && (found.mode & 0o002) === 0);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // A folder that cannot be inspected counts as missing, so it is never taken for this user's own.
    return undefined;
  }
}

/** Makes the next command in this process check its work dir again, and warn again. */
export function resetWorkDirWarnings(): void {
  checked.clear();
}

/** Returns the work dir for a command line; undefined where a command finds it without --work-dir. */
export function toWorkDirArgument(workDir: string): string | undefined {
  return workDir === resolveDefaultWorkDir() ? undefined : workDir;
}

/**
 * Returns a note that names the work dir if it comes from LONGSHORE_WORK_DIR or a parent folder; undefined otherwise.
 */
export function formatWorkDirNote(workDir: string): string | undefined {
  return workDir !== usualName && workDir === resolveDefaultWorkDir()
    ? `Work dir: ${resolve(workDir)}`
    : undefined;
}

/** Creates the work dir (0700) where it is missing; throws a FatalError (usage) where it is not writable. */
export function prepareWorkDir(workDir: string, warn: (text: string) => void): void {
  try {
    makeOwnerOnlyFolder(workDir);
    accessSync(workDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new FatalError('usage', `the work dir cannot be written (${code}).`, {
      place: { file: workDir },
      next: 'Choose a folder of your own with --work-dir.',
      cause,
    });
  }
  assertTrustedWorkDir(workDir, warn);
}

/**
 * Throws a FatalError (usage) where other users could read or change the files of an existing work dir; warns about
 * lesser risks once per command.
 */
export function assertTrustedWorkDir(workDir: string, warn: (text: string) => void): void {
  if (checked.has(workDir) || statsOf(workDir)?.isDirectory() !== true) return;
  for (const warning of checkFolderTrust(workDir)) warn(warning);
  checked.add(workDir);
}

/** The work dirs that this command has checked: their warnings are not repeated. */
const checked = new Set<string>();
