import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { FatalError } from '../../model/fatal-error.ts';
import {
  createInputError,
  getErrorMessage,
  type InputFile,
  readChunks,
  readFileHead,
} from '../plain-file.ts';
import type { ArchiveContext, ArchiveEntry, ArchiveFormat } from './packed-file.ts';
import { UnpackLimiter } from './packed-file.ts';

/** The packing of an input: a supported kind, or the name of an unsupported one. */
type Packing = 'plain' | 'gzip' | 'zip' | 'tar' | { readonly unread: string };

/** The number of leading bytes that show the packing of an input. */
const packingBytes = 512;

const unread: readonly (readonly [name: string, ...marks: string[]])[] = [
  // The magic numbers of a bzip2 block and of the end of a stream, because a text may also begin with "BZh".
  ['bzip2', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`BZh${n}1AY&SY`, `BZh${n}\x17rE8P\x90`])],
  ['xz', '\xfd7zXZ\0'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['7-Zip', "7z\xbc\xaf'\x1c"],
  ['RAR', 'Rar!\x1a\x07'],
];

const zipMarks = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** Detects the packing of an input by its first bytes. */
function packingOf(head: Buffer): Packing {
  const characters = head.toString('latin1');
  if (characters.startsWith('\x1f\x8b\x08')) return 'gzip';
  if (zipMarks.some((mark) => characters.startsWith(mark))) return 'zip';
  if (characters.startsWith('ustar', 257)) return 'tar';
  const found = unread.find(([, ...marks]) => marks.some((mark) => characters.startsWith(mark)));
  return found === undefined ? 'plain' : { unread: found[0] };
}

/** The packing of an input that can be read; `document` is an office document, which is a zip itself. */
export type FilePacking = 'plain' | 'document' | ArchiveFormat;

/** Detects the packing of a file. Throws a FatalError('input') for an unsupported one. */
export async function detectFilePacking(file: InputFile, signal: AbortSignal): Promise<FilePacking> {
  const packing = packingOf(
    file.content?.subarray(0, packingBytes) ?? (await readFileHead(file.path, packingBytes)),
  );
  if (packing === 'zip') return (await isDocument(file, signal)) ? 'document' : 'zip';
  if (packing === 'gzip') {
    const inner = packingOf(await gunzippedHead(file, packingBytes, signal));
    return inner === 'tar' ? 'tar.gz' : 'gzip';
  }
  if (typeof packing === 'string') return packing;
  const next = 'Unpack it, and use the unpacked file; gz, zip and tar.gz are read packed.';
  throw createInputError(file.name, `is packed with ${packing.unread}, which is not supported`, next);
}

/**
 * Yields the files in an archive, without folders, hidden files and the links of a tar. Throws a FatalError('input') if
 * they unpack to more than `maxBytes` or, if `maxBytes` is undefined, to more than the default limit.
 */
export async function* streamArchiveFiles(
  file: InputFile,
  kind: ArchiveFormat,
  maxBytes: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const packed: ArchiveContext = { file, limit: new UnpackLimiter(file.name, file.bytes, maxBytes) };
  for await (const found of entriesOf(packed, kind, signal)) if (!isHiddenEntry(found.name)) yield found;
}

async function* entriesOf(
  packed: ArchiveContext,
  kind: ArchiveFormat,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  // The libraries are loaded on demand: most inputs are not packed.
  switch (kind) {
    case 'zip': {
      const { readZipEntries } = await import('./zip.ts');
      return yield* readZipEntries(packed, signal);
    }
    case 'tar':
    case 'tar.gz': {
      const { readTarEntries } = await import('./tar.ts');
      const bytes = kind === 'tar' ? copiedChunks(packed, signal) : gunzipped(packed, signal);
      return yield* readTarEntries(packed, bytes);
    }
    default: {
      const name = basename(packed.file.path).replace(/\.gz$/i, '');
      // A gz states only the unpacked size of its last part, modulo 4 GB, so the packed size is used.
      yield { name, bytes: packed.file.bytes, content: () => gunzipped(packed, signal) };
    }
  }
}

/** Yields copies of a file's chunks, and counts their bytes against the limit. */
async function* copiedChunks(
  { file, limit }: ArchiveContext,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of readChunks(file, signal)) {
    limit?.countBytes(chunk.length);
    // A copy, because the consumer keeps the chunk and `readChunks` reuses its buffer.
    yield Buffer.from(chunk);
  }
}

/** True if a zip is an office document: it has `[Content_Types].xml`, or `mimetype` as its first file. */
async function isDocument(file: InputFile, signal: AbortSignal): Promise<boolean> {
  const { readZipEntries } = await import('./zip.ts');
  try {
    let seen = 0;
    for await (const { name } of readZipEntries({ file }, signal)) {
      if (name === '[Content_Types].xml' || (seen === 0 && name === 'mimetype')) return true;
      seen += 1;
    }
  } catch (error) {
    // The damage is reported when the zip is unpacked.
    if (!(error instanceof FatalError)) throw error;
  }
  return false;
}

/** True if a file or folder of a path is hidden (`.name`) or is __MACOSX. */
export function isHiddenEntry(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}

/** Yields the unpacked bytes of a gzip file. Throws a FatalError('input') if it is cut off or damaged. */
async function* gunzipped(
  { file, limit }: ArchiveContext,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip();
  const ending = pipeline(Readable.from(copiedChunks({ file }, signal)), gunzip).then(
    () => null,
    (error: unknown) => unpackError(file.name, error, signal),
  );
  try {
    for await (const chunk of gunzip) {
      if (!Buffer.isBuffer(chunk)) continue;
      limit?.countBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw unpackError(file.name, error, signal);
  } finally {
    gunzip.destroy();
    await ending;
  }
}

/** Returns the first unpacked bytes of a gzip file, at most `length`. */
async function gunzippedHead(file: InputFile, length: number, signal: AbortSignal): Promise<Buffer> {
  const head: Buffer[] = [];
  let missing = length;
  for await (const chunk of gunzipped({ file }, signal)) {
    head.push(chunk.subarray(0, missing));
    missing -= Math.min(missing, chunk.length);
    if (missing === 0) break;
  }
  return Buffer.concat(head);
}

function unpackError(name: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof FatalError) return error;
  const reason = getErrorMessage(error);
  return reason === 'unexpected end of file'
    ? createInputError(name, 'is cut off: its gzip data is incomplete', 'Copy or export it again.')
    : createInputError(name, `is damaged and cannot be unpacked (${reason})`, 'Copy or export it again.');
}
