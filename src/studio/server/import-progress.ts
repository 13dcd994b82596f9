import { existsSync, statSync } from 'node:fs';
import { FatalError } from '../../model/fatal-error.ts';
import type { ImportProgress, WorkDirActivity } from '../wire/runs.ts';
import { getPlanPath, readPlanTime } from './plans/plan-files.ts';
import type { ProjectPathResolver } from './project.ts';
import type { yamlJobs } from './yaml/yaml-jobs.ts';
import type { YamlWorker } from './yaml/yaml-work.ts';

type PipelineQuestions = Awaited<ReturnType<(typeof yamlJobs)['questions']>>;

/** Reads how far imports have come; a pipeline and a mapping that have not changed since are not parsed again. */
export class ImportProgressReader {
  readonly #parsed = new Map<string, { readonly version: string; readonly found: PipelineQuestions }>();

  /** Returns a text that changes with the files of an import: its pipeline, mapping and plan. */
  version(pipeline: string, files: ProjectPathResolver): string {
    const file = files.place(pipeline);
    const mapping = this.#parsed.get(file)?.found.mapping ?? null;
    return versionOf(file, mapping, getPlanPath(files, pipeline));
  }

  /** Returns how far the import of a pipeline has come; null if the pipeline cannot be read. */
  async read(
    pipeline: string,
    { runs, processes }: Pick<WorkDirActivity, 'runs' | 'processes'>,
    { files, yaml }: { readonly files: ProjectPathResolver; readonly yaml: YamlWorker },
  ): Promise<ImportProgress | null> {
    const found = await this.#questions(files.place(pipeline), yaml);
    if (found === undefined) return null;
    const run = runs.find((each) => each.kind === 'import' && each.pipeline === found.pipeline);
    const verification = processes.find(
      ({ command }) => command.command === 'verify' && 'run' in command && command.run === run?.run,
    );
    return {
      pipeline,
      mapping: found.mapping === null ? null : (files.nameOfInner(found.mapping) ?? null),
      questions: found.questions,
      plannedAt: readPlanTime(files, pipeline),
      run: run === undefined ? null : { run: run.run, state: run.state, open: run.open },
      verification: verification?.exitCode ?? null,
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
      // A mapping that is missing may appear without a change of the pipeline.
      this.#parsed.set(file, { version: found.mapping === null ? 'unknown' : version, found });
      return found;
    } catch (error) {
      if (!(error instanceof FatalError)) throw error;
      return undefined;
    }
  }
}

/** Returns a text that is another one after a change of one of the files. */
function versionOf(...paths: readonly (string | null)[]): string {
  return paths
    .map((path) => {
      const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
      return `${found?.ino} ${found?.mtimeMs} ${found?.size}`;
    })
    .join();
}
