import { copyJournal } from '../../journal/index.ts';
import { copyBoundPlans } from './agreed-plan.ts';
import { copyRunIndexes } from './scan.ts';

/**
 * Copies to a folder all that an import reads in a work dir: the journal, the plans that unfinished runs apply, and the
 * indexes of their inputs.
 */
export async function copyWorkDir(workDir: string, folder: string): Promise<void> {
  await copyJournal(workDir, folder);
  await copyBoundPlans(workDir, folder);
  await copyRunIndexes(workDir, folder);
}
