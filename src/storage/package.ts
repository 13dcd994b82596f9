import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that this program is installed in: two levels above this file, and above the bundle built from it. */
export const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

/** The version of this program, from its package.json; `unknown` where that has none. */
export const packageVersion = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
