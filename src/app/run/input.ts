import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkColumns,
  collectMappedColumns,
  createColumnFilter,
  findMissingOptionalColumns,
  type LoadedMapping,
} from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LiveWorkspaceInput } from '../../model/ports.ts';
import type { InputFacts, Source } from '../../model/row.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { resolveRawInputFile } from '../../sources/input-file.ts';
import { sourceFormats } from '../../sources/registry.ts';
import type { SourceFormat } from '../../sources/source-format.ts';

/** Returns true where the pipeline's input is a live workspace. */
export function isLiveWorkspaceInput({ import: { source } }: LoadedImportPipeline): boolean {
  return formatOf(source)?.live === true;
}

/** Returns the names of the lists that the mapping reads and that no column of the input holds. */
export function listNestedLists({ import: { source, mapping } }: LoadedImportPipeline): readonly string[] {
  const reads = createColumnFilter(mapping.mapping);
  return nestedListsOf(source).filter((list) => reads(list));
}

/**
 * Returns false if the rows have lists that a retry cannot read again as they were, because the input is a live
 * workspace: then a corrected rejects.csv would lack them.
 */
export function canCorrectRejects(source: PipelineSource): boolean {
  return formatOf(source)?.live !== true || nestedListsOf(source).length === 0;
}

/** Returns the options of a pipeline's source that leave out rows. */
export function listRowFilterOptions({ options }: Pick<PipelineSource, 'options'>): readonly string[] {
  const { where, tables } = options;
  // The files of a dump have options of their own.
  const ofFiles: readonly unknown[] =
    typeof tables === 'object' && tables !== null ? Object.values(tables) : [];
  const isSkipping = [options, ...ofFiles].some(skipsEmpty);
  return [...(where === undefined ? [] : ['where']), ...(isSkipping ? ['skipEmpty'] : [])];
}

function skipsEmpty(options: unknown): boolean {
  return (
    typeof options === 'object' && options !== null && 'skipEmpty' in options && options.skipEmpty === true
  );
}

type PipelineSource = Pick<LoadedImportPipeline['import']['source'], 'format' | 'options'>;

function nestedListsOf(source: PipelineSource): readonly string[] {
  return formatOf(source)?.lists?.(source.options) ?? [];
}

function formatOf({ format }: Pick<PipelineSource, 'format'>): SourceFormat | undefined {
  return sourceFormats.find(({ name }) => name === format);
}

/**
 * Opens the pipeline's input without reading it yet; `live` is needed if the input is a workspace. `waiting` is called
 * with the reason for each long wait.
 */
export function openInput(
  pipeline: LoadedImportPipeline,
  workDir: string,
  waiting: ((text: string) => void) | undefined,
  live?: LiveWorkspaceInput,
): Source {
  const { format, path, name, options } = pipeline.import.source;
  const found = formatOf({ format });
  if (found === undefined)
    throw new FatalError('usage', `there is no input format "${format}"`, { place: { file: pipeline.file } });
  const spoolDir = join(workDir, 'spool');
  return found.open(options, {
    path: path ?? '',
    spoolDir,
    waiting,
    ...(name && { name }),
    ...(live && { live }),
    columns: collectMappedColumns(pipeline.import.mapping),
  });
}

/**
 * Returns the pipeline with an input that can be read twice: the input of a pipe is copied into the spool folder
 * first.
 */
export async function spoolPipedInput(
  pipeline: LoadedImportPipeline,
  spoolDir: string,
  waiting: (text: string) => void,
  signal: AbortSignal,
): Promise<LoadedImportPipeline> {
  const { source } = pipeline.import;
  const { path } = source;
  if (path === null || (path !== '-' && !(await isPipe(path)))) return pipeline;
  const { path: copy, name } = await resolveRawInputFile({ path, spoolDir, waiting }, signal);
  return { ...pipeline, import: { ...pipeline.import, source: { ...source, path: copy, name } } };
}

/** Returns true for a named pipe; false for a missing file, which its reader reports. */
async function isPipe(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFIFO(),
    () => false,
  );
}

/** Returns notes about optional columns that the input lacks; throws where it lacks a column that the mapping needs. */
export function checkInputColumns(pipeline: LoadedImportPipeline, facts: InputFacts): readonly string[] {
  const { mapping } = pipeline.import;
  if (facts.columns === null) return [];
  const mistakes = checkColumns(mapping, facts.columns, facts.lists, facts.absent);
  if (mistakes.length > 0) throw mapping.refusal(mistakes);
  return listMissingColumnNotes(mapping, facts);
}

const mostNamed = 12;

/** Returns one note that lists the optional columns of the mapping that the input lacks; no note if it has them all. */
export function listMissingColumnNotes(
  mapping: LoadedMapping,
  { columns, lists, absent }: Pick<InputFacts, 'columns' | 'lists' | 'absent'>,
): readonly string[] {
  const names = columns === null ? [] : findMissingOptionalColumns(mapping, columns, lists, absent);
  if (names.length === 0) return [];
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const named = names.slice(0, mostNamed).map((name) => JSON.stringify(name));
  return [`The input lacks what the mapping calls optional: ${named.join(', ')}${rest}.`];
}
