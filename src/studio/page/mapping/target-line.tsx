import { useSignal } from '@preact/signals';
import type { ColumnFigures, OutlinedTarget } from '../../wire/mapping.ts';
import { count } from '../figures.ts';
import type { Sight } from './column-list.tsx';
import { Result } from './result.tsx';
import { TargetDetail } from './target-detail.tsx';
import { TargetSelect } from './target-select.tsx';
import { fullWords } from './target-words.ts';

interface TargetLineProps {
  readonly target: OutlinedTarget;
  /** Where it is shown with its column; otherwise with its name alone. */
  readonly column?: ColumnFigures;
  readonly sight: Sight;
}

/** A target: what the current row gives it, how many rows do, and its rule. */
export function TargetLine({ target, column, sight }: TargetLineProps) {
  const isOpen = useSignal(false);
  const { open, counts } = sight;
  const how = target.columns.find((each) => each.column === column?.name)?.as;
  const canMove = column !== undefined && (how === 'from' || target.name === 'comments');
  const all = counts.value.value?.counts;
  // Comments are counted together.
  const filled = target.name === 'comments' ? undefined : (all?.filled[target.name] ?? 0);
  const words = fullWords(target);
  return (
    <div class="target">
      {canMove ? (
        <TargetSelect {...{ open, column, use: target }} />
      ) : (
        <p class="fixed">
          {words} {column !== undefined && <span class="note">(in its {howWords[how ?? 'other']})</span>}
        </p>
      )}
      <Result target={target} sight={sight} />
      <p class="note figures">
        {all !== undefined && filled !== undefined && `${count(filled)} filled`}
        {all !== undefined && <Lost target={target} sight={sight} />}{' '}
        <button
          type="button"
          class="link"
          aria-expanded={isOpen.value}
          aria-label={`Rule of ${words}`}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {isOpen.value ? 'Close' : 'Rule'}
        </button>
      </p>
      {isOpen.value && <TargetDetail target={target} sight={sight} />}
    </div>
  );
}

const howWords = { from: 'source', template: 'text', other: 'rule' } as const;

function Lost({ target, sight: { counts } }: Omit<TargetLineProps, 'column'>) {
  const reasons = counts.value.value?.counts.reasons.filter((reason) => reason.target === target.name) ?? [];
  const sum = (effect: string) =>
    reasons.filter((reason) => reason.effect === effect).reduce((all, { n }) => all + n, 0);
  const [rejected, dropped] = [sum('rejected'), sum('dropped')];
  return (
    <>
      {rejected > 0 && <span class="bad">, {count(rejected)} rejected</span>}
      {dropped > 0 && <span class="look">, {count(dropped)} lost</span>}
    </>
  );
}
