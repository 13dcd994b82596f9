import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { exportKinds } from '../../../model/export-record.ts';
import type { LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import { tryParseJson } from '../../../storage/json.ts';

/** The name of the file that describes a complete export, in its folder. */
export const manifestFileName = 'manifest.json';

const file = z.object({
  name: z.string(),
  kind: z.enum(exportKinds),
  format: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** True where cells that a spreadsheet would evaluate are preceded by an apostrophe. */
  guarded: z.boolean(),
});

const manifest = z.object({
  pipeline: z.string(),
  /** Its base URL, or `sandbox`. */
  workspace: z.string(),
  run: z.string(),
  version: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  /** The filter of the contact list: conditions in the interface's form, and the search term. */
  filter: z.array(z.record(z.string(), z.unknown())),
  search: z.string().nullable(),
  timezone: z.string(),
  /** True for a full export; false for one that has only the changes since the export in `follows`. */
  full: z.boolean(),
  follows: z.object({ run: z.string(), folder: z.string() }).nullable(),
  /** The run ids of the exports that were combined into this one; absent for any other export. */
  compacted: z.array(z.string()).optional(),
  files: z.array(file),
  /** The first and the last time of its messages (ISO 8601); null where there is none. */
  messageSpan: z.object({ from: z.string(), to: z.string() }).nullable(),
  /**
   * The number of records by kind. For contacts it counts all that were fetched, even if only changes were written; for
   * other kinds, the records written.
   */
  counts: z.record(z.string(), z.int()),
  /** The number of contacts that were listed again, because the list changed while it was read. */
  movedWhileReading: z.int(),
  /** The number of contacts that no longer existed when their messages were requested. */
  goneWhileReading: z.int(),
  /** Contacts that could not be read completely, or whose messages could not. */
  unreadable: z.array(z.object({ contactId: z.int(), reason: z.string() })),
  /** The known limits of this export, in sentences. */
  cannotKnow: z.array(z.string()),
});

export type Manifest = z.output<typeof manifest>;
export type ManifestFile = z.output<typeof file>;

/**
 * Returns the manifest of a folder; undefined if it is missing or invalid, for example because the folder is not a
 * complete export.
 */
export function readManifest(folder: string): Manifest | undefined {
  let text: string;
  try {
    const path = join(folder, manifestFileName);
    // Reading a pipe would block until its writer ends, and no signal would be handled.
    if (!statSync(path).isFile()) return undefined;
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return tryParseJson(text, manifest);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Returns the known limits of an export, in sentences for its manifest. */
export function listKnownLimitsOfExport(
  { contacts, messages }: LoadedExportSettings,
  increment: boolean,
  ownerless: number,
): string[] {
  const sentences = ['Comments: the API cannot read them.'];
  if (contacts?.filter.length || contacts?.search !== undefined) {
    sentences.push('Contacts that do not match the filter and the search term, and their messages.');
  }
  if (ownerless > 0) {
    sentences.push(
      `${ownerless} messages of earlier exports are left out: their contacts were deleted or merged.`,
    );
  }
  if (!increment) return sentences;
  if (messages?.incremental) {
    sentences.push(
      messages.refresh === undefined
        ? 'Statuses of messages that were exported before: they are not read again (refresh).'
        : 'Status changes of messages that are older than `refresh`, or have no time.',
      'Messages that a merge moved to a contact: they are older than its newest known message.',
      'Messages of contacts that are gone, and whether such a contact was deleted, merged or no longer matches the filter.',
    );
  }
  return sentences;
}
