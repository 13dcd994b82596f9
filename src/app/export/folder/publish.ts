import { existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Hint } from '../../../model/command.ts';
import { isDiskFullError, noDiskSpaceError } from '../../../storage/room.ts';
import { cannotWrite, makeFolder } from './make-folder.ts';
import { type Manifest, manifestName, readManifest } from './manifest.ts';

/** The name of a local workspace, whatever its port. */
const rehearsal = 'sandbox';

/** A complete export of a pipeline, in its place. */
export interface CompleteExport {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Fills an empty folder (0700), which replaces the one of an earlier attempt. Where that fails the folder is removed,
 * so that half-written files do not keep a disk full; `next` is the command that writes it again.
 */
export async function fillPartFolder<T>(part: string, next: Hint, fill: () => Promise<T>): Promise<T> {
  try {
    emptyFolder(part, next);
    return await fill();
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw isDiskFullError(error) ? noDiskSpaceError(dirname(part), error, next) : error;
  }
}

function emptyFolder(path: string, next: Hint): void {
  try {
    rmSync(path, { recursive: true, force: true });
    makeFolder(path);
  } catch (error) {
    throw isDiskFullError(error) ? error : cannotWrite(dirname(path), error, next);
  }
}

/** Moves a finished folder into place durably: readers see nothing or all of it. */
export async function moveIntoPlace(part: string, path: string): Promise<void> {
  await syncFolder(part);
  renameSync(part, path);
  await syncFolder(dirname(path));
}

/**
 * Points `latest` at a folder beside it; atomically, so that it is never dangling. A rehearsal does not replace an
 * export of a real workspace: returns false where it was left.
 */
export async function updateLatestLink(path: string, workspace: string): Promise<boolean> {
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

/** The pipeline and workspace of exports: those of a rehearsal and of the real workspace may be in one folder. */
type Whose = Pick<Manifest, 'pipeline' | 'workspace'>;

function isOf(manifest: Manifest, { pipeline, workspace }: Whose): boolean {
  return manifest.pipeline === pipeline && manifest.workspace === workspace;
}

/** Returns the complete exports of a pipeline from a workspace in a folder, the newest first. */
function completeExports(parent: string, whose: Whose): CompleteExport[] {
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
 * Removes complete exports of the pipeline from this workspace beyond the newest `keep`, except those that a kept one
 * follows; returns the names of those removed. Nothing else in the folder is touched.
 */
export async function removeOlderExports(parent: string, whose: Whose, keep: number): Promise<string[]> {
  const all = completeExports(parent, whose);
  const needed = new Set(all.slice(0, keep).map(({ manifest }) => manifest.run));
  // Newest first: an export that a needed one follows is needed, too.
  for (const { manifest } of all) {
    if (needed.has(manifest.run) && manifest.follows !== null) needed.add(manifest.follows.run);
  }
  const removed = all.filter(({ manifest }) => !needed.has(manifest.run)).map(({ folder }) => folder);
  for (const folder of halfRemoved(parent, whose)) removeHalfRemoved(folder);
  for (const folder of removed) {
    // Renamed first: a half-removed folder is no complete export, and must not look like one.
    const moved = join(parent, `.${basename(folder)}${removedSuffix}`);
    renameSync(folder, moved);
    await syncFolder(parent);
    removeHalfRemoved(moved);
  }
  return removed.map((folder) => basename(folder));
}

const removedSuffix = '.removed';

/**
 * Returns folders that a killed process had begun to remove: the manifest is removed last and identifies their
 * export.
 */
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
    if (name !== manifestName) rmSync(join(folder, name), { recursive: true, force: true });
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
