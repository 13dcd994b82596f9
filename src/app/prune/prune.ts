import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type JournalFile,
  listRuns,
  type OldRun,
  oldRuns,
  openJournalFile,
  pruneRun,
  takeAllLocks,
} from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import { compactDatabase } from '../../storage/sqlite.ts';
import { oldStudioFiles, type StudioFile } from './studio-files.ts';

export interface PruneJob {
  readonly workDir: string;
  /** What ended longer ago than this (ms) is old. */
  readonly olderMs: number;
  /** Also runs with rows that could still be retried. */
  readonly withOpen: boolean;
  readonly clock: Clock;
  readonly confirm: (found: OldFound) => Promise<boolean>;
}

/** What is old in a work dir. */
export interface OldFound {
  readonly goes: readonly OldRun[];
  /** Runs that stay for their open rows. */
  readonly stays: readonly OldRun[];
  /** What studios have kept that goes, too. */
  readonly studio: readonly StudioFile[];
}

/**
 * Removes old runs, their files, and what studios have kept; undefined where that was not confirmed. Throws a FatalError
 * 'locked' while a run works there. What a killed prune left is removed by the next.
 */
export async function prune(job: PruneJob): Promise<OldFound | undefined> {
  const { workDir, clock, confirm } = job;
  // Also where no run was yet: the first one is kept out, too, by a journal that is locked.
  const journal = openJournalFile(workDir);
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
      await removeAll([...pruned.map(({ id }) => ({ path: join(workDir, 'runs', id) })), ...found.studio]);
      compactDatabase(journal);
      return found;
    } finally {
      locks.release();
    }
  } finally {
    journal.close();
  }
}

function findOld(journal: JournalFile, { workDir, olderMs, withOpen, clock }: PruneJob): OldFound {
  const before = clock.now() - olderMs;
  const all = oldRuns(journal, before);
  const stays = withOpen ? [] : all.filter(({ open }) => open > 0);
  const goes = all.filter((old) => !stays.includes(old));
  const gone = new Set(goes.map(({ run }) => run.number));
  // A run that stays may read its input once more: a retry, a resume, or the next import of the file.
  const inputs = listRuns(journal, Number.MAX_SAFE_INTEGER).flatMap(
    ({ number, pruned, source, inputName }) =>
      pruned !== null || gone.has(number) ? [] : (source ?? inputName),
  );
  const isRead = (name: string): boolean => inputs.some((input) => input.includes(name));
  return { goes, stays, studio: oldStudioFiles(workDir, before, isRead) };
}

async function removeAll(files: readonly Pick<StudioFile, 'path'>[]): Promise<void> {
  for (const { path } of files) await rm(path, { recursive: true, force: true });
}
