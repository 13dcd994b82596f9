import { useSignal } from '@preact/signals';
import type { ColumnStatistics } from '../../wire/mapping.ts';
import { formatCount, formatPercent } from '../figures.ts';
import { TargetLine } from './target-line.tsx';
import type { MappingViewState } from './view-state.ts';

interface ColumnBlockProps {
  readonly column: ColumnStatistics;
  /** The number of rows that were counted. */
  readonly counted: number;
  readonly sight: MappingViewState;
}

const mostShown = 8;
const mostExamples = 3;

/** A column: its values, its cell in the current row, and its targets. */
export function ColumnBlock({ column, counted, sight }: ColumnBlockProps) {
  const isWide = useSignal(false);
  const { open, row } = sight;
  const outline = open.shown.value?.outline;
  const uses = (outline?.targets ?? []).filter(({ columns }) =>
    columns.some((each) => each.column === column.name),
  );
  const cell = row.value.value?.row?.cells.find(([name]) => name === column.name)?.[1];
  const { name, words, distinct, frequent, filled } = column;
  return (
    <li class="column" aria-label={name}>
      <div class="about">
        <h3>
          {name}
          {outline?.key === name && <span class="tag good">key</span>}
        </h3>
        <p class="note">
          {words}
          {/distinct$/.test(words) ||
            ` · ${distinct.atLeast ? 'at least ' : ''}${formatCount(distinct.n)} distinct`}
        </p>
        <Fill share={counted === 0 ? 0 : filled / counted} />
        <p class="examples">
          {frequent.slice(0, mostExamples).map(({ value }) => (
            <code key={value}>{value}</code>
          ))}
        </p>
        {frequent.length > 0 && (
          <button
            type="button"
            class="link"
            aria-expanded={isWide.value}
            aria-label={`Most frequent values of ${name}`}
            onClick={() => (isWide.value = !isWide.value)}
          >
            {isWide.value ? 'Hide the values' : 'Most frequent values'}
          </button>
        )}
        {isWide.value && <Distribution column={column} counted={counted} />}
      </div>
      <div class="goes">
        <p class="cell">
          <span class="note">In this row:</span>{' '}
          {cell == null || cell === '' ? <span class="note">empty</span> : <code>{cell}</code>}
        </p>
        {[...uses, null].map((target, index, all) => (
          // Keyed by index, so that a changed target keeps the focus.
          <TargetLine key={index} {...{ target, column, sight }} isOnly={all.length === 1} />
        ))}
      </div>
    </li>
  );
}

function Fill({ share }: { readonly share: number }) {
  return (
    <p class="fill">
      <span class="track" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {formatPercent(share, 1)} filled
    </p>
  );
}

function Distribution({
  column: { name, frequent },
  counted,
}: {
  readonly column: ColumnStatistics;
  readonly counted: number;
}) {
  const most = frequent[0]?.n ?? 1;
  return (
    <ul class="distribution" aria-label={`Most frequent values of ${name}`}>
      {frequent.slice(0, mostShown).map(({ value, n }) => (
        <li key={value}>
          <span class="value">{value}</span>
          <span class="track" aria-hidden="true">
            <span style={{ width: `${(n / most) * 100}%` }} />
          </span>
          <span class="note">
            {formatCount(n)} · {formatPercent(n, counted)}
          </span>
        </li>
      ))}
    </ul>
  );
}
