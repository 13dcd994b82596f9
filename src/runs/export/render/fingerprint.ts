import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const piece = 256 * 1024;

/** How many bytes a file has, and their hash. */
export async function fingerprint(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  // One buffer for all: a stream would leave a new one behind for each piece.
  const buffer = Buffer.allocUnsafe(piece);
  const file = await open(path, 'r');
  try {
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, piece, null);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
