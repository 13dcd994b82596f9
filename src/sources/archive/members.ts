import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { resolveRawInputFile } from '../input-file.ts';
import { hasErrorCode, withInputErrors } from '../plain-file.ts';
import type { SourceInput } from '../source-format.ts';
import { detectFilePacking, isHiddenEntry } from './archive.ts';
import { listArchive, reuseArchiveListing, unpackNamedMembers } from './unpack.ts';

/** One file of a folder or an archive, as an input that any format can open. */
export interface InputMember {
  /** The path in the folder or archive, with slashes. */
  readonly name: string;
  /** The size in bytes; for a gz the packed size. */
  readonly bytes: number;
  readonly input: SourceInput;
}

/**
 * Lists the files of a folder (recursively, without links that lead out of it, and without work dirs in it) or of an
 * archive, sorted by name, without hidden ones. For any other file, the list has only that file.
 */
export async function listInputMembers(
  input: SourceInput,
  signal: AbortSignal,
): Promise<readonly InputMember[]> {
  const found = input.path === '-' ? null : await withInputErrors(input.path, stat(input.path));
  const members =
    found?.isDirectory() === true ? await membersOfFolder(input, signal) : await membersOfFile(input, signal);
  return members.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

/**
 * Unpacks those members that are in an archive into the spool folder, in one pass; if they are in several archives,
 * only those of the first one.
 */
export async function unpackInputMembers(
  members: readonly InputMember[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = members.filter(({ input }) => input.member !== undefined);
  if (first === undefined) return;
  const ofOne = members.filter(({ input }) => input.path === first.input.path);
  const names = ofOne.flatMap(({ input }) => input.member ?? []);
  await unpackNamedMembers(await resolveRawInputFile(first.input, signal), names, first.input, signal);
}

async function membersOfFolder(input: SourceInput, signal: AbortSignal): Promise<readonly InputMember[]> {
  const entries = await withInputErrors(
    input.path,
    readdir(input.path, { recursive: true, withFileTypes: true }),
  );
  const inside = await withInputErrors(input.path, realpath(input.path));
  const workDirs = findWorkDirs(input, entries);
  const members: InputMember[] = [];
  for (const entry of entries) {
    signal.throwIfAborted();
    const path = join(entry.parentPath, entry.name);
    if (workDirs.some((workDir) => resolve(path).startsWith(workDir + sep))) continue;
    const name = relative(input.path, path).split(sep).join('/');
    if (isHiddenEntry(name) || !(entry.isFile() || entry.isSymbolicLink())) continue;
    // A link in a folder must not lead to a file outside of it.
    if (entry.isSymbolicLink() && !(await leadsInto(inside, path))) continue;
    const found = await withInputErrors(path, stat(path));
    if (found.isFile()) members.push({ name, bytes: found.size, input: { ...input, path } });
  }
  return members;
}

/** Returns the work dirs in the input's folder: the one of this run, and those of others. */
function findWorkDirs(input: SourceInput, entries: readonly Dirent[]): readonly string[] {
  const inFolder = (path: string) => path.startsWith(resolve(input.path) + sep);
  const holders = (isMeant: (entry: Dirent) => boolean) =>
    entries.filter(isMeant).map(({ parentPath }) => resolve(parentPath));
  const spools = new Set(holders((entry) => entry.isDirectory() && entry.name === 'spool'));
  const databases = holders(({ name }) => name === 'journal.db' || name === 'sandbox.db');
  const others = databases.filter((path) => spools.has(path));
  return [...new Set([dirname(resolve(input.spoolDir)), ...others])].filter(inFolder);
}

async function membersOfFile(input: SourceInput, signal: AbortSignal): Promise<readonly InputMember[]> {
  const file = await resolveRawInputFile(input, signal);
  // The input of a pipe was copied into the spool folder, and is read there.
  const own: SourceInput = { ...input, path: file.path, name: file.name };
  const listed = reuseArchiveListing(input.archive, file);
  const kind = listed?.kind ?? (await detectFilePacking(file, signal));
  if (kind === 'plain' || kind === 'document' || kind === 'gzip')
    return [{ name: basename(file.name).replace(/\.gz$/i, ''), bytes: file.bytes, input: own }];
  const archive = listed ?? (await listArchive(file, kind, input, signal));
  return [...archive.files].map(([name, bytes]) => ({
    name,
    bytes,
    input: { ...own, archive, member: name },
  }));
}

/** True if the target of a link is inside the folder. */
async function leadsInto(folder: string, link: string): Promise<boolean> {
  try {
    return (await realpath(link)).startsWith(folder + sep);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ELOOP')) return false;
    throw error;
  }
}
