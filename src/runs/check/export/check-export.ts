import type { Workspace } from '../../../workspace/index.ts';
import type { LoadedExport } from '../../pipeline/export-settings.ts';
import type { ExportPipelineDocument } from '../../pipeline/index.ts';
import type { Finding } from '../finding.ts';
import { destination } from './destination.ts';
import { exportNotes } from './notes.ts';
import { online } from './online.ts';

export interface ExportCheckRequest {
  readonly document: ExportPipelineDocument;
  /** Opens the workspace for an online check, undefined for an offline one. */
  readonly workspace: Workspace | undefined;
}

/** Looks at everything an export would stumble over before its first record; changes nothing, neither here nor there. */
export async function checkExport({ document, workspace }: ExportCheckRequest): Promise<readonly Finding[]> {
  const { pipeline, mistake } = document;
  return [
    { verdict: 'ok', text: `pipeline ${pipeline.pipeline}`, place: { file: pipeline.file } },
    { verdict: 'ok', text: `exports ${contents(pipeline.export)}` },
    await destination(pipeline, mistake),
    ...exportNotes(pipeline.export),
    ...(workspace === undefined ? [] : await online(document, workspace)),
  ];
}

function contents({ contacts, messages, workspaceObjects, templates, objects }: LoadedExport): string {
  const rest = [
    ...workspaceObjects,
    ...(templates === undefined ? [] : [`templates of ${counted(templates.channels.length, 'channel')}`]),
  ];
  return [
    ...(contacts === undefined ? [] : [`contacts as ${contacts.format}${selection(contacts)}`]),
    ...(messages === undefined ? [] : [`messages as ${messages.format}${added(messages.incremental)}`]),
    ...(rest.length === 0 ? [] : [`${rest.join(', ')} as ${objects.format}`]),
  ].join('; ');
}

function selection({ filter, search, columns, incremental }: NonNullable<LoadedExport['contacts']>): string {
  const words = [
    ...(columns === undefined ? [] : [counted(Object.keys(columns).length, 'column')]),
    ...(filter.length === 0 ? [] : [counted(filter.length, 'condition')]),
    ...(search === undefined ? [] : ['a search term']),
  ];
  return `${words.length === 0 ? '' : ` (${words.join(', ')})`}${added(incremental)}`;
}

function added(incremental: boolean): string {
  return incremental ? ', after the first time only what is new' : '';
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
