import { useSignal } from '@preact/signals';
import { count, counted } from '../figures.ts';
import { project } from '../project.ts';
import type { Sight } from './sight.ts';

/** Goes from row to row, says what becomes of the one that is shown, and makes an example test of it. */
export function CurrentRowBar({ open, counts, row, number }: Sight) {
  const made = useSignal('');
  const all = counts.value.value?.counts;
  const last = all?.done ? all.rows - 1 : Number.POSITIVE_INFINITY;
  const current = row.value.value?.row;
  const isOff = project.value.readOnly || current == null;
  const go = (to: number) => {
    made.value = '';
    number.value = Math.max(0, Math.min(last, to));
  };
  return (
    <div class="row-bar">
      <div class="steps">
        <button
          type="button"
          class="quiet"
          aria-disabled={number.value === 0}
          onClick={() => go(number.value - 1)}
        >
          Previous row
        </button>
        <button
          type="button"
          class="quiet"
          aria-disabled={number.value >= last}
          onClick={() => go(number.value + 1)}
        >
          Next row
        </button>
      </div>
      <span role="status" class="which">
        Row {count(number.value + 1)}
        {current != null && (
          <>
            , line {count(current.trace.line)}{' '}
            <span class={`tag ${current.trace.isRejected ? 'bad' : 'good'}`}>
              {current.trace.isRejected ? 'rejected' : 'passes'}
            </span>
          </>
        )}
        {current === null && ': cannot be read as a row'}
      </span>
      <button
        type="button"
        class="quiet"
        aria-disabled={isOff}
        onClick={() => {
          if (isOff) return;
          void open.change({ kind: 'addTest', test: exampleOf(current.example) });
          made.value = 'Added to the tests of the mapping.';
        }}
      >
        Make an example test
      </button>
      <span class="note" role="status">
        {made.value === '' ? counted(open.shown.value?.outline?.tests ?? 0, 'example test') : made.value}
      </span>
      {current?.trace.problems.map(({ code, reason }) => (
        <p key={code} class="wrong">
          {reason}
        </p>
      ))}
    </div>
  );
}

/** A copy as it is sent. */
function exampleOf(example: object) {
  return JSON.parse(JSON.stringify(example));
}
