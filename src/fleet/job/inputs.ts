import { join } from 'node:path';
import { commandLine } from '../../model/command-line.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { isLive } from '../../runs/input.ts';
import type { LoadedPipeline } from '../../runs/pipeline/index.ts';
import { pathInPlace } from '../fleet-file/pipelines.ts';
import { assertPlace, openInputs, type PlaceOutside } from '../places/open-place.ts';
import type { JobOrder } from './messages.ts';

/** The pipeline with its input on this machine. */
export async function withLocalInput(
  pipeline: LoadedPipeline,
  { places, workDir }: Pick<JobOrder, 'places' | 'workDir'>,
  outside: PlaceOutside,
): Promise<LoadedPipeline> {
  const { source } = pipeline.import;
  if (places.inputs === undefined || isLive(pipeline) || source.path === null) return pipeline;
  const inside = pathInPlace(pipeline.file, source.path);
  if (inside === undefined) {
    throw new FatalError('usage', `the input of this pipeline is outside of places.inputs: ${source.path}`, {
      place: { file: pipeline.file, key: 'import.source.path' },
      next: `To see what is wrong: ${commandLine(['fleet', 'apply', '--dry-run'])}`,
    });
  }
  await assertPlace('inputs', places.inputs, outside);
  const place = await openInputs(places.inputs, outside);
  const path = await place.fetch(inside, join(workDir, 'inputs'), outside.signal);
  return { ...pipeline, import: { ...pipeline.import, source: { ...source, path } } };
}
