import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import { computeFileSha256 } from '../../storage/checksum.ts';
import { tryParseJson } from '../../storage/json.ts';
import { readRegularFile } from '../../storage/regular-file.ts';

const manifestName = 'manifest.json';
const mostManifestBytes = 64 * 1024 * 1024;

const manifestSchema = z.object({
  pipeline: z.string(),
  run: z.string(),
  finishedAt: z.string(),
  // Only names without a path, so that a forged manifest cannot name files outside of the folder.
  files: z.array(
    z.object({
      name: z.string().refine((name) => basename(name) === name),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
});

/** The verdict on a file of an export's folder, compared with the manifest. */
export interface FileCheckResult {
  readonly name: string;
  /** `notListed`: the file is not in the manifest. */
  readonly verdict: 'matched' | 'different' | 'missing' | 'notListed';
  /** The reason for the verdict, in a clause; null for `matched` and `notListed`. */
  readonly reason: string | null;
}

/** The verdicts on all files of an export's folder. */
export interface FolderCheckResult {
  readonly folder: string;
  readonly run: string;
  readonly pipeline: string;
  /** The time the export was complete (ISO 8601). */
  readonly finishedAt: string;
  readonly files: readonly FileCheckResult[];
}

/** True if the path is a folder with a file manifest.json. */
export function isExportFolder(path: string): boolean {
  const manifest = join(path, manifestName);
  return existsSync(manifest) && statSync(manifest).isFile();
}

/**
 * Compares every file of an export's folder with the size and checksum in its manifest; throws a FatalError (input) if
 * the manifest is damaged.
 */
export async function checkExportFolder(folder: string): Promise<FolderCheckResult> {
  const { run, pipeline, finishedAt, files } = await manifestOf(folder);
  const checked: FileCheckResult[] = [];
  for (const file of files) checked.push(await checkFile(folder, file));
  const known = new Set([manifestName, ...files.map(({ name }) => name)]);
  const others = readdirSync(folder).filter((name) => !known.has(name));
  const notListed = others.map((name) => ({ name, verdict: 'notListed', reason: null }) as const);
  return { folder, run, pipeline, finishedAt, files: [...checked, ...notListed] };
}

async function checkFile(
  folder: string,
  { name, bytes, sha256 }: z.output<typeof manifestSchema>['files'][number],
): Promise<FileCheckResult> {
  const path = join(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  // Reading a pipe would block until its writer ends.
  if (found?.isFile() !== true) return { name, verdict: 'missing', reason: 'it is not there' };
  if (found.size !== bytes) {
    const reason = `it has ${found.size.toLocaleString('en-US')} bytes, not ${bytes.toLocaleString('en-US')}`;
    return { name, verdict: 'different', reason };
  }
  const isSame = (await computeFileSha256(path)) === sha256;
  return isSame
    ? { name, verdict: 'matched', reason: null }
    : { name, verdict: 'different', reason: 'its checksum is another one' };
}

async function manifestOf(folder: string): Promise<z.output<typeof manifestSchema>> {
  const path = join(folder, manifestName);
  const text = (await readRegularFile(path, mostManifestBytes)).toString();
  const manifest = tryParseJson(text, manifestSchema);
  if (manifest !== undefined) return manifest;
  throw new FatalError('input', 'this is not the manifest of an export: it may be damaged.', {
    place: { file: path },
    next: 'Restore the folder from a copy, or export again.',
  });
}
