import { useSignal } from '@preact/signals';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { project } from '../project.ts';
import type { MappingViewState } from './view-state.ts';

/** Buttons that move between rows, the outcome of the current row, and a button that makes an example test of it. */
export function CurrentRowBar({ open, counts, row, wanted }: MappingViewState) {
  const made = useSignal('');
  const all = counts.value.value?.counts;
  const last = all?.done ? all.rows - 1 : Number.POSITIVE_INFINITY;
  const current = row.value.value?.row;
  const number = 'number' in wanted.value ? wanted.value.number : (current?.number ?? null);
  const isOff = project.value.readOnly || current == null;
  const go = (to: number) => {
    made.value = '';
    wanted.value = { number: Math.max(0, Math.min(last, to)) };
  };
  return (
    <div class="row-bar">
      <div class="steps">
        <button
          type="button"
          class="quiet"
          aria-disabled={number === 0}
          onClick={() => go((number ?? 0) - 1)}
        >
          Previous row
        </button>
        <button
          type="button"
          class="quiet"
          aria-disabled={number !== null && number >= last}
          onClick={() => go((number ?? -1) + 1)}
        >
          Next row
        </button>
      </div>
      <label class="number">
        Line
        <input
          type="number"
          min={1}
          value={current?.trace.line ?? ''}
          onChange={({ currentTarget: { valueAsNumber: line } }) => {
            made.value = '';
            if (Number.isInteger(line) && line > 0) wanted.value = { atLine: line };
          }}
        />
      </label>
      <span role="status" class="which">
        {number === null ? 'No row' : `Row ${formatCount(number + 1)}`}
        {current != null && (
          <>
            , line {formatCount(current.trace.line)}{' '}
            <span class={`tag ${current.trace.isRejected ? 'bad' : 'good'}`}>
              {current.trace.isRejected ? 'rejected' : 'passes'}
            </span>
          </>
        )}
        {current === null && (number === null ? ' in this line or after it' : ': cannot be read as a row')}
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
        {made.value === ''
          ? formatCountWithNoun(open.shown.value?.outline?.tests ?? 0, 'example test')
          : made.value}
      </span>
      {current?.trace.problems.map(({ code, reason }) => (
        <p key={code} class="wrong">
          {reason}
        </p>
      ))}
    </div>
  );
}

/** Returns a copy that has only what JSON can hold. */
function exampleOf(example: object) {
  return JSON.parse(JSON.stringify(example));
}
