import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLiveWorkspaceInput } from '../../app/run/input.ts';
import { hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { toPathInStorage } from '../fleet-file/pipelines.ts';
import { assertStorageUsable, openInputStorage, type StoragePorts } from '../places/open-place.ts';
import { MissingInputError } from '../places/place.ts';
import type { JobParameters } from './messages.ts';

/**
 * Fetches a pipeline's input to this machine; returns the pipeline with the local path of the input. Throws a
 * MissingInputError for an input that is missing; a MachineFaultError if this machine cannot access `places.inputs`;
 * and a FatalError (usage) for a path outside of `places.inputs`.
 */
export async function toPipelineWithLocalInput(
  pipeline: LoadedImportPipeline,
  order: Pick<JobParameters, 'places' | 'workDir' | 'asked'>,
  ports: StoragePorts,
): Promise<LoadedImportPipeline> {
  const { places, workDir, asked } = order;
  const { source } = pipeline.import;
  if (isLiveWorkspaceInput(pipeline) || source.path === null) return pipeline;
  if (places.inputs === undefined) {
    assertThere(source.path);
    return pipeline;
  }
  const inside = toPathInStorage(pipeline.file, source.path);
  if (inside === undefined) {
    throw new FatalError('usage', `the input of this pipeline is outside of places.inputs: ${source.path}`, {
      place: { file: pipeline.file, key: 'import.source.path' },
      next: hint`To see what is wrong: ${toCommand('fleet', 'apply', '--dry-run')}`,
    });
  }
  await assertStorageUsable('inputs', places.inputs, ports);
  const place = await openInputStorage(places.inputs, ports);
  const folder = join(workDir, 'inputs');
  // The storage has only the new input; the old one exists at most as the copy on this machine.
  const kept = asked?.kind === 'continue' && asked.with === 'old' && existsSync(join(folder, inside));
  const path = kept ? join(folder, inside) : await place.fetch(inside, folder, ports.signal);
  assertThere(path);
  return { ...pipeline, import: { ...pipeline.import, source: { ...source, path } } };
}

function assertThere(path: string): void {
  if (!existsSync(path)) throw new MissingInputError(path, 'Put it there.');
}
