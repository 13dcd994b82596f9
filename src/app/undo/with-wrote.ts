import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalDatabase, RunRecord } from '../../journal/index.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import { findUnfinishedUndo } from './begin.ts';
import { collectWrittenValues, type WrittenValueStore } from './written-values.ts';

/**
 * Calls `work` with the values that a run wrote, in a scratch database that is removed afterwards. Writes of the run's
 * unfinished undo are left out.
 */
export async function withWrittenValues<T>(
  file: JournalDatabase,
  workDir: string,
  run: RunRecord,
  work: (wrote: WrittenValueStore) => Promise<T>,
): Promise<T> {
  const folder = await makeTemporarySpoolFolder(join(workDir, 'spool'));
  try {
    const wrote = await collectWrittenValues(
      file,
      join(folder, 'wrote.db'),
      run,
      findUnfinishedUndo(file, run)?.number,
    );
    return await work(wrote).finally(() => wrote.file.close());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
