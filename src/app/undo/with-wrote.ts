import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalFile, RunRecord } from '../../journal/index.ts';
import { makeSpooledFolder } from '../../storage/spool.ts';
import { findUnfinishedUndo } from './begin.ts';
import { collectWrittenValues, type WrittenValues } from './written-values.ts';

/**
 * Works with the writes of a run, in a file that is deleted afterwards; its unfinished undo, which continues, is no
 * later run.
 */
export async function withWrittenValues<T>(
  file: JournalFile,
  workDir: string,
  run: RunRecord,
  work: (wrote: WrittenValues) => Promise<T>,
): Promise<T> {
  const folder = await makeSpooledFolder(join(workDir, 'spool'));
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
