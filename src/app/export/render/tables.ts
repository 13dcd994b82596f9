import type { CustomField } from '../../../model/custom-field.ts';
import type { ExportKind, ExportTable } from '../../../model/export-record.ts';
import type { ExportFormatSettings, LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import { buildExportColumns } from '../records/columns.ts';

/** Tables that are written in one format with the same options. */
export interface TableGroup {
  readonly format: string;
  readonly options: unknown;
  readonly tables: readonly ExportTable[];
}

/** Returns the tables to write, grouped by format and options; `full` is false for an incremental export. */
export function groupTablesByFormat(
  settings: LoadedExportSettings,
  customFields: readonly CustomField[],
  full: boolean,
): readonly TableGroup[] {
  const groups = new Map<string, { format: string; options: unknown; tables: ExportTable[] }>();
  for (const [kind, format] of wanted(settings, full)) {
    const { format: name, options, columns } = format;
    const key = JSON.stringify([name, options]);
    const group = groups.get(key) ?? { format: name, options, tables: [] };
    groups.set(key, group);
    group.tables.push({ kind, columns: buildExportColumns(kind, customFields, columns) });
  }
  return [...groups.values()];
}

/** The format of changes, whatever format the contacts have: NDJSON, because it is lossless. */
const changesFormat: ExportFormatSettings = { format: 'ndjson', options: {}, columns: undefined };

function wanted(
  { contacts, messages, objects, workspaceObjects, templates }: LoadedExportSettings,
  full: boolean,
): (readonly [ExportKind, ExportFormatSettings])[] {
  const kinds: (readonly [ExportKind, ExportFormatSettings])[] = [];
  if (contacts !== undefined) {
    kinds.push(!full && contacts.incremental ? ['changes', changesFormat] : ['contacts', contacts]);
  }
  if (messages !== undefined) {
    kinds.push(['messages', messages]);
    if (!full && messages.refresh !== undefined) kinds.push(['messageUpdates', messages]);
  }
  for (const kind of workspaceObjects) kinds.push([kind, objects]);
  if (templates !== undefined) kinds.push(['templates', objects]);
  return kinds;
}
