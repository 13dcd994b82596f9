import { formatRowLine } from '../../../model/row-place.ts';
import type { RowCondition } from '../joins/conditions.ts';
import type { PossiblyDeletedRows } from '../joins/possibly-deleted.ts';
import { formatRowCount } from '../mapping/column-words.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { toPrintableName, type YamlValue } from '../yaml/entry.ts';
import { formatYamlFlow } from '../yaml/text.ts';
import type { RaggedRowStats } from './read-input.ts';

type Table = Pick<TableProfile, 'blank' | 'totals' | 'repeatedHeader'>;

/** Returns the source options that leave out rows without a person: deleted and blank ones, totals, repeated headers. */
export function buildRowFilterOptions(
  { blank, totals, repeatedHeader }: Table,
  ragged: RaggedRowStats,
  where: RowCondition,
): { readonly skipEmpty?: true; readonly ragged?: 'pad'; readonly where?: RowCondition } {
  const labels = new Map<string, Set<string>>();
  for (const { column, label } of repeatedHeader === undefined ? totals : [...totals, repeatedHeader])
    labels.set(column, (labels.get(column) ?? new Set<string>()).add(label));
  const conditions = {
    ...Object.fromEntries([...labels].map(([column, found]) => [column, notOf(found)])),
    ...where,
  };
  return {
    ...(blank > 0 && { skipEmpty: true }),
    // A row of totals that lacks cells at its end is padded: otherwise it is rejected before "where" can leave it out.
    ...(areAllRaggedRowsTotals(ragged) && { ragged: 'pad' }),
    ...(Object.keys(conditions).length > 0 && { where: conditions }),
  };
}

/**
 * Returns the notes on rows that may be deleted, and are imported; `certain` is the value of "where" without them, `rows`
 * the number of all rows.
 */
export function formatPossiblyDeletedNotes(
  possible: readonly PossiblyDeletedRows[],
  certain: RowCondition,
  rows: number,
): readonly string[] {
  return possible.map(({ words, where, rows: n }) => {
    const condition = formatYamlFlow({ ...certain, ...where });
    return `${n.toLocaleString('en-US')} of ${formatRowCount(rows)} may be deleted, archived, merged or inactive, and ${n === 1 ? 'is' : 'are'} imported: ${words}. To leave ${n === 1 ? 'it' : 'them'} out, write where: ${condition} under the source of the pipeline.`;
  });
}

function notOf(labels: ReadonlySet<string>): YamlValue {
  const [only = '', ...more] = labels;
  return { not: more.length === 0 ? only : [...labels] };
}

/** Returns true if there are ragged rows, and all of them are totals. */
export function areAllRaggedRowsTotals({ rows, totals }: RaggedRowStats): boolean {
  return rows > 0 && rows === totals;
}

/** The number of rows that "where" leaves out as deleted, of all rows that were read. */
export interface DeletedRowCount {
  readonly rows: number;
  readonly of: number;
}

/** Returns notes on the rows that are left out; `where` is the condition for rows that are not deleted. */
export function formatRowFilterNotes(
  { blank, totals, repeatedHeader }: Table,
  where: RowCondition,
  deleted: DeletedRowCount,
): readonly string[] {
  const empty = blank === 1 ? '1 row is blank' : `${blank.toLocaleString('en-US')} rows are blank`;
  const columns = Object.keys(where).map((column) => `"${toPrintableName(column)}"`);
  return [
    ...(deleted.rows === 0
      ? []
      : [
          `${deleted.rows.toLocaleString('en-US')} of ${formatRowCount(deleted.of)} ${deleted.rows === 1 ? 'is' : 'are'} left out by "where": deleted, as ${columns.join(', ')} says. To import deleted rows too, remove this condition from the pipeline.`,
        ]),
    ...(blank === 0 ? [] : [`${empty}: left out by "skipEmpty", and counted as filtered.`]),
    ...(repeatedHeader === undefined ? [] : [repeatedHeaderNote(repeatedHeader)]),
    ...totals.map(
      ({ line, label }) =>
        `Line ${formatRowLine(line)} holds totals ("${toPrintableName(label)}"): left out by "where", and counted as filtered.`,
    ),
  ];
}

function repeatedHeaderNote({ rows, line }: NonNullable<Table['repeatedHeader']>): string {
  const which =
    rows === 1
      ? `Line ${formatRowLine(line)} repeats`
      : `${formatRowCount(rows)}, the first in line ${formatRowLine(line)}, repeat`;
  return `${which} the header: left out by "where", and counted as filtered.`;
}
