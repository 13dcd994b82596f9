import { rm, stat } from 'node:fs/promises';
import { unpacked } from './archive/unpack.ts';
import { spooledPipe } from './piped.ts';
import { filesIn, type InputFile, orExplain, refused } from './plain-file.ts';
import type { SourceInput } from './source-format.ts';

export { chunksOf, fingerprintOf, type InputFile, refused } from './plain-file.ts';

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
    const { part, heard } = input;
    return { ...plain, ...(part && { part }), ...(heard && { heard }) };
  } catch (error) {
    if (piped) await rm(file.path, { force: true });
    throw error;
  }
}

/** The file behind an input as it is, packed or not. */
export async function packedFile(
  { path, name = path === '-' ? 'standard input' : path, spoolDir, waiting }: SourceInput,
  signal: AbortSignal,
): Promise<InputFile> {
  const found = path === '-' ? null : await orExplain(path, stat(path));
  if (found?.isDirectory() === true)
    throw refused(
      name,
      'is a directory',
      `Use a file in it${filesIn(path)}, or set "format: dump" if its files belong together.`,
    );
  const kept =
    found?.isFile() === true ? path : await spooledPipe({ path, name, spoolDir, waiting }, found, signal);
  const { size, mtimeMs } = kept === path && found !== null ? found : await stat(kept);
  if (size === 0) throw refused(name, 'is empty', 'Export it again, or use another file.');
  return { name, path: kept, bytes: size, changedAt: mtimeMs };
}
