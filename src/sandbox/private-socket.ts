import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a server listens that nobody but its owner reaches. */
export interface PrivateSocket {
  readonly path: string;
  remove(): void;
}

/** The address of a Unix socket holds 104 bytes on some systems; the folder's own name and the socket's need 20. */
const longestParent = 80;

/** Makes an owner-only folder for a Unix socket; undefined where the system has none. */
export function makePrivateSocket(): PrivateSocket | undefined {
  if (process.platform === 'win32') return undefined;
  const parent = Buffer.byteLength(tmpdir()) <= longestParent ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(parent, 'longshore-'));
  return {
    path: join(folder, 'socket'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
