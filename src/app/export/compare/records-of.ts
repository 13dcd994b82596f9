import { join } from 'node:path';
import { findExporterByName } from '../../../exporters/registry.ts';
import type { ExportKind } from '../../../model/export-record.ts';
import type { ExportFormatSettings, LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import { sourceFormats } from '../../../sources/registry.ts';
import type { ManifestFile } from '../folder/manifest.ts';
import { buildExportColumns } from '../records/columns.ts';
import { toCanonicalJson } from '../sync-state/content-hash.ts';

/** A record read back from a file of an export: its key (null without one), and its fields as text. */
export interface ExportFileRecord {
  readonly key: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** The name of the key field of each kind; a kind without one lists changes and cannot be compared. */
const keys: { readonly [K in ExportKind]?: string } = {
  contacts: 'id',
  messages: 'id',
  users: 'id',
  customFields: 'id',
  closingNotes: 'category',
  tags: 'name',
  templates: 'id',
};

/**
 * Returns the reason, in a clause, that a kind of records cannot be compared with the workspace; undefined if it can.
 */
export function findNotComparableReason(kind: ExportKind): string | undefined {
  return keys[kind] === undefined ? 'it lists what was new when it was made' : undefined;
}

/** Reads the records of a file of an export, in the order of the file. */
export async function* readExportRecords(
  folder: string,
  { name, kind, format }: Pick<ManifestFile, 'name' | 'kind' | 'format'>,
  settings: LoadedExportSettings,
  spoolDir: string,
  signal: AbortSignal,
): AsyncGenerator<ExportFileRecord> {
  const path = join(folder, name);
  const key = keys[kind] ?? '';
  const read = findExporterByName(format)?.read;
  if (read === undefined) {
    const { columns, options } = formatOf(settings, kind);
    const heading = buildExportColumns(kind, [], columns).find(
      (column) => column.path.join('.') === key,
    )?.name;
    yield* cellsIn(path, format, heading, options, { spoolDir, signal });
    return;
  }
  for await (const { given: _, ...normal } of read(path, kind)) {
    signal.throwIfAborted();
    yield { key: textOf(normal[key]), fields: flat(normal) };
  }
}

async function* cellsIn(
  path: string,
  format: string,
  heading: string | undefined,
  options: unknown,
  { spoolDir, signal }: { readonly spoolDir: string; readonly signal: AbortSignal },
): AsyncGenerator<ExportFileRecord> {
  const found = sourceFormats.find((each) => each.name === format);
  if (found === undefined) throw new Error(`nothing reads the format "${format}"`);
  const source = found.open(readingOf(format, options), { path, spoolDir });
  await source.inspect(signal);
  for await (const items of source.read(0, signal)) {
    for (const item of items) {
      if (item.kind !== 'row') continue;
      const fields = Object.fromEntries(item.entries().map(([column, cell]) => [column, cell ?? '']));
      yield { key: heading === undefined ? null : (fields[heading] ?? null), fields };
    }
  }
}

/** Returns the options to read a file of a format, derived from those it was written with. */
function readingOf(format: string, options: unknown): object {
  const delimiter = typeof options === 'object' && options !== null && 'delimiter' in options;
  const first = format === 'xlsx' ? { headerRow: 1 } : { header: true };
  return { ...first, ...(delimiter && { delimiter: options.delimiter }), maxRowBytes: 64 * 1024 * 1024 };
}

function formatOf(settings: LoadedExportSettings, kind: ExportKind): ExportFormatSettings {
  const own = kind === 'contacts' ? settings.contacts : kind === 'messages' ? settings.messages : undefined;
  return own ?? settings.objects;
}

/** Returns the fields as text, with each custom field as `customFields.NAME`. */
function flat(normal: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const { customFields, ...others } = normal;
  const inner = typeof customFields === 'object' && customFields !== null ? Object.entries(customFields) : [];
  const all = [
    ...Object.entries(others),
    ...inner.map(([name, value]) => [`customFields.${name}`, value] as const),
  ];
  return Object.fromEntries(all.map(([name, value]) => [name, textOf(value) ?? '']));
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : toCanonicalJson(value);
}
