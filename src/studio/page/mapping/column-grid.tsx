import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import type { ColumnStatisticsProgress } from '../../wire/mapping.ts';
import { formatCount, formatPercent } from '../figures.ts';
import { t } from '../language.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { formatTargetWithKind } from '../parts/target-words.ts';
import { GridLineRows, gridColumnHeadings } from './column-lines.tsx';
import { CurrentRowBar } from './current-row-bar.tsx';
import type { MappingGridEntry } from './grid-lines.ts';
import type { MappingViewState } from './view-state.ts';

interface ColumnGridProps {
  /** Undefined until the columns and the mapping are known. */
  readonly lines: readonly MappingGridEntry[] | undefined;
  readonly view: MappingViewState;
}

interface LineFilter {
  readonly label: string;
  fits(line: MappingGridEntry): boolean;
}

/** The columns of the input as a table, a line for each, with a filter and a search; arrow keys move between lines. */
export function ColumnGrid({ lines = [], view }: ColumnGridProps) {
  const filters = listFilters(view);
  const filter = useSignal(filters[0]?.label);
  const search = useSignal('');
  // A change may exclude the line that has the focus from the filter; the line stays until another one gets the focus,
  // or the filter or the search changes.
  const focused = useSignal('');
  const { value, problem } = view.columns;
  const found = value.value?.columns;
  const chosen = filters.find(({ label }) => label === filter.value);
  const shown = lines.filter(
    (line) => line.id === focused.value || (chosen?.fits(line) !== false && matches(line, search.value)),
  );
  return (
    <section aria-labelledby="columns-head">
      <div class="row grid-head small">
        <h2 id="columns-head">{t('Columns')}</h2>
        {found !== undefined && <p class="note">{formatProgress(found)}</p>}
        <fieldset class="choice" aria-label={t('Columns to show')}>
          {filters.map(({ label, fits }, index) => (
            <button
              key={label}
              type="button"
              aria-pressed={label === filter.value}
              onClick={() => {
                filter.value = label;
                focused.value = '';
              }}
            >
              {label} {index > 0 && <b>{formatCount(lines.filter(fits).length)}</b>}
            </button>
          ))}
        </fieldset>
        <input
          type="search"
          aria-label={t('Search the columns')}
          placeholder={t('Search')}
          value={search}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value;
            focused.value = '';
          }}
        />
      </div>
      <ProblemNotice problem={problem.value} />
      {found === undefined && problem.value === undefined && <p role="status">{t('Reading the columns…')}</p>}
      {found !== undefined && <CurrentRowBar {...view} />}
      {lines.length > 0 && (
        <table class="columns stacks small" aria-labelledby="columns-head" onKeyDown={moveFocus}>
          <thead>
            <tr>
              {gridColumnHeadings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          {shown.map((line) => (
            <GridLineRows
              key={line.id}
              {...{ line, view, counted: found?.counted ?? 0 }}
              onFocus={() => (focused.value = line.id)}
            />
          ))}
        </table>
      )}
      {lines.length > 0 && shown.length === 0 && <p role="status">{t('No column fits.')}</p>}
    </section>
  );
}

function listFilters({ open, counts }: MappingViewState): readonly LineFilter[] {
  const key = open.shown.value?.outline?.key;
  const reasons = counts.value.value?.counts.reasons ?? [];
  return [
    { label: t('All'), fits: () => true },
    { label: t('With a question'), fits: ({ questions }) => questions.length > 0 },
    {
      label: t('Left out'),
      fits: ({ name, targets, alsoIn }) => targets.length + alsoIn.length === 0 && name !== key,
    },
    {
      label: t('With problems'),
      fits: ({ isMissing, targets }) =>
        isMissing || targets.some(({ name }) => reasons.some(({ target }) => target === name)),
    },
  ];
}

function matches({ name, column, targets, alsoIn }: MappingGridEntry, text: string): boolean {
  const examples = column?.frequent.map(({ value }) => value) ?? [];
  return [name, ...[...targets, ...alsoIn].map(formatTargetWithKind), ...examples].some((each) =>
    each.toLowerCase().includes(text.trim().toLowerCase()),
  );
}

function formatProgress({ columns, moreColumns, done, rows, share }: ColumnStatisticsProgress): string {
  const values = { n: columns.length, more: moreColumns };
  return done
    ? t(
        '{n, plural, one {# column} other {# columns}}, all {rows, plural, one {# row} other {# rows}} read{more, plural, =0 {} one {; # further column not shown} other {; # further columns not shown}}',
        { ...values, rows },
      )
    : t(
        '{n, plural, one {# column} other {# columns}}, {percent} of the file read{more, plural, =0 {} one {; # further column not shown} other {; # further columns not shown}}',
        { ...values, percent: formatPercent(share, 1) },
      );
}

/** Moves the focus from the button of a line to that of another. */
function moveFocus(event: TargetedKeyboardEvent<HTMLTableElement>): void {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('th > button.plain')];
  const at = event.target instanceof HTMLElement ? lines.indexOf(event.target) : -1;
  const moves = new Map([
    ['ArrowDown', at + 1],
    ['ArrowUp', at - 1],
    ['Home', 0],
    ['End', lines.length - 1],
  ]);
  const to = at < 0 ? undefined : moves.get(event.key);
  if (to === undefined) return;
  event.preventDefault();
  lines[Math.max(0, Math.min(lines.length - 1, to))]?.focus();
}
