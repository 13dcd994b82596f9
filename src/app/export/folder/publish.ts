import { existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Hint } from '../../../model/command.ts';
import { isDiskFullError, toExportDiskFullError } from '../../../storage/room.ts';
import { createNotWritableError, createPrivateFolder } from './make-folder.ts';
import { type Manifest, manifestFileName, readManifest } from './manifest.ts';

/** The workspace that the manifest names for an export of the sandbox, whatever the sandbox's port is. */
const rehearsal = 'sandbox';

/** A published export: its complete folder, in place, and its manifest. */
export interface PublishedExport {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Creates an empty folder (mode 0700), replacing one of an earlier attempt, and calls `fill`. An error removes the
 * folder, to free disk space; `next` is the command that writes it again.
 */
export async function fillTemporaryFolder<T>(part: string, next: Hint, fill: () => Promise<T>): Promise<T> {
  try {
    emptyFolder(part, next);
    return await fill();
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw isDiskFullError(error) ? toExportDiskFullError(dirname(part), error, next) : error;
  }
}

function emptyFolder(path: string, next: Hint): void {
  try {
    rmSync(path, { recursive: true, force: true });
    createPrivateFolder(path);
  } catch (error) {
    throw isDiskFullError(error) ? error : createNotWritableError(dirname(path), error, next);
  }
}

/** Renames a finished folder to its final path, durably: readers see nothing or all of it. */
export async function moveIntoPlace(part: string, path: string): Promise<void> {
  await syncFolder(part);
  renameSync(part, path);
  await syncFolder(dirname(path));
}

/**
 * Updates the link `latest` of an export that is in place, and removes the older exports that `keep` does not cover.
 * Returns what there is to say: an error of either does not fail the export.
 */
export async function tidyExports(
  { folder, manifest }: PublishedExport,
  keep: number | undefined,
): Promise<readonly string[]> {
  const notes: string[] = [];
  const noted = (what: string) => (error: unknown) => {
    notes.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  };
  const pointed = await updateLatestLink(folder, manifest.workspace).catch(
    noted('`latest` could not be set'),
  );
  if (pointed === false)
    notes.push('A rehearsal: `latest` still points to the newest export of the real workspace.');
  if (keep === undefined) return notes;
  const older = removeOlderExports(dirname(folder), manifest, keep);
  const removed = (await older.catch(noted('Older exports could not be removed'))) ?? [];
  if (removed.length > 0) notes.push(`Removed (keep: ${keep}): ${removed.join(', ')}.`);
  return notes;
}

/**
 * Points the link `latest` at a folder beside it, atomically. Returns false, and leaves the link, if it
 * points to an export of a real workspace and this export is of the sandbox.
 */
async function updateLatestLink(path: string, workspace: string): Promise<boolean> {
  const parent = dirname(path);
  const latest = readManifest(join(parent, 'latest'));
  if (workspace === rehearsal && latest !== undefined && latest.workspace !== rehearsal) return false;
  const moved = join(parent, '.latest.part');
  rmSync(moved, { force: true });
  symlinkSync(basename(path), moved);
  try {
    renameSync(moved, join(parent, 'latest'));
  } catch (error) {
    rmSync(moved, { force: true });
    throw error;
  }
  await syncFolder(parent);
  return true;
}

/** The pipeline and workspace of an export; the same folder may hold exports of other pipelines and workspaces. */
type Whose = Pick<Manifest, 'pipeline' | 'workspace'>;

function isOf(manifest: Manifest, { pipeline, workspace }: Whose): boolean {
  return manifest.pipeline === pipeline && manifest.workspace === workspace;
}

/** Returns the complete exports of a pipeline and workspace in a folder, the newest first. */
function completeExports(parent: string, whose: Whose): PublishedExport[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const folder = join(parent, name);
      const manifest = readManifest(folder);
      return manifest !== undefined && isOf(manifest, whose) ? [{ folder, manifest }] : [];
    })
    .sort((a, b) => (a.manifest.startedAt < b.manifest.startedAt ? 1 : -1));
}

/**
 * Keeps the newest `keep` complete exports of the pipeline and workspace, and the exports that these follow; removes
 * the others, and returns the names of their folders. The one just written is the newest, whatever the clock said before.
 */
async function removeOlderExports(parent: string, newest: Manifest, keep: number): Promise<string[]> {
  const all = completeExports(parent, newest);
  const follows = new Map(all.map(({ manifest }) => [manifest.run, manifest.follows?.run]));
  // An export that began after the newest one was written while the clock was ahead: by its date it would stay for ever.
  const isAhead = ({ manifest }: PublishedExport) => manifest.startedAt > newest.startedAt;
  const inOrder = [...all.filter((each) => !isAhead(each)), ...all.filter(isAhead)];
  const runs = new Set([newest.run, ...inOrder.map(({ manifest }) => manifest.run)]);
  const needed = new Set([...runs].slice(0, keep));
  // The set grows while it is read: an export that a needed one follows is needed, too.
  for (const run of needed) {
    const followed = follows.get(run);
    if (followed !== undefined) needed.add(followed);
  }
  const removed = all.filter(({ manifest }) => !needed.has(manifest.run)).map(({ folder }) => folder);
  for (const folder of halfRemoved(parent, newest)) removeHalfRemoved(folder);
  for (const folder of removed) {
    // Renamed first: a partly removed folder must not look like a complete export.
    const moved = join(parent, `.${basename(folder)}${removedSuffix}`);
    renameSync(folder, moved);
    await syncFolder(parent);
    removeHalfRemoved(moved);
  }
  return removed.map((folder) => basename(folder));
}

const removedSuffix = '.removed';

/** Returns the folders that an interrupted removal left. The manifest, which identifies the export, is removed last. */
function halfRemoved(parent: string, whose: Whose): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && entry.name.startsWith('.') && entry.name.endsWith(removedSuffix),
    )
    .map(({ name }) => join(parent, name))
    .filter((folder) => {
      const manifest = readManifest(folder);
      return manifest === undefined ? readdirSync(folder).length === 0 : isOf(manifest, whose);
    });
}

function removeHalfRemoved(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name !== manifestFileName) rmSync(join(folder, name), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
