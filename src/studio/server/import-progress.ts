import { existsSync, statSync } from 'node:fs';
import { FatalError } from '../../model/fatal-error.ts';
import { listLaterRuns } from '../wire/later-runs.ts';
import type { ImportWorkflowProgress, RunListEntry, WorkDirActivity } from '../wire/runs.ts';
import { getPlanPath, readPlanCreationTime } from './plans/plan-files.ts';
import type { ProjectPathResolver } from './project.ts';
import { getVerificationPath, readVerification } from './run-folder.ts';
import type { yamlJobs } from './yaml/yaml-jobs.ts';
import type { YamlWorker } from './yaml/yaml-work.ts';

type PipelineQuestions = Awaited<ReturnType<(typeof yamlJobs)['questions']>>;

/** Reads how far imports have come; parses a pipeline and its mapping again only after one of them has changed. */
export class ImportWorkflowProgressReader {
  readonly #parsed = new Map<string, { readonly version: string; readonly found: PipelineQuestions }>();

  /** Returns a text that changes with the files of an import: its pipeline, mapping, plan and verification. */
  version(pipeline: string, { runs }: Pick<WorkDirActivity, 'runs'>, files: ProjectPathResolver): string {
    const file = files.place(pipeline);
    const found = this.#parsed.get(file)?.found;
    const run = findImport(runs, found?.pipeline);
    const verifications = runsToVerify(runs, run).map((each) => getVerificationPath(each, files));
    return versionOf(file, found?.mapping ?? null, getPlanPath(files, pipeline), ...verifications);
  }

  /** Returns how far the import of a pipeline has come; null if the pipeline cannot be read. */
  async read(
    pipeline: string,
    { runs }: Pick<WorkDirActivity, 'runs'>,
    { files, yaml }: { readonly files: ProjectPathResolver; readonly yaml: YamlWorker },
  ): Promise<ImportWorkflowProgress | null> {
    const found = await this.#questions(files.place(pipeline), yaml);
    if (found === undefined) return null;
    const run = findImport(runs, found.pipeline);
    const checks = await Promise.all(
      runsToVerify(runs, run).map(async (each) => (await readVerification(each, files))?.exitCode ?? null),
    );
    const isWholeChecked = checks.length > 0 && !checks.includes(null);
    return {
      pipeline,
      mapping: found.mapping === null ? null : (files.nameOfInner(found.mapping) ?? null),
      questions: found.questions,
      plannedAt: readPlanCreationTime(files, pipeline),
      run: run ?? null,
      isUndone: runs.some(({ undo }) => undo !== undefined && undo.run === run?.run),
      verification: isWholeChecked ? Math.max(...checks.map(Number)) : null,
    };
  }

  async #questions(file: string, yaml: YamlWorker): Promise<PipelineQuestions | undefined> {
    if (!existsSync(file)) return undefined;
    const known = this.#parsed.get(file);
    // Taken before the files are read: a change in between is seen by the next call.
    const version = versionOf(file, known?.found.mapping ?? null);
    if (known?.version === version) return known.found;
    try {
      const found = await yaml.run('questions', { file });
      // A missing mapping may appear without a change of the pipeline; until then, each call parses the pipeline.
      this.#parsed.set(file, { version: found.mapping === null ? 'unknown' : version, found });
      return found;
    } catch (error) {
      if (!(error instanceof FatalError)) throw error;
      return undefined;
    }
  }
}

/** Returns the newest import of all rows by a pipeline. */
function findImport(
  runs: readonly RunListEntry[],
  name: string | null | undefined,
): RunListEntry | undefined {
  return runs.find(
    ({ kind, pipeline, selection }) => kind === 'import' && pipeline === name && selection.kind === 'all',
  );
}

/** Returns the ids of the runs that a verification of an import has to read back: its own and the later ones. */
function runsToVerify(runs: readonly RunListEntry[], run: RunListEntry | undefined): readonly string[] {
  if (run === undefined) return [];
  const later = listLaterRuns(runs, run.run).filter(({ state }) => state === 'finished');
  return [run, ...later].map((each) => each.run);
}

/** Returns a text that differs after a change of any of the files. */
function versionOf(...paths: readonly (string | null)[]): string {
  return paths
    .map((path) => {
      const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
      return `${found?.ino} ${found?.mtimeMs} ${found?.size}`;
    })
    .join();
}
