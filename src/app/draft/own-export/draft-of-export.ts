import type { InputFacts } from '../../../model/row.ts';
import { openSourceByFormat } from '../input/found-input.ts';
import { type DraftFolders, toRelativeYamlPath } from '../pipeline-text.ts';
import { profileTable, type TableProfile } from '../profile/table-profile.ts';
import { buildDraftResult } from '../result.ts';
import { formatWholePercent } from '../yaml/entry.ts';
import { buildWorkspaceDraftFiles } from './draft-files.ts';
import {
  buildFieldEntriesFromDefinitions,
  type ExportedFieldDefinition,
  readFieldDefinitions,
} from './field-entries.ts';
import type { ImportableExport } from './find-export.ts';

/** The longest row, in bytes: contacts with their messages may be long. */
const maxRowBytes = 64 * 1024 * 1024;

const fieldPrefix = 'customFields.';

/**
 * Drafts the import of one of our exports into another workspace: the shipped mapping with all custom fields of the
 * export.
 */
export async function draftFromExport(
  place: DraftFolders & { readonly spoolDir: string; readonly signal: AbortSignal },
  found: ImportableExport,
  name: string,
) {
  const { signal, spoolDir } = place;
  const input = { path: found.folder, spoolDir };
  const options = {
    ...(Object.keys(found.tables).length > 0 && { tables: found.tables }),
    table: found.contacts,
    ...(found.messages !== null && {
      join: { messages: { table: found.messages, on: { id: 'contactId' }, many: true } },
    }),
    maxRowBytes,
  };
  const source = openSourceByFormat('dump', options, input);
  const facts = await source.inspect(signal);
  const table = await profileTable(facts, source.read(0, signal));
  const definitions = await definitionsOf(found, facts, input, signal);
  const { entries, leftOut } = buildFieldEntriesFromDefinitions(definitions, (field) =>
    filledWords(table, field),
  );
  const lines = [
    `Drafted from the export "${found.pipeline}": ${table.rows.toLocaleString('en-US')} contacts, ${definitions.length} custom fields.`,
  ];
  const files = await buildWorkspaceDraftFiles(place, name, {
    lines,
    notes: facts.notes,
    fields: entries,
    messages: found.messages !== null,
    source: (pipelineFile) => ({
      format: 'dump',
      path: toRelativeYamlPath(pipelineFile, found.folder),
      ...options,
    }),
  });
  const notes = [...facts.notes, ...lackingNotes(found)];
  return buildDraftResult(
    { name, format: 'dump', options, filtered: { rows: 0, of: 0 }, notes, leftOut },
    files,
    table,
  );
}

/** Returns the definitions in the export, else a text field for each custom field of its contacts. */
async function definitionsOf(
  { customFields }: ImportableExport,
  { columns }: InputFacts,
  input: { readonly path: string; readonly spoolDir: string },
  signal: AbortSignal,
): Promise<readonly ExportedFieldDefinition[]> {
  if (customFields !== null) {
    return await readFieldDefinitions(openSourceByFormat('dump', { table: customFields }, input), signal);
  }
  return (columns ?? []).flatMap((column) =>
    column.startsWith(fieldPrefix) ? [{ name: column.slice(fieldPrefix.length), dataType: 'text' }] : [],
  );
}

function lackingNotes({ customFields, messages }: ImportableExport): readonly string[] {
  return [
    ...(customFields === null
      ? [
          'The export has no definitions of custom fields: all are drafted as text. Export them too (workspaceObjects: [customFields]).',
        ]
      : []),
    ...(messages === null ? ['The export has no messages, so no history is moved.'] : []),
  ];
}

function filledWords({ columns, rows }: TableProfile, field: string): string | undefined {
  const column = columns.find(({ name }) => name === fieldPrefix + field);
  return column === undefined ? undefined : `${formatWholePercent(column.filled, rows)} filled`;
}
