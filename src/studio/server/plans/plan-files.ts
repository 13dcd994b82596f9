import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { readStoredPlanSummary } from '../../../app/plan/diff.ts';
import { isPlanHeader, loadPlanFacts, openPlanFile } from '../../../app/run/plan-file.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { nonBlockingReadFlags } from '../../../storage/regular-file.ts';
import type { SqliteConnection } from '../../../storage/sqlite.ts';
import type { StoredPlanEntry } from '../../wire/plans.ts';
import { HttpError } from '../http-error.ts';
import type { ProjectPathResolver } from '../project.ts';

const deepest = 4;
const mostFiles = 2_000;

/** Folders of a work dir whose databases are not stored plans. */
const ofRuns = new Set(['spool', 'runs', 'locks', 'exports', 'rehearsals', 'studio']);

/** Returns the stored plans of a pipeline in the project and its work dir, newest first. */
export function listStoredPlans(files: ProjectPathResolver, pipeline: string): readonly StoredPlanEntry[] {
  const places = [
    ...databases(files.folder, (name) => !name.startsWith('.') && name !== 'node_modules'),
    ...databases(files.workDir, (name) => !ofRuns.has(name)),
  ];
  return [...new Set(places)]
    .filter(isPlan)
    .flatMap((path) => planLine(files.named(path), path, pipeline) ?? [])
    .sort((a, b) => (a.madeAt < b.madeAt ? 1 : -1));
}

/** Returns the path at which the studio keeps the plan of a pipeline. */
export function getPlanPath({ workDir }: ProjectPathResolver, pipeline: string): string {
  return join(workDir, 'plans', `${basename(pipeline, extname(pipeline))}.db`);
}

/**
 * Returns when the plan that the studio keeps of a pipeline was made (ISO 8601, UTC), by the time of its file; null for
 * none.
 */
export function readPlanCreationTime(files: ProjectPathResolver, pipeline: string): string | null {
  const found = statSync(getPlanPath(files, pipeline), { throwIfNoEntry: false });
  return found === undefined ? null : found.mtime.toISOString();
}

/** Opens a stored plan of the project, and closes it after `look`. */
export function withStoredPlan<T>(
  files: ProjectPathResolver,
  path: string,
  look: (file: SqliteConnection) => T,
): T {
  const file = openPlanFile(files.existing(path));
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** Reads the summary of a stored plan; throws an HttpError (422) for a plan of an older version. */
export function requireStoredPlanSummary(file: SqliteConnection) {
  const kept = readStoredPlanSummary(file);
  if (kept !== undefined) return kept;
  throw new HttpError(422, 'This plan was kept by an older version, which kept less of it.', {
    next: 'Make it again.',
  });
}

function planLine(name: string, path: string, pipeline: string): StoredPlanEntry | undefined {
  try {
    const file = openPlanFile(path);
    try {
      const { pipeline: of, target, madeAt } = loadPlanFacts(file);
      return of === pipeline ? { path: name, target, madeAt: new Date(madeAt).toISOString() } : undefined;
    } finally {
      file.close();
    }
  } catch (error) {
    // A plan of another version or a removed one is not listed.
    if (error instanceof FatalError) return undefined;
    throw error;
  }
}

function* databases(top: string, enters: (name: string) => boolean): Generator<string> {
  const open = [{ folder: top, depth: 0 }];
  let seen = 0;
  for (let at = open.shift(); at !== undefined && seen < mostFiles; at = open.shift()) {
    for (const entry of entriesOf(at.folder)) {
      const path = join(at.folder, entry.name);
      if (entry.isDirectory() && at.depth < deepest && enters(entry.name))
        open.push({ folder: path, depth: at.depth + 1 });
      if (!entry.isFile() || !/\.(db|sqlite|plan)$/i.test(entry.name)) continue;
      seen += 1;
      yield path;
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // The folder is missing or not readable.
    return [];
  }
}

function isPlan(path: string): boolean {
  try {
    const descriptor = openSync(path, nonBlockingReadFlags);
    try {
      const head = Buffer.alloc(100);
      readSync(descriptor, head);
      return isPlanHeader(head);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // An unreadable file is not a plan for this user.
    return false;
  }
}
