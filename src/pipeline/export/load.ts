import { resolve } from 'node:path';
import type { YamlLoadFunctions, YamlMistake } from '../../mapping/index.ts';
import type {
  ContactExportSettings,
  ExportFormatSettings,
  LoadedExportPipeline,
  LoadedExportSettings,
  MessageExportSettings,
} from '../export-settings.ts';
import { loadPipelineOfKind } from '../load-kind.ts';
import type { ExportSettings } from '../schema.ts';
import { resolveRelativeToFile, withResolvedSeedPath } from '../workspace.ts';
import { type FilterConditionWithPath, listFilterConditions } from './filter.ts';

/** An export pipeline with the positions of its keys, for error messages. */
export interface ExportPipelineDocument {
  readonly pipeline: LoadedExportPipeline;
  readonly conditions: readonly FilterConditionWithPath[];
  /** Returns a mistake at the key of a path below `export:`. */
  mistake(path: readonly (string | number)[], reason: string): YamlMistake;
}

/** Loads an export pipeline; throws a FatalError (usage) that lists every mistake with file, line, column and key. */
export async function loadExportPipeline(
  path: string,
  filled?: YamlLoadFunctions,
): Promise<LoadedExportPipeline> {
  return (await loadExportPipelineDocument(path, filled)).pipeline;
}

/** Loads an export pipeline like `loadExportPipeline`, with the positions of its keys. */
export async function loadExportPipelineDocument(
  path: string,
  filled?: YamlLoadFunctions,
): Promise<ExportPipelineDocument> {
  const { document, settings, about } = await loadPipelineOfKind(path, 'export', filled);
  const conditions = listFilterConditions(settings.contacts?.filter);
  return {
    pipeline: { ...about, export: loadedExport(settings, conditions, path) },
    conditions: conditions.map((each) => ({ ...each, path: ['contacts', 'filter', ...each.path] })),
    mistake: (below, reason) => document.mistake(['export', ...below], reason),
  };
}

function loadedExport(
  settings: ExportSettings,
  conditions: readonly FilterConditionWithPath[],
  file: string,
): LoadedExportSettings {
  const filter = conditions.map(({ condition }) => condition);
  const contacts = contactSettings(settings.contacts, filter);
  const messages = messageSettings(settings.messages);
  return {
    ...settings,
    workspace: withResolvedSeedPath(settings.workspace, file),
    to: resolve(resolveRelativeToFile(file, settings.to)),
    contacts,
    messages,
    objects: objectsLike(contacts ?? messages),
  };
}

function contactSettings(
  given: ExportSettings['contacts'],
  filter: ContactExportSettings['filter'],
): ContactExportSettings | undefined {
  if (given === undefined) return undefined;
  const { format, columns, filter: _filter, search, incremental, ...options } = given;
  return { format, options, columns, filter, search, incremental };
}

function messageSettings(given: ExportSettings['messages']): MessageExportSettings | undefined {
  if (given === undefined) return undefined;
  const { format, columns, incremental, refresh, ...options } = given;
  return { format, options, columns, incremental, refresh };
}

function objectsLike(other: ExportFormatSettings | undefined): ExportFormatSettings {
  const { format, options } = other ?? { format: 'ndjson', options: {} };
  return { format, options, columns: undefined };
}
