import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../storage/json.ts';
import { readRegularFile } from '../storage/regular-file.ts';
import { isMissing, orExplain } from './plain-file.ts';
import type { SourceInput } from './source-format.ts';

/** The option of the formats that spreadsheets open. */
export const guardedOption = z
  .boolean()
  .optional()
  .describe(
    'Whether an export put apostrophes before cells that a spreadsheet would run: they are removed. Left out: as the manifest.json next to the file says.',
  );

/** Whether the cells of a file are guarded, and what to say of it. */
export interface Guard {
  readonly guarded: boolean;
  readonly notes: readonly string[];
}

const mostManifestBytes = 64 * 1024 * 1024;

const manifestSchema = z.object({
  files: z.array(z.looseObject({ name: z.string(), guarded: z.boolean().optional() })),
});

/**
 * Whether an input's cells are guarded: as it is stated, else as the manifest beside the file says. A file that was edited
 * since is guarded all the same, for a spreadsheet keeps the apostrophes.
 */
export async function guardOf(stated: boolean | undefined, input: SourceInput): Promise<Guard> {
  if (stated !== undefined) return { guarded: stated, notes: [] };
  // What lies in an archive has nothing beside it that was read.
  if (input.path === '-' || input.member !== undefined || !(await isListed(input.path)))
    return { guarded: false, notes: [] };
  const note =
    'The manifest.json next to the file says that its cells are guarded: the apostrophes before what a spreadsheet would run are removed. To keep them, set "guarded: false".';
  return { guarded: true, notes: [note] };
}

async function isListed(path: string): Promise<boolean> {
  const guarded = await guardedIn(dirname(path));
  return guarded.has(basename(path)) || guarded.has(basename(path).replace(/\.gz$/i, ''));
}

const none: ReadonlySet<string> = new Set();

/** The manifest that was read last: a folder may have ten thousand files beside it. */
let last:
  | { readonly path: string; readonly stamp: string; readonly guarded: ReadonlySet<string> }
  | undefined;

/** The guarded files of the manifest of an export; none where there is no manifest, or where the file of that name is something else. */
async function guardedIn(folder: string): Promise<ReadonlySet<string>> {
  const path = join(folder, 'manifest.json');
  try {
    const { size, mtimeMs, ino } = await stat(path);
    const stamp = `${size} ${mtimeMs} ${ino}`;
    if (last?.path !== path || last.stamp !== stamp) last = { path, stamp, guarded: await readGuarded(path) };
    return last.guarded;
  } catch (error) {
    if (isMissing(error)) return none;
    return await orExplain(path, Promise.reject(error));
  }
}

async function readGuarded(path: string): Promise<ReadonlySet<string>> {
  const text = (await readRegularFile(path, mostManifestBytes)).toString();
  const files = readJson(text, manifestSchema)?.files ?? [];
  return new Set(files.flatMap(({ name, guarded }) => (guarded === true ? [name] : [])));
}
