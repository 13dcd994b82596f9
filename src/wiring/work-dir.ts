import { accessSync, constants, mkdirSync } from 'node:fs';
import { FatalError } from '../model/fatal-error.ts';

/** Where nobody names one. */
export const defaultWorkDir = '.longshore';

/** Makes the work dir (0700) where it is not there; throws a FatalError (usage) where nothing can be written into it. */
export function prepareWorkDir(workDir: string): void {
  try {
    mkdirSync(workDir, { recursive: true, mode: 0o700 });
    accessSync(workDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new FatalError('usage', `the work dir cannot be written (${code}).`, {
      place: { file: workDir },
      next: 'Name a folder of your own with --work-dir.',
      cause,
    });
  }
}

/** The work dir as a command has to name it: not at all where it is the usual one. */
export function shownWorkDir(workDir: string): string | undefined {
  return workDir === defaultWorkDir ? undefined : workDir;
}
