import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { tryParseJson } from '../storage/json.ts';
import { readRegularFile } from '../storage/regular-file.ts';
import { isNotFoundError, withInputErrors } from './plain-file.ts';
import type { SourceInput } from './source-format.ts';

/** The option `guarded` of the formats that spreadsheet programs open. */
export const formulaGuardOption = z
  .boolean()
  .optional()
  .describe(
    'Whether an export put apostrophes before cells that a spreadsheet would run: they are removed. Left out: as the manifest.json next to the file says.',
  );

/**
 * The result of `detectFormulaGuard`; `guarded` is true if an apostrophe precedes each cell that looks like a formula.
 */
export interface DetectedFormulaGuard {
  readonly guarded: boolean;
  readonly notes: readonly string[];
}

const mostManifestBytes = 64 * 1024 * 1024;

const manifestSchema = z.object({
  files: z.array(z.looseObject({ name: z.string(), guarded: z.boolean().optional() })),
});

/**
 * Detects whether cells are guarded: by the option `stated`, else by the manifest.json beside the file. The manifest
 * counts even if the file was edited, because spreadsheet programs keep the apostrophes.
 */
export async function detectFormulaGuard(
  stated: boolean | undefined,
  input: SourceInput,
): Promise<DetectedFormulaGuard> {
  if (stated !== undefined) return { guarded: stated, notes: [] };
  // A member of an archive has no manifest beside it.
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

/** The manifest that was read last. It is cached, because up to ten thousand files of a folder are looked up in it. */
let last:
  | { readonly path: string; readonly stamp: string; readonly guarded: ReadonlySet<string> }
  | undefined;

/** Returns the names of the guarded files in a folder's manifest.json; empty if there is no valid one. */
async function guardedIn(folder: string): Promise<ReadonlySet<string>> {
  const path = join(folder, 'manifest.json');
  try {
    const { size, mtimeMs, ino } = await stat(path);
    const stamp = `${size} ${mtimeMs} ${ino}`;
    if (last?.path !== path || last.stamp !== stamp) last = { path, stamp, guarded: await readGuarded(path) };
    return last.guarded;
  } catch (error) {
    if (isNotFoundError(error)) return none;
    return await withInputErrors(path, Promise.reject(error));
  }
}

async function readGuarded(path: string): Promise<ReadonlySet<string>> {
  const text = (await readRegularFile(path, mostManifestBytes)).toString();
  const files = tryParseJson(text, manifestSchema)?.files ?? [];
  return new Set(files.flatMap(({ name, guarded }) => (guarded === true ? [name] : [])));
}
