import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { FatalError } from '../../model/fatal-error.ts';
import { type InputFile, pieces, reasonOf, refused } from '../plain-file.ts';
import type { Packed } from './packed-file.ts';

/** The bytes that a gzipped file unpacks to. Throws a FatalError('input') where it is cut off or damaged. */
export async function* gunzipped(
  { file, take }: Packed,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip();
  const ending = pipeline(Readable.from(copies(file, signal)), gunzip).then(
    () => null,
    (error: unknown) => explained(file.name, error, signal),
  );
  try {
    for await (const piece of gunzip) {
      if (!Buffer.isBuffer(piece)) continue;
      take(piece.length);
      yield piece;
    }
  } catch (error) {
    throw explained(file.name, error, signal);
  } finally {
    gunzip.destroy();
    await ending;
  }
}

/** The first bytes that a gzipped file unpacks to, at most so many. */
export async function gunzippedHead(file: InputFile, length: number, signal: AbortSignal): Promise<Buffer> {
  const head: Buffer[] = [];
  let missing = length;
  const packed: Packed = { file, member: () => undefined, take: () => undefined };
  for await (const piece of gunzipped(packed, signal)) {
    head.push(piece.subarray(0, missing));
    missing -= Math.min(missing, piece.length);
    if (missing === 0) break;
  }
  return Buffer.concat(head);
}

/** Pieces of a file that stay valid. */
async function* copies(file: InputFile, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces(file, signal)) yield Buffer.from(piece);
}

function explained(name: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof FatalError) return error;
  const reason = reasonOf(error);
  return reason === 'unexpected end of file'
    ? refused(name, 'is cut off: its gzip data is incomplete', 'Copy or export it again.')
    : refused(name, `is damaged and cannot be unpacked (${reason})`, 'Copy or export it again.');
}
