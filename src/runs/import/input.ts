import { join } from 'node:path';
import { checkColumns } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import { sourceFormats } from '../../sources/registry.ts';
import type { LoadedPipeline } from '../pipeline/index.ts';

/** Opens the pipeline's input; nothing is read yet. */
export function openInput(pipeline: LoadedPipeline, workDir: string): Source {
  const { format, path, options } = pipeline.import.source;
  const found = sourceFormats.find((each) => each.name === format);
  if (found === undefined)
    throw new FatalError('usage', `there is no input format "${format}"`, { place: { file: pipeline.file } });
  return found.open(options, { path, spoolDir: join(workDir, 'spool') });
}

/** Throws where the input lacks a column that the mapping reads. */
export function checkInput(pipeline: LoadedPipeline, facts: InputFacts): void {
  const { mapping } = pipeline.import;
  if (facts.columns === null) return;
  const mistakes = checkColumns(mapping, facts.columns, facts.lists);
  if (mistakes.length > 0) throw mapping.refusal(mistakes);
}
