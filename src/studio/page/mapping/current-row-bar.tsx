import { useSignal } from '@preact/signals';
import { parseTypedRowLine } from '../../wire/row-line.ts';
import { formatRowLine, formatTypedRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { problemEffectLabels } from '../parts/problem-words.ts';
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
    <div class="row row-bar small">
      <div class="row">
        <Button
          class="quiet"
          label={t('Previous row')}
          aria-disabled={number === 0}
          onClick={() => go((number ?? 0) - 1)}
        />
        <Button
          class="quiet"
          label={t('Next row')}
          aria-disabled={number !== null && number >= last}
          onClick={() => go((number ?? -1) + 1)}
        />
      </div>
      <label class="row">
        {t('Line')}
        <input
          type="text"
          value={current == null ? '' : formatTypedRowLine(current.trace.line)}
          onChange={({ currentTarget: { value } }) => {
            made.value = '';
            const atLine = parseTypedRowLine(value);
            if (atLine !== undefined) wanted.value = { atLine };
          }}
        />
      </label>
      <span role="status" class="which">
        {formatRowPlace(number, current)} {current != null && <RowOutcomeTag {...current.trace} />}
      </span>
      <Button
        class="quiet"
        label={t('Make an example test')}
        aria-disabled={isOff}
        onClick={() => {
          if (isOff) return;
          void open.change({ kind: 'addTest', test: exampleOf(current.example) });
          made.value = t('Added to the tests of the mapping.');
        }}
      />
      <span class="note" role="status">
        {made.value === ''
          ? t('{n, plural, one {# example test} other {# example tests}}', {
              n: open.shown.value?.outline?.tests ?? 0,
            })
          : made.value}
      </span>
      {current?.trace.problems.map(({ code, reason }) => (
        <p key={code} class="wrong">
          {translateEngineText(reason)}
        </p>
      ))}
    </div>
  );
}

function RowOutcomeTag({ isRejected, losesValue }: { isRejected: boolean; losesValue: boolean }) {
  if (isRejected) return <span class="tag bad">{problemEffectLabels.rejected}</span>;
  if (losesValue) return <span class="tag look">{problemEffectLabels.dropped}</span>;
  return <span class="tag good">{t('passes')}</span>;
}

/** Formats the place of a row; the row is undefined before it is read, and null if it cannot be read. */
function formatRowPlace(
  number: number | null,
  row: { readonly trace: { readonly line: number } } | null | undefined,
): string {
  if (number === null) return row === null ? t('No row in this line or after it') : t('No row');
  const n = number + 1;
  if (row === undefined) return t('Row {n, number}', { n });
  return row === null
    ? t('Row {n, number}: cannot be read as a row', { n })
    : t('Row {n, number}, line {line}', { n, line: formatRowLine(row.trace.line) });
}

/** Returns a copy that has only what JSON can hold. */
function exampleOf(example: object) {
  return JSON.parse(JSON.stringify(example));
}
