import type { SourceItem } from '../../../model/row.ts';
import type { TableFacts, TableSet } from '../../../sources/tables.ts';
import { type ContactColumns, findContactColumns } from '../columns/contact-columns.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { profileTable } from '../profile/table-profile.ts';
import { splitTableName } from './table-words.ts';

/** The first rows of a dump's table, and their profile. */
export interface SampledTable {
  readonly name: string;
  /** The number of all its rows. */
  readonly items: number;
  /** The words of its name joined, in the singular and without fillers: `crmcontact` for `crm_contacts`. */
  readonly stem: string;
  readonly words: readonly string[];
  readonly columns: readonly ColumnProfile[];
  readonly contact: ContactColumns;
  /** The values of each column in the rows that were read, without those of over 64 characters. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** True if all rows were read. */
  readonly whole: boolean;
}

const mostRows = 1_000;
const longestKey = 64;

/** Reads the first 1,000 rows of a table and profiles them. */
export async function sampleTable(
  set: Pick<TableSet, 'read'>,
  { name, items, columns }: TableFacts,
  signal: AbortSignal,
): Promise<SampledTable> {
  const values = new Map<string, Set<string>>();
  const profile = await profileTable({ items, columns }, noting(set.read(name, 0, signal), values));
  const words = splitTableName(name);
  return {
    name,
    items,
    words,
    stem: words.join(''),
    columns: profile.columns,
    contact: findContactColumns(profile.columns),
    values,
    whole: items <= mostRows,
  };
}

/** Yields the first rows and notes their short values. */
async function* noting(
  batches: AsyncIterable<readonly SourceItem[]>,
  values: Map<string, Set<string>>,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  let rows = 0;
  for await (const batch of batches) {
    const items = batch.slice(0, mostRows - rows);
    rows += items.length;
    for (const item of items) if (item.kind === 'row') note(item.entries(), values);
    yield items;
    if (rows >= mostRows) return;
  }
}

function note(
  entries: readonly (readonly [string, string | null])[],
  values: Map<string, Set<string>>,
): void {
  for (const [column, cell] of entries) {
    if (cell === null || cell === '' || cell.length > longestKey) continue;
    const seen = values.get(column);
    if (seen === undefined) values.set(column, new Set([cell]));
    else seen.add(cell);
  }
}
