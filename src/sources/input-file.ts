import { createHash } from 'node:crypto';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { unpacked } from './archive/unpack.ts';
import { filesIn, type InputFile, orExplain, refused } from './plain-file.ts';
import type { SourceInput } from './source-format.ts';
import { spooled } from './spool.ts';

export { fingerprintOf, type InputFile, pieces, refused } from './plain-file.ts';

/**
 * Finds the plain file behind an input. Standard input and pipes are first copied whole into a file (0600) of the spool
 * folder, and what is packed is unpacked there. Throws a FatalError('input') for a missing, unreadable or empty file, for a
 * directory, and for an archive that is damaged, malign or ambiguous.
 */
export async function inputFile(input: SourceInput, signal: AbortSignal): Promise<InputFile> {
  const file = await packedFile(input, signal);
  const piped = file.path !== input.path;
  try {
    const plain = await unpacked(file, input, signal);
    if (piped && plain.path !== file.path) await rm(file.path, { force: true });
    return plain;
  } catch (error) {
    if (piped) await rm(file.path, { force: true });
    throw error;
  }
}

/** The file behind an input as it is, packed or not. */
export async function packedFile(
  { path, name = path === '-' ? 'standard input' : path, spoolDir }: SourceInput,
  signal: AbortSignal,
): Promise<InputFile> {
  const found = path === '-' ? null : await orExplain(path, stat(path));
  if (found?.isDirectory() === true)
    throw refused(
      name,
      'is a directory',
      `Name a file in it${await filesIn(path)}, or state "format: dump" if its files belong together.`,
    );
  const kept = found?.isFile() === true ? path : await copied(path, name, spoolDir, signal);
  const { size, mtimeMs } = kept === path && found !== null ? found : await stat(kept);
  if (size === 0) throw refused(name, 'is empty', 'Export it again, or name another file.');
  return { name, path: kept, bytes: size, changedAt: mtimeMs };
}

/** Copies an input that can be read only once; the copy is named by its content: the same bytes piped in twice are one file. */
async function copied(path: string, name: string, spoolDir: string, signal: AbortSignal): Promise<string> {
  try {
    return await spooled(spoolDir, async (copy) => `input-${await copyWhole(path, name, copy, signal)}`);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Copies the input whole, and gives the beginning of its hash. */
async function copyWhole(path: string, name: string, copy: FileHandle, signal: AbortSignal): Promise<string> {
  const input = path === '-' ? process.stdin : (await orExplain(path, open(path, 'r'))).createReadStream();
  const hash = createHash('sha256');
  for await (const piece of addAbortSignal(signal, input)) {
    if (!Buffer.isBuffer(piece))
      throw refused(name, 'does not come as bytes', 'Leave standard input without an encoding.');
    hash.update(piece);
    await copy.writeFile(piece);
  }
  return hash.digest('hex').slice(0, 16);
}
