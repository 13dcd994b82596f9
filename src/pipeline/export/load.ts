import { resolve } from 'node:path';
import type { FilledFiles, Mistake } from '../../mapping/index.ts';
import type {
  ContactSettings,
  FormatSettings,
  LoadedExport,
  LoadedExportPipeline,
  MessageSettings,
} from '../export-settings.ts';
import { loadKind } from '../load-kind.ts';
import type { ExportDocument } from '../schema.ts';
import { besideFile, withSeedOf } from '../workspace.ts';
import { type PlacedCondition, placedConditions } from './filter.ts';

/** An export pipeline with the positions of its keys, for error messages. */
export interface ExportPipelineDocument {
  readonly pipeline: LoadedExportPipeline;
  readonly conditions: readonly PlacedCondition[];
  /** Returns a mistake at the key of a path below `export:`. */
  mistake(path: readonly (string | number)[], reason: string): Mistake;
}

/** Loads an export pipeline; throws a FatalError (usage) that lists every mistake with file, line, column and key. */
export async function loadExportPipeline(path: string, filled?: FilledFiles): Promise<LoadedExportPipeline> {
  return (await loadExportDocument(path, filled)).pipeline;
}

/** Loads an export pipeline like `loadExportPipeline`, with the positions of its keys. */
export async function loadExportDocument(
  path: string,
  filled?: FilledFiles,
): Promise<ExportPipelineDocument> {
  const { document, settings, about } = await loadKind(path, 'export', filled);
  const conditions = placedConditions(settings.contacts?.filter);
  return {
    pipeline: { ...about, export: loadedExport(settings, conditions, path) },
    conditions: conditions.map((each) => ({ ...each, path: ['contacts', 'filter', ...each.path] })),
    mistake: (below, reason) => document.mistake(['export', ...below], reason),
  };
}

function loadedExport(
  settings: ExportDocument,
  conditions: readonly PlacedCondition[],
  file: string,
): LoadedExport {
  const filter = conditions.map(({ condition }) => condition);
  const contacts = contactSettings(settings.contacts, filter);
  const messages = messageSettings(settings.messages);
  return {
    ...settings,
    workspace: withSeedOf(settings.workspace, file),
    to: resolve(besideFile(file, settings.to)),
    contacts,
    messages,
    objects: objectsLike(contacts ?? messages),
  };
}

function contactSettings(
  given: ExportDocument['contacts'],
  filter: ContactSettings['filter'],
): ContactSettings | undefined {
  if (given === undefined) return undefined;
  const { format, columns, filter: _filter, search, incremental, ...options } = given;
  return { format, options, columns, filter, search, incremental };
}

function messageSettings(given: ExportDocument['messages']): MessageSettings | undefined {
  if (given === undefined) return undefined;
  const { format, columns, incremental, refresh, ...options } = given;
  return { format, options, columns, incremental, refresh };
}

function objectsLike(other: FormatSettings | undefined): FormatSettings {
  const { format, options } = other ?? { format: 'ndjson', options: {} };
  return { format, options, columns: undefined };
}
