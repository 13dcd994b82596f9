import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { FatalError } from '../../model/fatal-error.ts';
import { createInputError, getErrorMessage } from '../plain-file.ts';
import type { ArchiveContext, ArchiveEntry } from './packed-file.ts';

/**
 * Yields the files of a zip in the order of its directory. Throws a FatalError('input') if it is cut off, damaged or
 * malicious.
 */
export async function* readZipEntries(
  packed: ArchiveContext,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { file } = packed;
  const zip = await asInputErrors(file.name, openedZip(packed));
  try {
    const entries = zip.eachEntry();
    for (;;) {
      signal.throwIfAborted();
      const next = await asInputErrors(file.name, entries.next());
      if (next.done === true) return;
      const entry: Entry = next.value;
      packed.limit?.countFile();
      if (entry.fileName.endsWith('/') || isLink(entry)) continue;
      const bytes = entry.uncompressedSize;
      yield { name: entry.fileName, bytes, content: () => contentOf(zip, entry, packed, signal) };
    }
  } finally {
    zip.close();
  }
}

/**
 * The system number of Unix, whose zips have file modes; the bits of a mode that hold the file type, and the type of a
 * symbolic link.
 */
const [unix, typeMask, linkType] = [3, 0o170000, 0o120000];

function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return versionMadeBy >> 8 === unix && ((externalFileAttributes >>> 16) & typeMask) === linkType;
}

/** A zip up to this size is read into memory: from disk its directory takes two reads for each file. */
const smallBytes = 16 * 1024 * 1024;

async function openedZip({ file }: ArchiveContext): Promise<ZipFile> {
  const options = { autoClose: false };
  if (file.bytes > smallBytes) return await openPromise(file.path, options);
  return await fromBufferPromise(await readFile(file.path), options);
}

async function* contentOf(
  zip: ZipFile,
  entry: Entry,
  { file, limit }: ArchiveContext,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const name = `${file.name}/${entry.fileName}`;
  if (entry.isEncrypted())
    throw createInputError(name, 'is encrypted', 'Unpack it with its password, and use the unpacked file.');
  if (!entry.canDecodeFileData()) {
    const what = `is packed with an unsupported method (number ${entry.compressionMethod})`;
    throw createInputError(name, what, 'Unpack it, and use the unpacked file.');
  }
  try {
    for await (const chunk of readZipEntryBytes(zip, entry, signal)) {
      limit?.countBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw signal.aborted || error instanceof FatalError ? error : zipError(name, error);
  }
}

/** Yields the unpacked bytes of a zip entry. Throws if they are damaged or their checksum differs. */
export async function* readZipEntryBytes(
  zip: ZipFile,
  entry: Entry,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const stream = await zip.openReadStreamPromise(entry);
  let sum = 0;
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted();
      if (!Buffer.isBuffer(chunk)) continue;
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32) throw new Error('its checksum differs');
}

async function asInputErrors<T>(name: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw zipError(name, error);
  }
}

function zipError(name: string, error: unknown): FatalError {
  const reason = getErrorMessage(error);
  if (/^(absolute path|invalid relative path|invalid characters in fileName)/.test(reason)) {
    const what = `has a file whose path leads out of it (${reason}), as malicious archives do`;
    return createInputError(name, what, 'Do not use it; ask where it came from.');
  }
  if (/end of central directory/i.test(reason))
    return createInputError(
      name,
      'is a zip that is cut off: its directory is missing',
      'Copy or export it again.',
    );
  return createInputError(name, `is damaged and cannot be unpacked (${reason})`, 'Copy or export it again.');
}
