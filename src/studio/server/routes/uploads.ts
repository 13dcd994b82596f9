import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { prepareWorkDir } from '../../../app/run/work-dir.ts';
import { makeOwnFolder } from '../../../storage/own-folder.ts';
import { routes } from '../../wire/routes.ts';
import { upload } from '../../wire/schemas/project.ts';
import { handleBytes } from '../handler.ts';
import { factsOf, uploadFolder } from '../list-files.ts';

export const uploadHandlers = [
  handleBytes(routes.upload, upload, async ({ name, folder: together = '' }, { files }, bytes) => {
    prepareWorkDir(files.workDir, () => {});
    const folder = join(uploadFolder(files.workDir), together);
    makeOwnFolder(folder);
    const path = freePath(folder, name);
    const part = `${path}.part`;
    try {
      // Aside first: a connection that breaks leaves no half of a file behind.
      await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    return { path: files.named(path), kind: 'input', ...factsOf(path) };
  }),
];

/** A name that is not taken: what was sent before may be in use. */
function freePath(folder: string, name: string): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${stem}-${n}${ending}`);
    if (!existsSync(path) && !existsSync(`${path}.part`)) return path;
  }
}
