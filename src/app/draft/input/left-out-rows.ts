import type { RowCondition } from '../joins/conditions.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { toPrintableName, type YamlValue } from '../yaml/entry.ts';
import type { RaggedRows } from './read-input.ts';

type Table = Pick<TableProfile, 'blank' | 'totals'>;

/** Returns the source options that leave out rows without a person: deleted ones, blank ones and totals. */
export function buildRowFilterOptions(
  { blank, totals }: Table,
  ragged: RaggedRows,
  where: RowCondition,
): { readonly [option: string]: YamlValue } {
  const labels = new Map<string, Set<string>>();
  for (const { column, label } of totals)
    labels.set(column, (labels.get(column) ?? new Set<string>()).add(label));
  const conditions = {
    ...Object.fromEntries([...labels].map(([column, found]) => [column, notOf(found)])),
    ...where,
  };
  return {
    ...(blank > 0 && { skipEmpty: true }),
    // Totals with missing cells at the end must be padded to rows before "where" can leave them out.
    ...(hasOnlyTotalsRows(ragged) && { ragged: 'pad' }),
    ...(Object.keys(conditions).length > 0 && { where: conditions }),
  };
}

function notOf(labels: ReadonlySet<string>): YamlValue {
  const [only = '', ...more] = labels;
  return { not: more.length === 0 ? only : [...labels] };
}

/** Returns true if all ragged rows are totals. */
export function hasOnlyTotalsRows({ rows, totals }: RaggedRows): boolean {
  return rows > 0 && rows === totals;
}

/** Returns notes on the rows that are left out. */
export function formatRowFilterNotes({ blank, totals }: Table): readonly string[] {
  const empty = blank === 1 ? '1 row is blank' : `${blank.toLocaleString('en-US')} rows are blank`;
  return [
    ...(blank === 0 ? [] : [`${empty}: left out by "skipEmpty", and counted as filtered.`]),
    ...totals.map(
      ({ line, label }) =>
        `Line ${line} holds totals ("${toPrintableName(label)}"): left out by "where", and counted as filtered.`,
    ),
  ];
}
