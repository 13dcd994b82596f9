import { join } from 'node:path';
import { countRows, lastRunOf } from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { writeRunFiles } from '../report/index.ts';
import { commandLine } from '../report/next-steps.ts';
import type { RunReport } from '../report/run-files.ts';
import type { ImportEnd } from '../runs/import/import.ts';
import { shownWorkDir } from './work-dir.ts';

/** Writes the files of a run that has ended, closes its journal, and says which steps of it are still deferred. */
export async function writeImportFiles(
  end: ImportEnd,
  options: {
    readonly workDir: string;
    /** Steps that the pipeline defers. */
    readonly deferred: readonly string[];
    readonly readsLists: boolean;
    readonly scrub: (text: string) => string;
  },
): Promise<RunReport & { readonly deferred: readonly string[] }> {
  const { file, run } = end;
  const workDir = shownWorkDir(options.workDir);
  try {
    const runDir = join(options.workDir, 'runs', run.id);
    const deferred = stillDeferred(end, options.deferred);
    const { scrub, readsLists } = options;
    const report = await writeRunFiles({ file, run, runDir, scrub, deferred, readsLists, workDir });
    return { ...report, deferred };
  } catch (trouble) {
    if (trouble instanceof FatalError) throw trouble;
    const detail = trouble instanceof Error ? trouble.message : String(trouble);
    throw new FatalError(
      'unexpected',
      `the files of run ${run.id} could not be written (${detail}); what was done is in the journal.`,
      { next: commandLine(['status', run.id], { workDir }), cause: trouble },
    );
  } finally {
    file.close();
  }
}

/** The steps that are still deferred for the rows of a run, as far as the journal can tell. */
function stillDeferred({ file, run }: ImportEnd, deferred: readonly string[]): readonly string[] {
  if (run.state !== 'finished' || run.selection.kind === 'deferred') return [];
  const { created, updated, merged, unchanged } = countRows(file, run);
  if (created + updated + merged > 0) return deferred;
  const caughtUp = lastRunOf(file, { ...run, selection: { kind: 'deferred' } });
  return unchanged > 0 && caughtUp?.state !== 'finished' ? deferred : [];
}
