import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
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
  const manifest = await manifestIn(dirname(path));
  const names = [basename(path), basename(path).replace(/\.gz$/i, '')];
  return manifest?.files.some(({ name, guarded }) => guarded === true && names.includes(name)) === true;
}

/** The manifest of an export; undefined where there is none, or where the file of that name is something else. */
async function manifestIn(folder: string): Promise<z.output<typeof manifestSchema> | undefined> {
  const path = join(folder, 'manifest.json');
  try {
    const text = (await readRegularFile(path, mostManifestBytes)).toString();
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    return await orExplain(path, Promise.reject(error));
  }
}
