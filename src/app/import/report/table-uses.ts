import { toSingleLine } from '../../../model/escape-controls.ts';
import { formatNameList } from '../../../model/listed.ts';
import { formatRowLine, splitRowLine } from '../../../model/row-place.ts';
import {
  type RowsWithExamples,
  type TableUse,
  type TableUseSummary,
  type UnjoinedRow,
  unjoinedReasonLabels,
} from '../../../model/table-use.ts';
import { formatCsvList } from '../../../report/csv-list.ts';
import { formatCount as figure, formatQuantity } from '../../../report/figures.ts';
import { columnsByList } from './lists.ts';

const mostNamed = 10;

/** Yields the text of unjoined.csv in chunks: a line for every row that could not be joined. */
export function formatUnjoinedCsv(pages: AsyncIterable<readonly UnjoinedRow[]>): AsyncIterable<string> {
  return formatCsvList(columnsByList.unjoined, pages, ({ table, line, id, parent, reason }) => [
    table,
    formatRowLine(line),
    id ?? '',
    parent ?? '',
    unjoinedReasonLabels[reason],
  ]);
}

/**
 * Returns a line for each joined table, and one for the tables that the source does not name; empty where there is only
 * one table.
 */
export function formatTableUseLines({ named, others }: TableUseSummary): readonly string[] {
  const joined = named.filter(({ role }) => role === 'joined');
  const width = Math.max(0, ...joined.map(({ table }) => toSingleLine(table).length));
  const lines = joined.map((use) => `${toSingleLine(use.table).padEnd(width)}  ${useText(use)}`);
  if (others.length === 0) return lines;
  const names = others.map(
    ({ table, rows }) =>
      `${toSingleLine(table)} (${rows === null ? 'rows not counted' : formatQuantity(rows, 'row')})`,
  );
  return [...lines, `not read: ${formatNameList(names, mostNamed)}`];
}

function useText({ rows, used, people, filtered, unjoined, unresolved }: TableUse): string {
  const of = unjoined.map(
    (count) => `${figure(count.rows)} ${unjoinedReasonLabels[count.reason]}${examples(count)}`,
  );
  const parts = [
    `${figure(used)} used by ${formatQuantity(people, 'person', 'people')}`,
    ...(filtered === 0 ? [] : [`${figure(filtered)} left out by a filter`]),
    ...of,
    ...(unresolved === undefined ? [] : [`${unresolvedText(unresolved)}${examples(unresolved)}`]),
  ];
  return `${formatQuantity(rows, 'row')}: ${parts.join(', ')}`;
}

function unresolvedText({ rows }: RowsWithExamples): string {
  return `${figure(rows)} ${rows === 1 ? 'person names' : 'people name'} one that is not there`;
}

function examples({ rows, examples: first }: RowsWithExamples): string {
  const shown = first.map(({ line, id }) => {
    const place = formatRowLine(line);
    return id === null ? place : `${place}: ${toSingleLine(id)}`;
  });
  if (shown.length === 0) return '';
  return ` (${shown.length === 1 ? 'line' : 'lines'} ${shown.join(first.some(({ line }) => splitRowLine(line).row > 1) ? '; ' : ', ')}${rows > shown.length ? ' …' : ''})`;
}
