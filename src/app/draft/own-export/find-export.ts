import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import * as z from 'zod';
import { hint, toCommand } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { tryParseJson } from '../../../storage/json.ts';
import { readRegularFile } from '../../../storage/regular-file.ts';
import type { YamlValue } from '../yaml/entry.ts';

/** One of our exports, complete enough to import. */
export interface ImportableExport {
  readonly folder: string;
  /** The name of the pipeline that wrote it. */
  readonly pipeline: string;
  /** The options of the NDJSON tables of contacts and messages: they leave out the copies of the API's raw data. */
  readonly tables: Readonly<Record<string, YamlValue>>;
  /** The table of contacts that has a column for every custom field. */
  readonly contacts: string;
  /** Null where the export has no messages. */
  readonly messages: string | null;
  /** The table of custom fields; null where the export has none. */
  readonly customFields: string | null;
}

const mostManifestBytes = 64 * 1024 * 1024;

const manifestSchema = z.object({
  pipeline: z.string(),
  run: z.string(),
  full: z.boolean(),
  files: z.array(z.object({ name: z.string(), kind: z.string() })),
});

type Manifest = z.output<typeof manifestSchema>;

/** The table names of each kind, in an NDJSON file and in a database. */
const tables = {
  contacts: { '.ndjson': 'contacts', '.db': 'contacts_flat' },
  messages: { '.ndjson': 'messages', '.db': 'messages' },
  customFields: { '.ndjson': 'custom-fields', '.db': 'custom_fields' },
} as const;

/**
 * Returns the export in a folder, or the export that a contacts file belongs to. Undefined if there is none, or if its
 * contacts are neither NDJSON nor in a database. Throws a FatalError('input') for an increment.
 */
export async function findImportableExport(path: string): Promise<ImportableExport | undefined> {
  if (path === '-') return undefined;
  const folder = (await isFolder(path)) ? path : dirname(path);
  const manifest = await manifestIn(folder);
  if (manifest === undefined) return undefined;
  if (!manifest.full && folder === path) throw onlyNews(folder, manifest);
  const contacts = tableOf('contacts', manifest);
  const isOfContacts = manifest.files.some(
    ({ name, kind }) => kind === 'contacts' && name === basename(path),
  );
  if (contacts === null || (folder !== path && !isOfContacts)) return undefined;
  if (!manifest.full) throw onlyNews(folder, manifest);
  return {
    folder,
    pipeline: manifest.pipeline,
    tables: linesOf(manifest),
    contacts,
    messages: tableOf('messages', manifest),
    customFields: tableOf('customFields', manifest),
  };
}

function tableOf(kind: keyof typeof tables, { files }: Manifest): string | null {
  const file = files.find((each) => each.kind === kind);
  const extension = extname(file?.name ?? '');
  return extension === '.ndjson' || extension === '.db' ? tables[kind][extension] : null;
}

function linesOf({ files }: Manifest): Readonly<Record<string, YamlValue>> {
  const lines = files.filter(
    ({ name, kind }) => extname(name) === '.ndjson' && (kind === 'contacts' || kind === 'messages'),
  );
  return Object.fromEntries(
    lines.map(({ name, kind }) => [
      kind,
      {
        file: name,
        without: kind === 'messages' ? ['given', 'message'] : ['given'],
        loneSurrogates: 'replace',
      },
    ]),
  );
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function manifestIn(folder: string): Promise<Manifest | undefined> {
  try {
    const bytes = await readRegularFile(join(folder, 'manifest.json'), mostManifestBytes);
    return tryParseJson(bytes.toString(), manifestSchema);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function onlyNews(folder: string, { pipeline }: Manifest): FatalError {
  return new FatalError(
    'input',
    `${folder} is an increment of the export "${pipeline}": it has only what was new.`,
    {
      place: { file: folder },
      next: hint`Combine it with the exports before it (${toCommand('export', 'PIPELINE', '--compact')}), and use that folder.`,
    },
  );
}
