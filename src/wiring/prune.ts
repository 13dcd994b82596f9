import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listRuns, type OldRun, oldRuns, openJournalFile, pruneRun, takeAllLocks } from '../journal/index.ts';
import type { Clock } from '../model/ports.ts';
import { compactDatabase } from '../storage/sqlite.ts';

export interface PruneJob {
  readonly workDir: string;
  /** Runs that ended longer ago than this (ms) are old. */
  readonly olderMs: number;
  /** Also runs with rows that could still be retried. */
  readonly withOpen: boolean;
  readonly clock: Clock;
  readonly confirm: (found: OldRuns) => Promise<boolean>;
}

/** The old runs of a work dir: those that go, and those that stay for their open rows. */
export interface OldRuns {
  readonly goes: readonly OldRun[];
  readonly stays: readonly OldRun[];
}

/**
 * Removes old runs and their files; undefined where that was not confirmed. Throws a FatalError 'locked' while a run works
 * there. What a killed prune left is removed by the next.
 */
export async function prune(job: PruneJob): Promise<OldRuns | undefined> {
  const { workDir, clock } = job;
  const journal = openJournalFile(workDir);
  try {
    const locks = takeAllLocks(journal, workDir);
    try {
      const all = oldRuns(journal, clock.now() - job.olderMs);
      const stays = job.withOpen ? [] : all.filter(({ open }) => open > 0);
      const found = { goes: all.filter((old) => !stays.includes(old)), stays };
      if (!(await job.confirm(found))) return undefined;
      journal.pragma('secure_delete = ON');
      const removeRows = journal.transaction(() => {
        for (const { run } of found.goes) pruneRun(journal, run, clock.now());
      });
      removeRows.immediate();
      const pruned = listRuns(journal, Number.MAX_SAFE_INTEGER).filter((run) => run.pruned !== null);
      for (const { id } of pruned) await rm(join(workDir, 'runs', id), { recursive: true, force: true });
      compactDatabase(journal);
      return found;
    } finally {
      locks.release();
    }
  } finally {
    journal.close();
  }
}
