import { FatalError } from '../../model/fatal-error.ts';
import { listed } from '../../model/listed.ts';
import type { WantedColumns } from '../source-format.ts';
import type { DumpFile } from './dump-file.ts';

/** A file of a dump as it compares with the columns that are wanted of a table. */
interface Candidate {
  readonly file: string;
  /** How many of the columns that are read it has. */
  readonly read: number;
  /** The needed columns that it does not have. */
  readonly lacks: readonly string[];
}

/** What the columns of the files say of which of them a table is. */
export type FileByColumns =
  | { readonly kind: 'only'; readonly file: string }
  | { readonly kind: 'offer'; readonly file: string; readonly why: string };

/** One or two columns, such as Name and Email, are in many a file. */
const fewestNeeded = 3;
/** Each is opened to see its first rows. */
const mostOpened = 100;

/**
 * The only file with every needed column, or else the one that comes nearest, to be offered; undefined where none resembles the
 * table. `files` are those whose names say nothing.
 */
export async function fileByColumns(
  files: readonly DumpFile[],
  wanted: WantedColumns,
  signal: AbortSignal,
): Promise<FileByColumns | undefined> {
  const found: Candidate[] = [];
  for (const file of files.slice(0, mostOpened)) {
    const columns = await columnsOf(file, signal);
    found.push({
      file: file.member.name,
      read: wanted.read.filter((column) => columns.has(column)).length,
      lacks: wanted.needed.filter((column) => !columns.has(column)),
    });
  }
  const [best, ...others] = found
    .filter(({ lacks, read }) => read > 0 && lacks.length < Math.max(1, wanted.needed.length))
    .sort((a, b) => a.lacks.length - b.lacks.length || b.read - a.read || a.file.length - b.file.length);
  if (best === undefined) return undefined;
  const alike = others.filter(({ lacks }) => lacks.length === 0).map(({ file }) => file);
  if (best.lacks.length > 0)
    return offer(
      best,
      `; of the columns that the mapping needs, it lacks ${listed(best.lacks.map((column) => JSON.stringify(column)))}`,
    );
  if (wanted.needed.length < fewestNeeded && files.length > 1)
    return offer(best, `: it has ${best.read} of the columns that the mapping reads`);
  if (alike.length > 0)
    return offer(best, `, or choose another one with all columns that the mapping needs: ${listed(alike)}`);
  return { kind: 'only', file: best.file };
}

function offer({ file }: Candidate, why: string): FileByColumns {
  return { kind: 'offer', file, why };
}

/** The columns that the first rows of a file have; none of one that cannot be read. */
async function columnsOf({ table, open }: DumpFile, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const columns = new Set<string>();
  if (table === null) return columns;
  try {
    for await (const items of (await open(signal)).read(table, 0, signal)) {
      for (const item of items)
        if (item.kind === 'row') for (const [column] of item.entries()) columns.add(column);
      if (columns.size > 0) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FatalError)) throw error;
  }
  return columns;
}
