import { basename } from 'node:path';
import { listInputMembers, unpackInputMembers } from '../../../sources/archive/members.ts';
import { resolveInputFile } from '../../../sources/input-file.ts';
import type { SourceInput } from '../../../sources/source-format.ts';
import { sniffFormat } from '../input/sniff.ts';

/** The file of a table, and how it is read. */
export interface TableFileOptions {
  readonly file: string;
  readonly format: string;
  readonly at?: string;
}

const mostFiles = 200;

/**
 * Returns, by table name, the tables that the pipeline of a dump must state: those in JSON files whose records are
 * nested in a document. Reads only the first 200 JSON files.
 */
export async function findTablesInNestedJson(
  input: SourceInput,
  signal: AbortSignal,
): Promise<{ readonly [table: string]: TableFileOptions }> {
  const all = await listInputMembers(input, signal);
  const members = all.filter(({ name }) => /\.json(?:\.gz)?$/i.test(name)).slice(0, mostFiles);
  await unpackInputMembers(members, signal);
  const found = new Map<string, TableFileOptions>();
  for (const member of members) {
    const file = await resolveInputFile(member.input, signal);
    const { format, options } = await sniffFormat(file, member.name, signal);
    const table = basename(member.name).replace(/\.json(?:\.gz)?$/i, '');
    if (options.at !== undefined && !found.has(table))
      found.set(table, { file: member.name, format, at: options.at });
  }
  return Object.fromEntries(found);
}
