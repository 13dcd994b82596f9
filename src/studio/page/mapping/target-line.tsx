import { useSignal } from '@preact/signals';
import type { ColumnStatistics, TargetOutline } from '../../wire/mapping.ts';
import { formatCount } from '../figures.ts';
import { TargetResult } from './result.tsx';
import { TargetDetail } from './target-detail.tsx';
import { TargetSelect } from './target-select.tsx';
import { formatTargetWithKind } from './target-words.ts';
import type { MappingViewState } from './view-state.ts';

interface TargetLineProps {
  /** The target; null for the line in which the user adds one. */
  readonly target: TargetOutline | null;
  /** The column of the line; undefined for a target without a column, which cannot be changed here. */
  readonly column?: ColumnStatistics;
  /** True if the column has no target, so that the line for adding one is its only line. */
  readonly isOnly?: boolean;
  readonly sight: MappingViewState;
}

/**
 * A target with its results. If the column is its source, or if it is a comment, a select field changes it; otherwise
 * only its name is shown.
 */
export function TargetLine({ target, column, isOnly = false, sight }: TargetLineProps) {
  const how = target?.columns.find((each) => each.column === column?.name)?.as;
  const canMove = target === null || how === 'from' || target.name === 'comments';
  return (
    <div class="target">
      {column !== undefined && canMove ? (
        <TargetSelect {...{ open: sight.open, column, use: target, isOnly }} />
      ) : (
        target !== null && (
          <p class="fixed">
            {formatTargetWithKind(target)}{' '}
            {column !== undefined && <span class="note">(in its {howWords[how ?? 'other']})</span>}
          </p>
        )
      )}
      {target !== null && <Outcome target={target} sight={sight} />}
    </div>
  );
}

const howWords = { from: 'source', template: 'text', other: 'rule' } as const;

interface OutcomeProps {
  readonly target: TargetOutline;
  readonly sight: MappingViewState;
}

/** The value of the current row for a target, the number of rows with a value, and its rule. */
function Outcome({ target, sight }: OutcomeProps) {
  const isOpen = useSignal(false);
  const all = sight.counts.value.value?.counts;
  // Rows are counted for all comments together, not for each.
  const filled = target.name === 'comments' ? undefined : (all?.filled[target.name] ?? 0);
  return (
    <>
      <TargetResult target={target} sight={sight} />
      <p class="note figures">
        {all !== undefined && filled !== undefined && `${formatCount(filled)} filled`}
        {all !== undefined && <Lost target={target} sight={sight} />}
        {all !== undefined && filled !== undefined && ' · '}
        <button
          type="button"
          class="link"
          aria-expanded={isOpen.value}
          aria-label={`Rule of ${formatTargetWithKind(target)}`}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? 'Close' : 'Rule'}
        </button>
      </p>
      {isOpen.value && <TargetDetail target={target} sight={sight} />}
    </>
  );
}

function Lost({ target, sight: { counts } }: OutcomeProps) {
  const reasons = counts.value.value?.counts.reasons.filter((reason) => reason.target === target.name) ?? [];
  const sum = (effect: string) =>
    reasons.filter((reason) => reason.effect === effect).reduce((all, { n }) => all + n, 0);
  const [rejected, dropped] = [sum('rejected'), sum('dropped')];
  return (
    <>
      {rejected > 0 && <span class="bad">, {formatCount(rejected)} rejected</span>}
      {dropped > 0 && <span class="look">, {formatCount(dropped)} lost</span>}
    </>
  );
}
