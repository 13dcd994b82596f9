import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Compared, compare } from './compare.ts';
import { generate } from './generate.ts';
import { playExport } from './play.ts';
import type { Export } from './truth.ts';
import { contactsOf } from './workspace-state.ts';

export interface SeedResult {
  readonly made: Export;
  readonly compared: Compared;
  /** Where it was played, while it is kept. */
  readonly folder: string;
}

/** Generates the export of a seed, imports it and compares the workspace with the truth. */
export async function playSeed(seed: number, keep = false): Promise<SeedResult> {
  const made = generate(seed);
  const { path, remove } = temporaryFolder();
  try {
    const played = await playExport(made, path);
    const sandbox = join(path, '.longshore/sandbox.db');
    // An import that ended before it reached its workspace has made none; its failure is among what it left.
    const contacts = existsSync(sandbox) ? contactsOf(sandbox) : undefined;
    return { made, compared: compare(made, played, contacts), folder: path };
  } finally {
    if (!keep) remove();
  }
}
