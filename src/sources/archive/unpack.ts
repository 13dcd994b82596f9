import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskSpaceChecker } from '../../storage/room.ts';
import { writeSpoolFiles } from '../../storage/spool.ts';
import { createInputError, type InputFile, preloadSmallFile, readChunks } from '../plain-file.ts';
import type { SourceInput, UnpackingRules } from '../source-format.ts';
import { detectFilePacking, type FilePacking, streamArchiveFiles } from './archive.ts';
import { chooseArchiveMember } from './choose.ts';
import type { ArchiveEntry, ArchiveFormat, ArchiveListing } from './packed-file.ts';

const documentExtensions = ['xlsx', 'xlsm', 'ods'];
const anyFile: UnpackingRules = { extensions: [], maxBytes: undefined };

/**
 * Returns the plain file of an input; a packed one is unpacked into the spool folder, once for the same content. Throws
 * a FatalError('input') if it cannot be unpacked, and leaves no file behind.
 */
export async function unpackInputFile(
  given: InputFile,
  { spoolDir, member, archive, unpacking = anyFile }: SourceInput,
  signal: AbortSignal,
): Promise<InputFile> {
  const listed = reuseArchiveListing(archive, given);
  const file = listed === undefined ? await preloadSmallFile(given) : given;
  const kind = listed?.kind ?? (await detectFilePacking(file, signal));
  const plain = isPlain(kind, file.name, unpacking);
  if (member !== undefined && (plain || kind === 'gzip'))
    throw createInputError(
      file.name,
      `is not an archive, so it has no file ${member}`,
      'Leave out "member".',
    );
  if (plain) return file;
  const isListed = member !== undefined && listed?.files.has(member) === true;
  const name =
    kind === 'gzip' ? '' : isListed ? member : await memberOf(file, kind, member, unpacking, signal);
  const key = keyOf(await (listed?.hash(signal) ?? hashOf(file, signal)), name);
  const path = join(spoolDir, key);
  if (!existsSync(path)) await unpack(file, kind, new Map([[name, key]]), spoolDir, unpacking, signal);
  const shown = name === '' ? file.name : `${file.name}/${name}`;
  const { size, mtimeMs } = await stat(path);
  const found = await preloadSmallFile({ name: shown, path, bytes: size, changedAt: mtimeMs });
  await assertPlain(found, unpacking, signal);
  return found;
}

/** Unpacks several members of an archive into the spool folder in one pass. */
export async function unpackNamedMembers(
  file: InputFile,
  names: readonly string[],
  { spoolDir, archive, unpacking = anyFile }: SourceInput,
  signal: AbortSignal,
): Promise<void> {
  const listed = reuseArchiveListing(archive, file);
  const kind = listed?.kind ?? (await detectFilePacking(file, signal));
  if (kind === 'plain' || kind === 'document' || kind === 'gzip') return;
  const hash = await (listed?.hash(signal) ?? hashOf(file, signal));
  const missing = new Map<string, string>();
  for (const name of names) {
    const key = keyOf(hash, name);
    if (!existsSync(join(spoolDir, key))) missing.set(name, key);
  }
  if (missing.size > 0) await unpack(file, kind, missing, spoolDir, unpacking, signal);
}

/** True if an input is read without unpacking. Throws for an office document if the format does not read these. */
function isPlain(
  kind: FilePacking,
  name: string,
  { extensions }: UnpackingRules,
): kind is 'plain' | 'document' {
  if (kind !== 'document') return kind === 'plain';
  if (extensions.some((extension) => documentExtensions.includes(extension))) return true;
  throw createInputError(
    name,
    'is a workbook or another office document',
    'Set "format: xlsx" if it is a workbook.',
  );
}

/** Returns the name of the member to read, chosen from all files of the archive. */
async function memberOf(
  file: InputFile,
  kind: ArchiveFormat,
  member: string | undefined,
  unpacking: UnpackingRules,
  signal: AbortSignal,
): Promise<string> {
  const names: string[] = [];
  for await (const { name } of streamArchiveFiles(file, kind, unpacking.maxBytes, signal)) names.push(name);
  return chooseArchiveMember(file.name, names, member, unpacking);
}

/**
 * Unpacks files into the spool folder; `keys` maps their names in the archive ('' for a gz) to their names in the
 * folder.
 */
async function unpack(
  file: InputFile,
  kind: ArchiveFormat,
  keys: ReadonlyMap<string, string>,
  spoolDir: string,
  { maxBytes }: UnpackingRules,
  signal: AbortSignal,
): Promise<void> {
  const room = new DiskSpaceChecker(spoolDir, file.name);
  await writeSpoolFiles(spoolDir, async (add) => {
    // The archive is read to its end even when all files are found: only the end shows that it is complete.
    for await (const found of streamArchiveFiles(file, kind, maxBytes, signal)) {
      const key = keys.get(kind === 'gzip' ? '' : found.name);
      if (key !== undefined) await add(key, (out) => copy(found, out, room));
    }
  });
}

async function copy(found: ArchiveEntry, out: FileHandle, room: DiskSpaceChecker): Promise<void> {
  await room.assert(found.bytes);
  for await (const chunk of found.content()) {
    await room.kept(out.writeFile(chunk));
    await room.written(chunk.length);
  }
}

async function assertPlain(found: InputFile, unpacking: UnpackingRules, signal: AbortSignal): Promise<void> {
  try {
    if (found.bytes === 0)
      throw createInputError(found.name, 'is empty', 'Export it again, or use another file.');
    const kind = await detectFilePacking(found, signal);
    if (isPlain(kind, found.name, unpacking)) return;
    const what = `is packed twice: the file in the archive is itself a ${kind}`;
    throw createInputError(found.name, what, 'Unpack the outer archive, and use the inner one.');
  } catch (error) {
    await rm(found.path, { force: true });
    throw error;
  }
}

/** Lists the files of an archive. Throws a FatalError('input') for two files of one name. */
export async function listArchive(
  file: InputFile,
  kind: ArchiveFormat,
  { unpacking = anyFile }: SourceInput,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  const files = new Map<string, number>();
  for await (const { name, bytes } of streamArchiveFiles(file, kind, unpacking.maxBytes, signal)) {
    if (files.has(name)) {
      const what = `has two files named ${name}`;
      throw createInputError(file.name, what, 'Unpack it, and keep the right one.');
    }
    files.set(name, bytes);
  }
  let known: string | undefined;
  return {
    ...{ file, kind, files },
    async hash(signal) {
      known ??= await hashOf(file, signal);
      return known;
    },
  };
}

/** Returns the listing if it is of this file and the file is unchanged; otherwise undefined. */
export function reuseArchiveListing(
  archive: ArchiveListing | undefined,
  file: InputFile,
): ArchiveListing | undefined {
  if (archive === undefined) return undefined;
  const { path, bytes, changedAt } = archive.file;
  const isSame = path === file.path && bytes === file.bytes && changedAt === file.changedAt;
  return isSame ? archive : undefined;
}

async function hashOf(file: InputFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readChunks(file, signal)) hash.update(chunk);
  return hash.digest('hex');
}

function keyOf(hash: string, name: string): string {
  return `unpacked-${createHash('sha256').update(`${hash}/${name}`).digest('hex').slice(0, 16)}`;
}
