import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PreviewInput } from '../../app/preview/given-input.ts';
import type { PipelineInput } from '../../app/preview/pipeline-input.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { ProjectImport } from '../wire/inputs.ts';
import type { PreviewJob } from '../wire/jobs.ts';
import { listLostTargets } from '../wire/lost-targets.ts';
import type { MappingInput, MappingUse } from '../wire/mapping.ts';
import { HttpError } from './http-error.ts';
import type { MappingFit } from './import-progress.ts';
import { listProjectFiles, readFileFacts } from './list-files.ts';
import type { ProjectPathResolver } from './project.ts';
import type { StudioContext } from './studio.ts';
import { assertYamlPath, readTextFile } from './yaml/yaml-file.ts';

/** Returns the import pipelines of the project that use the mapping at `path`, each with its input. */
export async function findMappingUses(path: string, studio: StudioContext): Promise<readonly MappingUse[]> {
  const { files } = studio;
  const mapping = files.existing(path);
  return (await readPipelineInputs(studio))
    .filter(({ named }) => named.mapping !== null && placeOf(named.mapping, files) === mapping)
    .map(({ pipeline, input }) => ({ pipeline, input: input ? files.named(input) : null }));
}

/** Returns the imports of the project that read a file of it. */
export async function listProjectImports(studio: StudioContext): Promise<readonly ProjectImport[]> {
  const { files, yaml } = studio;
  const found = (await readPipelineInputs(studio)).flatMap(({ pipeline, input }) =>
    input === undefined ? [] : [{ pipeline, input }],
  );
  return await Promise.all(
    found.map(async ({ pipeline, input }) => ({
      ...{ pipeline, input: files.named(input) },
      name: (await yaml.run('questions', { file: files.existing(pipeline) })).pipeline,
      changedAt: existsSync(input) ? readFileFacts(input).changedAt : null,
    })),
  );
}

/** Returns the job that finds the imports whose current input has most of its columns in common with another file. */
export async function createSimilarImportsJob(
  input: PreviewInput,
  studio: StudioContext,
): Promise<PreviewJob> {
  const { spoolDir } = input;
  const imports = (await readPipelineInputs(studio)).flatMap(({ pipeline, named, input: path }) =>
    named.input === null || path === undefined || path === input.path
      ? []
      : [{ pipeline, current: { path, spoolDir, as: named.input.as } }],
  );
  return { kind: 'similarImports', input, imports };
}

/**
 * Returns the job that compares a file with the input of a pipeline. Throws an HttpError for a pipeline that names no
 * mapping or no file (422), and for a mapping outside of the project (403) or a missing one (404).
 */
export async function createNewerInputJob(
  input: PreviewInput,
  pipeline: string,
  { files, yaml }: StudioContext,
): Promise<PreviewJob> {
  assertYamlPath(pipeline);
  const file = files.existing(pipeline);
  const text = await readTextFile(file);
  const named = await yaml.run('input', { file });
  if (named.input === null || named.mapping === null) throw namesNoFile(pipeline);
  const mapping = files.existing(files.named(named.mapping));
  const current = { ...named.input, spoolDir: input.spoolDir };
  const of = {
    pipeline: { ...text, file },
    mapping: { file: files.named(mapping), text: (await readTextFile(mapping)).text },
    current,
  };
  return { kind: 'newer', input, of };
}

/** Returns each import pipeline with what it names, and the absolute path of its input if that is in the project. */
async function readPipelineInputs({ files, yaml }: StudioContext) {
  const listed = listProjectFiles(files).files.filter(({ kind }) => kind === 'import');
  return await Promise.all(
    listed.map(async ({ path: pipeline }) => {
      const named = await namedIn(files.existing(pipeline), yaml);
      return { pipeline, named, input: named.input === null ? undefined : placeOf(named.input.path, files) };
    }),
  );
}

/**
 * Returns the input of a mapping request. Throws an HttpError for a file outside of the project (403) or a missing one
 * (404), and for a pipeline that names no file (422).
 */
export async function resolveMappingInput(
  input: MappingInput,
  { files, yaml }: StudioContext,
): Promise<PreviewInput> {
  const spoolDir = join(files.workDir, 'spool');
  if (input.kind === 'file') return { path: files.existing(input.path), spoolDir };
  const named = await yaml.run('input', { file: files.existing(input.path) });
  if (named.input === null) throw namesNoFile(input.path);
  return { path: files.existing(files.named(named.input.path)), spoolDir, as: named.input.as };
}

/** Returns the mapping and input of a pipeline; null for both if the file cannot be read. */
async function namedIn(file: string, yaml: StudioContext['yaml']): Promise<PipelineInput> {
  try {
    return await yaml.run('input', { file });
  } catch (error) {
    if (error instanceof FatalError) return { mapping: null, input: null };
    throw error;
  }
}

/** Returns a path without symbolic links; undefined for one outside of the project. */
function placeOf(path: string, files: ProjectPathResolver): string | undefined {
  try {
    return files.place(files.named(path));
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

function namesNoFile(pipeline: string): HttpError {
  return new HttpError(422, `${pipeline} does not name a file to read.`, {
    next: 'Choose a file of the project instead.',
  });
}

/**
 * Returns how the mapping at an absolute path fits the input of a pipeline: whether the input lacks a column that it
 * reads, or every value of a column is lost. No more rows are read once each column has kept a value.
 */
export async function findMappingFit(
  pipeline: string,
  mapping: string,
  studio: StudioContext,
): Promise<MappingFit> {
  const input = await resolveMappingInput({ kind: 'pipeline', path: pipeline }, studio);
  const { text } = await readTextFile(mapping);
  const job = { kind: 'counts', input, mapping: { text, file: mapping } } as const;
  // Leaving the loop ends the job.
  for await (const event of studio.jobs.run(job, new AbortController().signal)) {
    if (event.kind === 'refused') return event.place?.file === mapping ? 'lacksColumns' : 'fits';
    if (event.kind !== 'counts') continue;
    const isLost = listLostTargets(event.counts).length > 0;
    if (!isLost || event.counts.done) return isLost ? 'losesColumn' : 'fits';
  }
  return 'fits';
}
