import type { InputFacts } from '../../../model/row.ts';
import { openSource } from '../input/found-input.ts';
import { fieldsRead } from '../mapping/fields-read.ts';
import { pathFrom } from '../pipeline-text.ts';
import { typeOf } from '../profile/column-type.ts';
import { profileTable, type TableProfile } from '../profile/table-profile.ts';
import { openTodos } from '../todos.ts';
import { percent } from '../yaml/entry.ts';
import { type DraftPlace, draftFiles } from './draft-files.ts';
import { definedEntries, type FieldDefinition, readDefinitions } from './field-entries.ts';
import type { FoundExport } from './find-export.ts';

/** Contacts and their histories are as long as they are. */
const maxRowBytes = 64 * 1024 * 1024;

const fieldPrefix = 'customFields.';

/** Drafts how an export of ours goes into another workspace: the shipped mapping, with every custom field in it. */
export async function draftOfExport(
  place: DraftPlace & { readonly spoolDir: string; readonly signal: AbortSignal },
  found: FoundExport,
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
  const source = openSource('dump', options, input);
  const facts = await source.inspect(signal);
  const table = await profileTable(facts, source.read(0, signal));
  const definitions = await definitionsOf(found, facts, input, signal);
  const { entries, leftOut } = definedEntries(definitions, (field) => filledWords(table, field));
  const lines = [
    `Drafted from the export "${found.pipeline}": ${table.rows.toLocaleString('en-US')} contacts, ${definitions.length} custom fields.`,
  ];
  const files = await draftFiles(place, name, {
    lines,
    notes: facts.notes,
    fields: entries,
    messages: found.messages !== null,
    source: (pipelineFile) => ({ format: 'dump', path: pathFrom(pipelineFile, found.folder), ...options }),
  });
  const fields = fieldsRead(files.mapping.text);
  return {
    name,
    format: 'dump',
    options,
    rows: table.rows,
    broken: [...table.broken.values()].reduce((sum, count) => sum + count, 0),
    problems: Object.fromEntries(table.broken),
    notes: [...facts.notes, ...lackingNotes(found)],
    columns: table.columns.map((column) => ({
      name: column.name,
      filled: column.filled,
      type: typeOf(column).kind,
      distinct: column.distinct?.size ?? null,
      field: fields.get(column.name) ?? null,
    })),
    leftOut,
    todos: [...openTodos(files.pipeline), ...openTodos(files.mapping)],
    ...files,
  };
}

/** The definitions that the export holds, else a text for each custom field of its contacts. */
async function definitionsOf(
  { customFields }: FoundExport,
  { columns }: InputFacts,
  input: { readonly path: string; readonly spoolDir: string },
  signal: AbortSignal,
): Promise<readonly FieldDefinition[]> {
  if (customFields !== null) {
    return await readDefinitions(openSource('dump', { table: customFields }, input), signal);
  }
  return (columns ?? []).flatMap((column) =>
    column.startsWith(fieldPrefix) ? [{ name: column.slice(fieldPrefix.length), dataType: 'text' }] : [],
  );
}

function lackingNotes({ customFields, messages }: FoundExport): readonly string[] {
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
  return column === undefined ? undefined : `${percent(column.filled, rows)} filled`;
}
