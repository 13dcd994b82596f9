import type { RowsPage } from '../../wire/mapping.ts';
import { rich, t } from '../language.ts';
import { problemEffectLabels } from '../parts/problem-words.ts';
import { ExternalText } from '../parts/shown-text.tsx';
import { formatTargetWithKind } from '../parts/target-words.ts';
import { TargetResultView, ValueTraceList } from './result.tsx';
import type { MappingViewState } from './view-state.ts';

interface CellDetailProps {
  readonly row: RowsPage['rows'][number];
  /** The column of the cell; undefined for a record that is not a row. */
  readonly column: string | undefined;
  readonly view: MappingViewState;
}

/** A cell of a row as it is in the file, what each target makes of it, and the problems of the row. */
export function CellDetail({ row, column, view }: CellDetailProps) {
  const traced = view.row.value.value?.row;
  const isRead = traced?.number === row.number;
  const reading =
    (isRead && traced.trace.targets.filter(({ cells }) => cells.some((each) => each.column === column))) ||
    [];
  const targets = (view.open.shown.value?.outline?.targets ?? []).filter(
    ({ name, columns }) =>
      columns.some((each) => each.column === column) && reading.some(({ target }) => target === name),
  );
  const shown = new Set(
    reading.flatMap(({ problems, notes }) => [...problems, ...notes].map(({ reason }) => reason)),
  );
  const others = row.problems.filter((each) => !shown.has(each.reason) && (each.column ?? column) === column);
  const raw = row.raw ?? row.cells.find(([name]) => name === column)?.[1] ?? '';
  return (
    <div class="opened" aria-live="polite">
      <h3>
        {column === undefined
          ? t('Line {line, number}', { line: row.line })
          : rich('Line {line, number}, {column}', { line: row.line, column: <ExternalText text={column} /> })}
      </h3>
      <dl>
        <div>
          <dt>{t('In the file')}</dt>
          <dd>
            {raw === '' ? (
              <span class="note">{t('empty')}</span>
            ) : (
              <code>
                <ExternalText text={raw} />
              </code>
            )}
          </dd>
        </div>
        {targets.map((target) => (
          <div key={target.path.join('.')}>
            <dt>{formatTargetWithKind(target)}</dt>
            <dd>
              <ValueTraceList {...{ target, view }} />
              <TargetResultView {...{ target, view }} />
            </dd>
          </div>
        ))}
      </dl>
      {others.map(({ code, effect, reason }) => (
        <p key={code} class="wrong">
          {t('{effect}: {reason}', { effect: problemEffectLabels[effect], reason })}
        </p>
      ))}
      {isRead && column !== undefined && targets.length === 0 && (
        <p class="note">{t('No target reads this column: the import leaves it out.')}</p>
      )}
    </div>
  );
}
