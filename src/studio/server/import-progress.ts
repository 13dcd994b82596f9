import { existsSync, statSync } from 'node:fs';
import { getRunById, withJournal } from '../../app/run/find-run.ts';
import type { Verification } from '../../app/verify/report/verification.ts';
import { countQuestions } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { countOpenRowsOfImport, isUndone, listLaterRuns } from '../wire/later-runs.ts';
import type { ImportWorkflowProgress, RunListEntry, WorkDirActivity } from '../wire/runs.ts';
import { getPlanPath, readPlanCreationTime } from './plans/plan-files.ts';
import type { ProjectPathResolver } from './project.ts';
import { getVerificationPath, readVerification } from './run-folder.ts';
import type { yamlJobs } from './yaml/yaml-jobs.ts';
import type { YamlWorker } from './yaml/yaml-work.ts';

type PipelineQuestions = Awaited<ReturnType<(typeof yamlJobs)['questions']>>;

/** How a mapping fits the input of its pipeline. */
export type MappingFit = 'fits' | 'lacksColumns' | 'losesColumn';

interface ProgressContext {
  readonly files: ProjectPathResolver;
  readonly yaml: YamlWorker;
  /** Finds how the mapping (an absolute path) fits the input of the pipeline. */
  findFit(mapping: string): Promise<MappingFit>;
}

/** Reads how far imports have come; parses a pipeline and its mapping again only after one of them has changed. */
export class ImportWorkflowProgressReader {
  readonly #parsed = new Map<string, { readonly version: string; readonly found: PipelineQuestions }>();
  /** How the mapping of a pipeline fits its input, by the file of the pipeline. */
  readonly #fits = new Map<string, { readonly version: string; fit: MappingFit }>();

  /** Returns a text that changes with the files of an import: its pipeline, mapping, plan and verification. */
  version(pipeline: string, { runs }: Pick<WorkDirActivity, 'runs'>, files: ProjectPathResolver): string {
    const file = files.place(pipeline);
    const found = this.#parsed.get(file)?.found;
    const [run] = listImports(runs, found?.pipeline);
    const verifications = runsToVerify(runs, run).map((each) => getVerificationPath(each, files));
    const versions = versionOf(file, found?.mapping ?? null, getPlanPath(files, pipeline), ...verifications);
    return `${versions},${versionOf(found?.input ?? null)},${this.#fits.get(file)?.fit}`;
  }

  /** Returns how far the import of a pipeline has come; null if the pipeline cannot be read. */
  async read(
    pipeline: string,
    { runs }: Pick<WorkDirActivity, 'runs'>,
    { files, yaml, findFit }: ProgressContext,
  ): Promise<ImportWorkflowProgress | null> {
    const found = await this.#questions(files.place(pipeline), yaml);
    if (found === undefined) return null;
    const [run] = listImports(runs, found.pipeline);
    const checks = await Promise.all(runsToVerify(runs, run).map((each) => readVerification(each, files)));
    const plannedAt = readPlanCreationTime(files, pipeline);
    const hasNewerInput = run !== undefined && !hasImported(runs, found, files);
    const isComplete = found.isMappingValid && found.questions === 0;
    const fit = isComplete ? this.#fitOf(files.place(pipeline), found, findFit) : 'fits';
    return {
      pipeline,
      mapping: found.mapping === null ? null : (files.nameOfInner(found.mapping) ?? null),
      filters: found.filters,
      questions: found.questions,
      isMappingValid: found.isMappingValid && fit !== 'lacksColumns',
      losesColumn: fit === 'losesColumn',
      plannedAt,
      isPlanOutdated:
        plannedAt !== null &&
        [files.place(pipeline), found.mapping, found.input].some((path) => isChangedSince(path, plannedAt)),
      run: run ?? null,
      open: run === undefined ? 0 : countOpenRowsOfImport(runs, run.run),
      openQuestions: run === undefined ? 0 : countOpenQuestions(runs, run.run, files),
      isUndone: run !== undefined && isUndone(runs, run.run),
      hasNewerInput,
      verification: resultOf(checks),
    };
  }

  /** Returns how a mapping fits its input, which is found out in the background; until then, as far as is known. */
  #fitOf(
    file: string,
    { mapping, input }: PipelineQuestions,
    findFit: ProgressContext['findFit'],
  ): MappingFit {
    const version = versionOf(file, mapping, input);
    const known = this.#fits.get(file);
    if (known?.version === version) return known.fit;
    const found = { version, fit: known?.fit ?? 'fits' };
    this.#fits.set(file, found);
    if (mapping !== null)
      void findFit(mapping).then(
        (fit) => {
          found.fit = fit;
        },
        // A file is missing or cannot be read, which other views report.
        () => {},
      );
    return found.fit;
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

/** Returns true if an import of all rows has read the pipeline's file, or the pipeline reads none. */
function hasImported(
  runs: readonly RunListEntry[],
  { pipeline, input }: PipelineQuestions,
  files: ProjectPathResolver,
): boolean {
  if (input === null) return true;
  const named = (path: string): string => files.nameOfInner(path) ?? path;
  const current = named(input);
  // An input in a folder or an archive has the name of its member, too.
  return listImports(runs, pipeline).some(({ input: read }) => `${named(read)}/`.startsWith(`${current}/`));
}

/** Returns the number of questions of an import and of its later runs that no run has applied an answer to. */
function countOpenQuestions(
  runs: readonly RunListEntry[],
  run: string,
  { workDir }: ProjectPathResolver,
): number {
  const ids = [run, ...listLaterRuns(runs, run).map((later) => later.run)];
  return withJournal(workDir, (file) =>
    ids.reduce((n, id) => n + countQuestions(file, getRunById(file, workDir, id).number).open, 0),
  );
}

/** Returns the worst result of several verifications; null if there is none. */
function resultOf(
  checks: readonly (Pick<Verification, 'contacts' | 'exitCode'> | null)[],
): ImportWorkflowProgress['verification'] {
  const results = checks.map((check) => {
    if (check === null) return null;
    const { different, missing, unread } = check.contacts;
    if (different + missing + unread > 0) return 'different';
    return check.exitCode === 0 ? 'asWritten' : 'incomplete';
  });
  if (results.every((each) => each === null)) return null;
  if (results.includes('different')) return 'different';
  if (results.includes(null)) return 'partly';
  return results.includes('incomplete') ? 'incomplete' : 'asWritten';
}

/** Returns true if the file was changed after that time (ISO 8601, UTC). */
function isChangedSince(path: string | null, time: string): boolean {
  const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtime.toISOString() > time;
}

/** Returns the imports of all rows by a pipeline, the newest first. */
function listImports(
  runs: readonly RunListEntry[],
  name: string | null | undefined,
): readonly RunListEntry[] {
  return runs.filter(
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
