import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { packageFolder } from '../../storage/package.ts';
import type { Screen } from '../run/terminal/screen.ts';
import type { ScheduleFile, ScheduleHost } from './job.ts';

/** Prints the files of a scheduler, or writes them into the folder `out`. */
export function printOrWriteFiles(
  files: readonly ScheduleFile[],
  out: string | undefined,
  screen: Screen,
): void {
  if (out === undefined) {
    screen.result(() => files.map(({ name, text }) => `# ── ${name}\n${text}`).join('\n'), files);
    return;
  }
  const written = write(files, out);
  screen.result(() => `Written:\n${written.map((path) => `  ${path}`).join('\n')}`, files);
}

/**
 * Writes the files, readable by their owner alone; throws a FatalError (usage) if one cannot be written or exists
 * already, because its secrets may be filled in.
 */
function write(files: readonly ScheduleFile[], folder: string): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true });
    return files.map(({ name, text }) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
      return path;
    });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new FatalError('usage', `the files could not be written: ${detail}.`, {
      place: { file: folder },
      next: 'Move the existing files away, or choose another folder with --out.',
      cause,
    });
  }
}

/** Reads the paths, user and time zone of this machine. */
export function readScheduleHost(): ScheduleHost {
  const main = join(packageFolder, 'dist/command/main.js');
  return {
    node: process.execPath,
    main,
    checkout: dirname(dirname(dirname(main))),
    user: userInfo().username,
    home: homedir(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
