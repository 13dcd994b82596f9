import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Store } from '../store/store.ts';
import { plantCsv } from './csv.ts';
import { defaultSeed } from './default-seed.ts';
import { plant } from './plant.ts';
import { type CheckedSeed, checkSeed, type Seed } from './seed.ts';

/**
 * Fills a new workspace, once, all of it or nothing; users and closing notes that the seed does not speak of are the
 * default's. Throws an Error where the seed cannot be read or does not fit together.
 */
export async function loadSeed(store: Store, seed: Seed | string | undefined, now: number): Promise<void> {
  if (store.isSeeded()) return;
  await store.longTransaction(async () => {
    if (typeof seed === 'string') await loadFile(store, seed, now);
    else plantWhole(store, checkSeed(seed ?? {}, 'The object'), now);
    store.markSeeded();
  });
}

async function loadFile(store: Store, file: string, now: number): Promise<void> {
  switch (extname(file).toLowerCase()) {
    case '.json': {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      plantWhole(store, checkSeed(value, file), now);
      return;
    }
    case '.csv':
      plant(store, defaultSeed, now);
      await plantCsv(store, file, now);
      return;
    default:
      throw new Error(`${file} is no seed: its name must end in .json or .csv.`);
  }
}

function plantWhole(store: Store, seed: CheckedSeed, now: number): void {
  plant(store, { ...defaultSeed, ...seed }, now);
}
