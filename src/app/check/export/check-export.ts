import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findExporterByName } from '../../../exporters/registry.ts';
import type { YamlMistake } from '../../../mapping/index.ts';
import { getMultiValueKind } from '../../../pipeline/export/filter-fields.ts';
import type { LoadedExportPipeline, LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import type { ExportPipelineDocument } from '../../../pipeline/index.ts';
import type { Workspace } from '../../../workspace/index.ts';
import {
  createMistakeFinding,
  createNoteFinding,
  createOkFinding,
  type Finding,
  type UnformattedFinding,
} from '../finding.ts';
import { checkExportOnline } from './online.ts';

/**
 * Returns a finding on whether the pipeline's destination can be created: the nearest existing folder above it must be
 * writable.
 */
async function destination(
  { file, export: { to } }: LoadedExportPipeline,
  mistake: (path: readonly string[], reason: string) => YamlMistake,
): Promise<Finding> {
  let above = dirname(to);
  for (;;) {
    const code = await errorCodeOf(above);
    if (code === undefined) return createOkFinding(`to ${to}`);
    if (code !== 'ENOENT' || dirname(above) === above) {
      return createMistakeFinding(
        file,
        mistake(['to'], `${above} ${words.get(code) ?? `cannot be used (${code})`}`),
      );
    }
    above = dirname(above);
  }
}

const words: ReadonlyMap<string, string> = new Map([
  ['ENOTDIR', 'is not a folder'],
  ['EACCES', 'is not writable by this user'],
  ['EROFS', 'is on a read-only file system'],
]);

async function errorCodeOf(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'ENOTDIR';
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

export interface ExportCheckRequest {
  readonly document: ExportPipelineDocument;
  /** The workspace of an online check; undefined for an offline one. */
  readonly workspace: Workspace | undefined;
}

/**
 * Finds all problems that would stop an export before its first record; changes nothing locally or in the workspace.
 */
export async function checkExport({
  document,
  workspace,
}: ExportCheckRequest): Promise<readonly UnformattedFinding[]> {
  const { pipeline, mistake } = document;
  return [
    createOkFinding(`pipeline ${pipeline.pipeline}`, { file: pipeline.file }),
    createOkFinding(`exports ${contents(pipeline.export)}`),
    await destination(pipeline, mistake),
    ...exportNotes(pipeline.export),
    ...(workspace === undefined ? [] : await checkExportOnline(document, workspace)),
  ];
}

function contents({
  contacts,
  messages,
  workspaceObjects,
  templates,
  objects,
}: LoadedExportSettings): string {
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

function selection({
  filter,
  search,
  columns,
  incremental,
}: NonNullable<LoadedExportSettings['contacts']>): string {
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

/** Returns notes on settings that are allowed but may surprise. */
function exportNotes(settings: LoadedExportSettings): readonly Finding[] {
  return [
    ...compactable(settings),
    ...unsaid(settings),
    ...messagesAlone(settings),
    ...guardless(settings),
    ...keptByFollowers(settings),
  ].map(createNoteFinding);
}

/**
 * Returns a note if an incremental export writes its messages in a lossy format: a compaction cannot rebuild messages
 * from such files.
 */
function compactable({ contacts, messages }: LoadedExportSettings): string[] {
  const incremental = contacts?.incremental === true || messages?.incremental === true;
  if (!incremental || messages === undefined || findExporterByName(messages.format)?.lossless) return [];
  return [
    `messages are written as ${messages.format}, which does not keep everything: --compact cannot combine such increments; use ndjson for that`,
  ];
}

function unsaid({ contacts, timezone }: LoadedExportSettings): string[] {
  const filter = contacts?.filter ?? [];
  const several = filter.filter(({ operator }) => getMultiValueKind(operator) !== undefined);
  const dated = filter.some(
    ({ field, operator }) => field === 'created_at' || operator.startsWith('isTimestamp'),
  );
  return [
    ...several.map(({ operator, value }) => {
      const sent = `${operator}: ${JSON.stringify(value)}`;
      return typeof value === 'string'
        ? `${sent} is sent as written; the API does not document how it separates values`
        : `${sent} is sent as published clients send it; the API documents a single text: check --online tries it`;
    }),
    ...(dated
      ? [
          `dates of the filter are sent as written, in the time zone ${timezone}; the API documents no date format`,
        ]
      : []),
  ];
}

function messagesAlone({ contacts, messages }: LoadedExportSettings): string[] {
  return contacts === undefined && messages !== undefined
    ? ['contacts are read for their messages, but not exported']
    : [];
}

function guardless({ contacts, expect, keep }: LoadedExportSettings): string[] {
  return contacts !== undefined && expect.contacts === undefined && keep !== undefined
    ? ['No minimum set: an empty export could replace good ones; set expect: { contacts: { min: 1 } }']
    : [];
}

/** Returns a note if `keep` waits for a full export: an increment keeps the exports that it follows. */
function keptByFollowers({ contacts, messages, keep }: LoadedExportSettings): string[] {
  const incremental = contacts?.incremental === true || messages?.incremental === true;
  return incremental && keep !== undefined
    ? [
        `keep: ${keep} removes nothing while each export follows the one before it; --compact or --full from time to time lets the older ones go`,
      ]
    : [];
}
