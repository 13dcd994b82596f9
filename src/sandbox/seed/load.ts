import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { formatDidYouMeanPath } from '../../storage/path-meant.ts';
import { openSandboxStore, type SandboxStore } from '../store/store.ts';
import { insertCsvSeed } from './csv.ts';
import { insertSeed } from './insert.ts';
import { type ParsedSeed, parseSeed, type Seed } from './seed.ts';

/** The default seed: users to assign, closing notes, no contacts. */
const defaultSeed: ParsedSeed = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'owner@sandbox.test', role: 'owner' },
    { id: 2, firstName: 'Max', lastName: 'Manager', email: 'manager@sandbox.test', role: 'manager' },
    { id: 3, firstName: 'Ada', lastName: 'Agent', email: 'agent@sandbox.test', role: 'agent' },
  ],
  closingNotes: [
    { category: 'Resolved', description: 'The matter is settled.' },
    { category: 'Migrated', description: 'Brought over from another system.' },
    { category: 'Spam', description: 'No one needs an answer.' },
  ],
};

/**
 * Fills a new workspace from its seed, once, all of it or nothing; a seed without users or closing notes gets the
 * default ones. Throws an Error if the seed cannot be read or is inconsistent.
 */
export async function loadSeed(
  store: SandboxStore,
  seed: Seed | string | undefined,
  now: number,
): Promise<SeedUse> {
  const before = store.seededWith();
  const fingerprint = before === undefined || seed !== undefined ? await fingerprintOf(seed) : '';
  if (before !== undefined)
    return seed === undefined || before === '1' || before === fingerprint ? 'as before' : 'not used';
  await store.longTransaction(async () => {
    if (typeof seed === 'string') await loadFile(store, seed, now);
    else insertWhole(store, parseSeed(seed ?? {}, 'The object'), now);
    store.markSeeded(fingerprint);
  });
  return 'used';
}

/** Returns the SHA-256 of a seed file's bytes, or of a seed object, in hexadecimal. */
async function fingerprintOf(seed: Seed | string | undefined): Promise<string> {
  const hash = createHash('sha256');
  if (typeof seed !== 'string') return hash.update(JSON.stringify(seed ?? {})).digest('hex');
  try {
    for await (const chunk of createReadStream(seed)) hash.update(chunk);
  } catch (error) {
    // An unreadable seed counts as a different one; loading it into a new workspace reports the error.
    return String(error);
  }
  return hash.digest('hex');
}

/**
 * Whether the seed was used at the start. An existing workspace keeps its contents: `as before` if they may come from
 * this seed or none was passed, `not used` if they come from another one.
 */
export type SeedUse = 'used' | 'as before' | 'not used';

async function loadFile(store: SandboxStore, file: string, now: number): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no seed at ${file}${formatDidYouMeanPath(file) || '.'}`);
  switch (extname(file).toLowerCase()) {
    case '.json': {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      insertWhole(store, parseSeed(value, file), now);
      return;
    }
    case '.csv':
      insertSeed(store, defaultSeed, now);
      await insertCsvSeed(store, file, now);
      return;
    default:
      throw new Error(`${file} is no seed: its name must end in .json or .csv.`);
  }
}

function insertWhole(store: SandboxStore, seed: ParsedSeed, now: number): void {
  insertSeed(store, { ...defaultSeed, ...seed }, now);
}

/** Replaces the contents of the workspace with those of its seed; throws an Error as `loadSeed` does. */
export async function resetToSeed(
  store: SandboxStore,
  seed: Seed | string | undefined,
  now: () => number,
): Promise<void> {
  // Reading a seed is asynchronous, so it is loaded into a store that no request uses.
  const fresh = openSandboxStore(undefined);
  try {
    await loadSeed(fresh, seed, now());
    store.become(fresh);
  } finally {
    fresh.close();
  }
}
