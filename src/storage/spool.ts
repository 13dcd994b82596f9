import { type FileHandle, mkdir, open as openFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOwnerOnlyFolder } from './own-folder.ts';

let parts = 0;
/** The number of files that are synced together, so that the file system commits once for all of them. */
const syncedTogether = 64;

/**
 * Writes a file (0600) into the spool folder and returns its path. `write` fills the file at the temporary path `part`
 * and returns the final name; the file gets that name only once it is complete. A failure leaves nothing behind.
 */
export async function spoolFile(
  spoolDir: string,
  write: (file: FileHandle, part: string) => Promise<string>,
): Promise<string> {
  const part = await nextPart(spoolDir);
  // A file left by a process that died has nothing of use, and a link there must not be followed.
  await rm(part, { force: true });
  try {
    const file = await openFile(part, 'wx', 0o600);
    try {
      const whole = join(spoolDir, await write(file, part));
      await file.sync();
      await rename(part, whole);
      return whole;
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Writes several files (0600) into the spool folder, which appear there only once all are complete. `write` adds them
 * one after the other, each by name. A failure before that leaves nothing behind.
 */
export async function writeSpoolFiles(
  spoolDir: string,
  write: (add: (name: string, fill: (file: FileHandle) => Promise<void>) => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = await makeTemporarySpoolFolder(spoolDir);
  const names: string[] = [];
  const open: FileHandle[] = [];
  const sync = async () => {
    await Promise.all(open.map((file) => file.sync()));
    for (const file of open.splice(0)) await file.close();
  };
  try {
    await write(async (name, fill) => {
      const file = await openFile(join(folder, name), 'wx', 0o600);
      open.push(file);
      await fill(file);
      names.push(name);
      if (open.length === syncedTogether) await sync();
    });
    await sync();
    for (const name of names) await rename(join(folder, name), join(spoolDir, name));
  } finally {
    for (const file of open) await file.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes an empty temporary folder (0700) in the spool folder; one left by a process that died is removed by the next
 * call.
 */
export async function makeTemporarySpoolFolder(spoolDir: string): Promise<string> {
  const part = await nextPart(spoolDir);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  return part;
}

async function nextPart(spoolDir: string): Promise<string> {
  makeOwnerOnlyFolder(spoolDir);
  await removeAbandoned(spoolDir);
  parts += 1;
  return join(spoolDir, `${process.pid}-${parts}.part`);
}

/** Removes the partial files, possibly large, of processes that died while they wrote. */
async function removeAbandoned(spoolDir: string): Promise<void> {
  for (const name of await readdir(spoolDir)) {
    const [, pid] = /^(\d+)-\d+\.part$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(spoolDir, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
