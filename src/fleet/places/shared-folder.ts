import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { createPrivateFolder } from '../../app/export/folder/make-folder.ts';
import { readManifest } from '../../app/export/folder/manifest.ts';
import { findFreePath } from '../../app/export/folder/names.ts';
import { moveIntoPlace, tidyExports } from '../../app/export/folder/publish.ts';
import type { Delivery, InputStorage, OutputStorage, ResultStorage } from './place.ts';

/** Creates the storage of inputs in a folder that all machines share; the inputs are read in place. */
export function createFolderInputStorage(root: string): InputStorage {
  return { fetch: (path) => Promise.resolve(resolve(root, path)) };
}

/** Creates the storage of exports in a folder that all machines share. */
export function createFolderOutputStorage(root: string): OutputStorage {
  const placeOf = ({ folder, name }: Pick<Delivery, 'folder' | 'name'>) => join(root, folder, name);
  // The token distinguishes a partial export from that of an earlier lease holder, who may still be writing.
  const partOf = ({ folder, name, run, token }: Delivery) =>
    join(root, folder, `.${name}.${run}.${token}.part`);
  return {
    nameOf: placeOf,

    freeName: (folder, name) =>
      Promise.resolve(findFreePath(join(root, folder, name)).slice(join(root, folder).length + 1)),

    async bring(delivery, from) {
      const part = partOf(delivery);
      rmSync(part, { recursive: true, force: true });
      createPrivateFolder(part);
      for (const { name } of readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile())) {
        await copyFile(join(from, name), join(part, name));
        await sync(join(part, name));
      }
    },

    async publish(delivery) {
      await moveIntoPlace(partOf(delivery), placeOf(delivery));
    },

    settle(delivery) {
      // The partial export is renamed before it is removed, so that a late writer cannot publish it.
      const part = partOf(delivery);
      const away = `${part}.removed`;
      if (existsSync(part)) renameSync(part, away);
      rmSync(away, { recursive: true, force: true });
      return Promise.resolve(readManifest(placeOf(delivery))?.run === delivery.run);
    },

    async tidy(delivery, keep) {
      const place = placeOf(delivery);
      const manifest = readManifest(place);
      if (manifest === undefined) return [];
      return await tidyExports({ folder: place, manifest }, keep);
    },
  };
}

/** Creates the storage of result files in a folder that all machines share. */
export function createFolderResultStorage(root: string): ResultStorage {
  const at = (path: string) => join(root, path);
  return {
    nameOf: at,
    list(folder) {
      if (!existsSync(at(folder))) return Promise.resolve([]);
      const entries = readdirSync(at(folder), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.part'));
      return Promise.resolve(
        files.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
      );
    },
    fetch: (path, to) => copyFile(at(path), to),
    async put(path, from) {
      const part = join(dirname(at(path)), `.${basename(path)}.part`);
      createPrivateFolder(dirname(part));
      await copyFile(from, part);
      await sync(part);
      renameSync(part, at(path));
    },
    remove(path) {
      rmSync(at(path), { force: true });
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
        if (!existsSync(at(folder)) || readdirSync(at(folder)).length > 0) break;
        rmdirSync(at(folder));
      }
      return Promise.resolve();
    },
  };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
