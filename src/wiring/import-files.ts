import { join } from 'node:path';
import { countRows, lastRunOf } from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { writeRunFiles } from '../report/index.ts';
import { commandLine } from '../report/next-steps.ts';
import type { RunReport } from '../report/run-files.ts';
import type { ImportEnd } from '../runs/import/import.ts';
import { shownWorkDir } from './work-dir.ts';

/** Writes the files of a run that has ended, closes its journal, and says what the pipeline still holds back of it. */
export async function writeImportFiles(
  end: ImportEnd,
  options: {
    readonly workDir: string;
    /** Steps that the pipeline holds back. */
    readonly hold: readonly string[];
    readonly readsLists: boolean;
    readonly scrub: (text: string) => string;
  },
): Promise<RunReport & { readonly held: readonly string[] }> {
  const { file, run } = end;
  const workDir = shownWorkDir(options.workDir);
  try {
    const runDir = join(options.workDir, 'runs', run.id);
    const held = stepsHeld(end, options.hold);
    const { scrub, readsLists } = options;
    const report = await writeRunFiles({ file, run, runDir, scrub, held, readsLists, workDir });
    return { ...report, held };
  } catch (trouble) {
    if (trouble instanceof FatalError) throw trouble;
    const detail = trouble instanceof Error ? trouble.message : String(trouble);
    throw new FatalError(
      'unexpected',
      `the files of run ${run.id} could not be written (${detail}); what was done stands in the journal.`,
      { next: commandLine(['status', run.id], { workDir }), cause: trouble },
    );
  } finally {
    file.close();
  }
}

/** The steps that are still held back from the rows of a run, as far as the journal can tell. */
function stepsHeld({ file, run }: ImportEnd, hold: readonly string[]): readonly string[] {
  if (run.state !== 'finished' || run.selection.kind === 'held') return [];
  const { created, updated, merged, unchanged } = countRows(file, run);
  if (created + updated + merged > 0) return hold;
  const carriedOut = lastRunOf(file, { ...run, selection: { kind: 'held' } });
  return unchanged > 0 && carriedOut?.state !== 'finished' ? hold : [];
}
