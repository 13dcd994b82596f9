import { COPYFILE_FICLONE } from 'node:constants';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite, type SqliteFile } from '../../storage/sqlite.ts';
import { assertUnchanged, type FoundFile } from './found-file.ts';
import { explained } from './trouble.ts';

const busyMilliseconds = 5000;

/** Opens a SQLite file for reading only; integers come exact. Nothing is ever written beside it. */
export function openFile(path: string, name: string): SqliteFile {
  try {
    const opened = openSqlite(path, { readonly: true, fileMustExist: true, timeout: busyMilliseconds });
    try {
      opened.defaultSafeIntegers(true);
      // A file from elsewhere: its views may not call what could do harm.
      opened.pragma('trusted_schema = OFF');
      opened.pragma('cell_size_check = ON');
      opened.pragma('cache_size = -16000');
      opened.prepare('SELECT count(*) FROM sqlite_schema').get();
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  } catch (error) {
    throw explained(error, name, 'cannot be opened');
  }
}

/** Copies a file with its log into the spool folder, and merges the log there; gives the copy's path, named by the content. */
export async function settledCopy(found: FoundFile, spoolDir: string, fingerprint: string): Promise<string> {
  const whole = join(spoolDir, `sqlite-${fingerprint.slice(0, 16)}`);
  if (existsSync(whole)) return whole;
  await mkdir(spoolDir, { recursive: true, mode: 0o700 });
  const part = await mkdtemp(join(spoolDir, 'sqlite-part-'));
  try {
    const copy = join(part, 'copy');
    await copyFile(found.file.path, copy, COPYFILE_FICLONE);
    await chmod(copy, 0o600);
    if (found.log !== null) {
      const ending = found.log.path.slice(found.file.path.length);
      await copyFile(found.log.path, copy + ending, COPYFILE_FICLONE);
      await chmod(copy + ending, 0o600);
    }
    await assertUnchanged(found);
    settle(copy, found.file.name);
    await rename(copy, whole);
    return whole;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Brings a copy into the mode in which nothing lies beside it. */
function settle(path: string, name: string): void {
  try {
    const copy = openSqlite(path, { fileMustExist: true });
    try {
      copy.pragma('journal_mode = DELETE');
    } finally {
      copy.close();
    }
  } catch (error) {
    throw explained(error, name, 'cannot be opened');
  }
}
