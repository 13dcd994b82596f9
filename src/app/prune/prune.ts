import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type JournalDatabase,
  listPrunableRuns,
  listRuns,
  openJournalDatabase,
  type PrunableRun,
  pruneRun,
  takeAllLocks,
} from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import { localProcessProbe } from '../../report/liveness.ts';
import { compactDatabase } from '../../storage/sqlite.ts';
import { listFolderEntries, listPrunableEntries, type PrunableEntry } from '../forget/work-files.ts';

export interface PruneOptions {
  readonly workDir: string;
  /** The minimum age (ms): runs and commands that ended, and uploads that were last changed, longer ago are old. */
  readonly olderMs: number;
  /** True to include runs with rows that can still be retried. */
  readonly withOpen: boolean;
  readonly clock: Clock;
  readonly confirm: (found: PruneCandidates) => Promise<boolean>;
}

/** The old runs and files of a work dir that `prune` removes or keeps. */
export interface PruneCandidates {
  readonly goes: readonly PrunableRun[];
  /** Old runs that are kept because of their open rows. */
  readonly stays: readonly PrunableRun[];
  /** The studio's old uploads and its records of commands that ended; they are removed. */
  readonly studio: readonly PrunableEntry[];
}

/**
 * Removes old runs, their files, old files of the studio, and what an interrupted prune left; returns
 * undefined if not confirmed. Throws a FatalError (locked) while a run works there.
 */
export async function pruneWorkDir(job: PruneOptions): Promise<PruneCandidates | undefined> {
  const { workDir, clock, confirm } = job;
  // Creates a missing journal, because its lock also keeps the first run out of the work dir.
  const journal = openJournalDatabase(workDir);
  try {
    const locks = takeAllLocks(journal, workDir);
    try {
      const found = findOld(journal, job);
      if (!(await confirm(found))) return undefined;
      journal.pragma('secure_delete = ON');
      const removeRows = journal.transaction(() => {
        for (const { run } of found.goes) pruneRun(journal, run, clock.now());
      });
      removeRows.immediate();
      const pruned = listRuns(journal, Number.MAX_SAFE_INTEGER).filter((run) => run.pruned !== null);
      const ids = new Set(pruned.map(({ id }) => id));
      const folders = listPrunableEntries(workDir, 'run').filter(({ name }) => ids.has(name));
      for (const { path } of [...folders, ...found.studio]) await rm(path, { recursive: true, force: true });
      compactDatabase(journal);
      return found;
    } finally {
      locks.release();
    }
  } finally {
    journal.close();
  }
}

function findOld(
  journal: JournalDatabase,
  { workDir, olderMs, withOpen, clock }: PruneOptions,
): PruneCandidates {
  const before = clock.now() - olderMs;
  const all = listPrunableRuns(journal, before);
  const stays = withOpen ? [] : all.filter(({ open }) => open > 0);
  const goes = all.filter((old) => !stays.includes(old));
  const gone = new Set(goes.map(({ run }) => run.number));
  // A retry, a resume or the next import reads the input of a remaining run again.
  const inputs = listRuns(journal, Number.MAX_SAFE_INTEGER).flatMap(
    ({ number, pruned, source, inputName }) =>
      pruned !== null || gone.has(number) ? [] : (source ?? inputName),
  );
  const isRead = (name: string): boolean => inputs.some((input) => input.includes(name));
  return {
    goes,
    stays,
    studio: [
      ...listPrunableEntries(workDir, 'upload').filter(
        ({ path, name }) => changedAt(path) < before && !isRead(name),
      ),
      ...listPrunableEntries(workDir, 'command').filter(({ path }) => (endOf(path) ?? before) < before),
    ],
  };
}

/** Returns the time of the last change of a file, or of anything in a folder. */
function changedAt(path: string): number {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return Math.max(own.mtimeMs, ...listFolderEntries(path).map(({ name }) => changedAt(join(path, name))));
}

const record = z.object({ pid: z.int().nullable(), endedAt: z.string().nullable() });

/** Returns the time (ms since 1970) at which a command ended; undefined while it may be running. */
function endOf(folder: string): number | undefined {
  const { pid, endedAt } = recordIn(folder);
  if (endedAt !== null) return Date.parse(endedAt);
  // No studio recorded the end, so the time of the last change is used, unless the process is still alive.
  return pid !== null && localProcessProbe.alive(pid, 0) ? undefined : changedAt(folder);
}

function recordIn(folder: string): z.output<typeof record> {
  try {
    return record.parse(JSON.parse(readFileSync(join(folder, 'process.json'), 'utf8')));
  } catch {
    // `process.json` is missing or incomplete, or another version wrote it.
    return { pid: null, endedAt: null };
  }
}
