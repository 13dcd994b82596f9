import { basename } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { headOf, type InputFile, pieces, refused } from '../plain-file.ts';
import { Allowance } from './allowance.ts';
import { gunzipped, gunzippedHead } from './gzip.ts';
import type { Packed, PackedFile } from './packed-file.ts';
import { packingBytes, packingOf } from './packing.ts';
import { tarredFiles } from './tar.ts';
import { zippedFiles } from './zip.ts';

/** How the files of an input lie in it; `gzip` is one file alone, `document` a zip that is one file of an office program. */
export type ArchiveKind = 'plain' | 'document' | PackedKind;
export type PackedKind = 'gzip' | 'zip' | 'tar' | 'tar.gz';

/** How an input is packed. Throws a FatalError('input') where it is packed in a way that is not read. */
export async function kindOf(file: InputFile, signal: AbortSignal): Promise<ArchiveKind> {
  const packing = packingOf(await headOf(file.path, packingBytes));
  if (packing === 'zip') return (await isDocument(file, signal)) ? 'document' : 'zip';
  if (packing === 'gzip') {
    const inner = packingOf(await gunzippedHead(file, packingBytes, signal));
    return inner === 'tar' ? 'tar.gz' : 'gzip';
  }
  if (typeof packing === 'string') return packing;
  const next = 'Unpack it, and use the unpacked file; gz, zip and tar.gz are read packed.';
  throw refused(file.name, `is packed with ${packing.unread}, which is not supported`, next);
}

/** The files in an archive, in order; folders, links and what a Mac puts beside files are none. */
export async function* filesOf(
  file: InputFile,
  kind: PackedKind,
  maxBytes: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<PackedFile, void, undefined> {
  const allowance = new Allowance(file.name, file.bytes, maxBytes);
  const packed: Packed = {
    file,
    member: () => allowance.member(),
    take: (bytes) => allowance.take(bytes),
  };
  for await (const found of walked(packed, kind, signal)) if (!isHidden(found.name)) yield found;
}

async function* walked(
  packed: Packed,
  kind: PackedKind,
  signal: AbortSignal,
): AsyncGenerator<PackedFile, void, undefined> {
  switch (kind) {
    case 'zip':
      return yield* zippedFiles(packed, signal);
    case 'tar':
      return yield* tarredFiles(packed, counted(packed, signal));
    case 'tar.gz':
      return yield* tarredFiles(packed, gunzipped(packed, signal));
    default: {
      const name = basename(packed.file.path).replace(/\.gz$/i, '');
      // What a gz states of its size is that of its last part, modulo 4 GB.
      yield { name, bytes: packed.file.bytes, content: () => gunzipped(packed, signal) };
    }
  }
}

async function* counted(
  { file, take }: Packed,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces(file, signal)) {
    take(piece.length);
    yield Buffer.from(piece);
  }
}

/** Whether a zip is the single file of an office program, by the members that all of those have. */
async function isDocument(file: InputFile, signal: AbortSignal): Promise<boolean> {
  const packed: Packed = { file, member: () => undefined, take: () => undefined };
  try {
    let seen = 0;
    for await (const { name } of zippedFiles(packed, signal)) {
      if (name === '[Content_Types].xml' || (seen === 0 && name === 'mimetype')) return true;
      seen += 1;
    }
  } catch (error) {
    // What is wrong with it is said by who unpacks it.
    if (!(error instanceof FatalError)) throw error;
  }
  return false;
}

/** Whether a path is of what an operating system puts beside files, or otherwise not meant to be seen. */
export function isHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}
