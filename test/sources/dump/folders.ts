import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Source } from '../../../src/model/row.ts';
import { folder, open } from '../reading.ts';

/** A folder with these files. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const path = folder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

/** A dump as a source; a folder is made of files that are given by their names. */
export function openDump(
  dump: string | Readonly<Record<string, string | Buffer>>,
  options: object = {},
  spoolDir = folder(),
): Source {
  return open(typeof dump === 'string' ? dump : folderOf(dump), options, 'dump', spoolDir);
}
