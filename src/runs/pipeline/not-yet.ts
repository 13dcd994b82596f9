import type { LoadedDocument, Mistake } from '../../mapping/index.ts';
import type { PipelineFile } from './schema.ts';

/** What a pipeline asks for by name and this version does not do, each with its place. */
export function notYet(document: LoadedDocument<PipelineFile>): readonly Mistake[] {
  const { export: exported } = document.value;
  return exported ? [document.mistake(['export'], 'Longshore does not export yet')] : [];
}
