import type { ColumnStatistics } from '../../wire/mapping.ts';
import { formatCountWithNoun, formatPercent } from '../figures.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { ColumnBlock } from './column-block.tsx';
import { CurrentRowBar } from './current-row-bar.tsx';
import type { MappingEditorState } from './open-mapping.ts';
import { TargetsWithoutColumn } from './other-targets.tsx';
import type { MappingViewState } from './view-state.ts';

/** The columns of the input, each with its values, its targets, and their results in the current row. */
export function ColumnList(sight: MappingViewState) {
  const { value, problem } = sight.columns;
  const found = value.value?.columns;
  const lacking = found?.done ? lackingColumns(sight.open, found.columns) : [];
  return (
    <section aria-labelledby="columns-head">
      <h2 id="columns-head">Columns</h2>
      <ProblemNotice problem={problem.value} />
      {found === undefined ? (
        problem.value === undefined && <p role="status">Reading the columns…</p>
      ) : (
        <>
          <p class="note read">
            {found.done
              ? `${formatCountWithNoun(found.columns.length, 'column')}, all ${formatCountWithNoun(found.rows, 'row')} read`
              : `${formatCountWithNoun(found.columns.length, 'column')}, ${formatPercent(found.share, 1)} of the file read`}
            {found.moreColumns > 0 &&
              `; ${formatCountWithNoun(found.moreColumns, 'further column')} not shown`}
          </p>
          <CurrentRowBar {...sight} />
          <ul class="columns">
            {found.columns.map((column) => (
              <ColumnBlock key={column.name} column={column} counted={found.counted} sight={sight} />
            ))}
          </ul>
          {lacking.length > 0 && (
            <p class="note">The mapping also reads: {lacking.join(', ')}. The input has no such column.</p>
          )}
        </>
      )}
      <TargetsWithoutColumn sight={sight} />
    </section>
  );
}

function lackingColumns(open: MappingEditorState, columns: readonly ColumnStatistics[]): readonly string[] {
  const known = new Set(columns.map(({ name }) => name));
  const read = open.shown.value?.outline?.targets.flatMap((target) => target.columns) ?? [];
  const isPlain = (column: string) => !/[.[\]]/.test(column);
  return [...new Set(read.filter(({ as }) => as === 'from').map(({ column }) => column))].filter(
    (column) => !known.has(column) && isPlain(column),
  );
}
