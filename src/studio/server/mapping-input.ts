import { join } from 'node:path';
import type { PreviewInput } from '../../app/preview/given-input.ts';
import type { PipelineInput } from '../../app/preview/pipeline-input.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { MappingInput, MappingUse } from '../wire/mapping.ts';
import { HttpError } from './http-error.ts';
import { listProjectFiles } from './list-files.ts';
import type { ProjectPathResolver } from './project.ts';
import type { StudioContext } from './studio.ts';

/** Returns the import pipelines of the project that use the mapping at `path`, each with its input. */
export async function findMappingUses(
  path: string,
  { files, yaml }: StudioContext,
): Promise<readonly MappingUse[]> {
  const mapping = files.existing(path);
  const uses: MappingUse[] = [];
  for (const { kind, path: pipeline } of listProjectFiles(files).files) {
    if (kind !== 'import') continue;
    const named = await namedIn(files.existing(pipeline), yaml);
    if (named.mapping === null || placeOf(named.mapping, files) !== mapping) continue;
    const input = named.input && placeOf(named.input.path, files);
    uses.push({ pipeline, input: input ? files.named(input) : null });
  }
  return uses;
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
  if (named.input === null)
    throw new HttpError(422, `${input.path} does not name a file to read.`, {
      next: 'Choose a file of the project instead.',
    });
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
