import { resolve } from 'node:path';
import { loadDocument } from '../../../mapping/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { besideFile, withSeedOf } from '../beside.ts';
import type {
  ContactSettings,
  FormatSettings,
  LoadedExport,
  LoadedExportPipeline,
  MessageSettings,
} from '../export-settings.ts';
import { type ExportDocument, pipelineSchema } from '../schema.ts';
import { filterConditions } from './filter.ts';

/** Loads a pipeline that exports; throws a FatalError (usage) that names every mistake with file, line, column and key. */
export async function loadExportPipeline(path: string): Promise<LoadedExportPipeline> {
  const document = await loadDocument(path, pipelineSchema, 'pipeline');
  const { pipeline, export: settings } = document.value;
  if (!settings) {
    throw new FatalError('usage', `The pipeline ${path} imports; it exports nothing.`, {
      place: { file: path },
      next: `npx longshore import ${path}`,
    });
  }
  const { fingerprint } = document;
  return { file: resolve(path), fingerprint, pipeline, export: loadedExport(settings, path) };
}

function loadedExport(settings: ExportDocument, file: string): LoadedExport {
  const contacts = contactSettings(settings.contacts);
  const messages = messageSettings(settings.messages);
  return {
    workspace: withSeedOf(settings.workspace, file),
    to: resolve(besideFile(file, settings.to)),
    keep: settings.keep,
    timezone: settings.timezone,
    contacts,
    messages,
    workspaceObjects: settings.workspaceObjects,
    templates: settings.templates,
    objects: objectsLike(contacts ?? messages),
    expect: settings.expect,
    timeout: settings.timeout,
    continueWithin: settings.continueWithin,
    notify: settings.notify,
    limits: settings.limits,
  };
}

function contactSettings(given: ExportDocument['contacts']): ContactSettings | undefined {
  if (given === undefined) return undefined;
  const { format, columns, filter, search, incremental, ...options } = given;
  return { format, options, columns, filter: filterConditions(filter), search, incremental };
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
