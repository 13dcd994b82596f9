import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { listLostTargets } from '../../wire/lost-targets.ts';
import type { TargetOutline } from '../../wire/mapping.ts';
import { formatPercent } from '../figures.ts';
import { t } from '../language.ts';
import { Button, SelectField } from '../parts/controls.tsx';
import { buildProblemKey, formatEffectCount, formatProblem } from '../parts/problem-words.ts';
import { ExternalText, showInvisibleCharacters } from '../parts/shown-text.tsx';
import { formatTargetWithKind } from '../parts/target-words.ts';
import { project } from '../project.ts';
import type { MappingGridEntry } from './grid-lines.ts';
import { GridLineDetails } from './line-details.tsx';
import { buildQuestionKey, DraftQuestionForm } from './questions.tsx';
import { TargetResultView } from './result.tsx';
import { describeRule } from './rule-words.ts';
import { TargetSelect } from './target-select.tsx';
import type { MappingViewState, TargetProps } from './view-state.ts';

interface ColumnLinesProps {
  readonly line: MappingGridEntry;
  readonly counted: number;
  readonly view: MappingViewState;
  onFocus(): void;
}

/** The headings of the grid's columns, in order. */
export const gridColumnHeadings = [
  t('Column'),
  t('Examples'),
  t('Filled'),
  t('Goes to'),
  t('Read as'),
  t('Rows'),
  t('In this row'),
  t('Becomes'),
];

const [, examples, filled, goesTo, readAs, counts, inRow, becomes] = gridColumnHeadings;
const mostExamples = 3;
const controls = 'button, select, input, textarea, label, a, summary, .detail, .question';

/** A line of the grid: a table row for each target, its questions, and its details, which a click opens. */
export function GridLineRows({ line, counted, view, onFocus }: ColumnLinesProps) {
  const isOpen = useSignal(false);
  const { name, column, isMissing, targets, questions } = line;
  const toggle = () => (isOpen.value = !isOpen.value);
  const rows = targets.length === 0 ? [null] : targets;
  const cell = view.row.value.value?.row?.cells.find(([each]) => each === name)?.[1];
  const isKey = column !== null && view.open.shown.value?.outline?.key === name;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in the line does the same by the keyboard
    <tbody
      class={questions.length > 0 ? 'asked' : ''}
      onFocusIn={onFocus}
      onClick={({ target }) => {
        const isControl = target instanceof Element && target.closest(controls) !== null;
        if (!isControl && getSelection()?.isCollapsed !== false) toggle();
      }}
    >
      {rows.map((target, index) => (
        // Keyed by index, so that a changed target keeps the focus.
        <tr key={index}>
          {index === 0 && (
            <>
              <th scope="row" rowSpan={rows.length} colSpan={column === null ? 3 : 1}>
                <button type="button" class="plain" aria-expanded={isOpen.value} onClick={toggle}>
                  <bdi title={name}>{name}</bdi>
                  {isKey && <span class="tag good">{t('key')}</span>}
                  {isMissing && <span class="tag bad">{t('not in the input')}</span>}
                </button>
                {isMissing && <RenamedColumn name={name} view={view} />}
              </th>
              {column !== null && (
                <>
                  <td class="examples" data-head={examples} rowSpan={rows.length}>
                    {column.frequent.slice(0, mostExamples).map(({ value }) => (
                      <code key={value}>
                        <bdi>{value}</bdi>
                      </code>
                    ))}
                  </td>
                  <td class="filled" data-head={filled} rowSpan={rows.length}>
                    {formatPercent(column.filled, counted)}
                    <span class="track" aria-hidden="true">
                      <span
                        style={{
                          width: `${counted === 0 ? 0 : (100 * column.filled) / counted}%`,
                          ...(isColumnLost(line, view) && { background: 'var(--rejected)' }),
                        }}
                      />
                    </span>
                  </td>
                </>
              )}
            </>
          )}
          <td data-head={goesTo}>
            <TargetCell {...{ line, target, view }} />
          </td>
          <td class="note reads" data-head={readAs}>
            {target !== null && describeRule(target.rule)}
          </td>
          <td class="note" data-head={counts}>
            {target !== null && <TargetCounts {...{ target, view }} />}
          </td>
          {index === 0 && (
            <td class="cell" data-head={inRow} rowSpan={rows.length}>
              {column !== null &&
                (cell == null || cell === '' ? (
                  <span class="note">{t('empty')}</span>
                ) : (
                  <code>
                    <ExternalText text={cell} />
                  </code>
                ))}
            </td>
          )}
          <td data-head={becomes}>{target !== null && <TargetResultView {...{ target, view }} />}</td>
        </tr>
      ))}
      {questions.map((question) => (
        <tr key={buildQuestionKey(question)}>
          <td colSpan={gridColumnHeadings.length}>
            <DraftQuestionForm {...{ question, column, open: view.open }} />
          </td>
        </tr>
      ))}
      {isOpen.value && (
        <tr>
          <td colSpan={gridColumnHeadings.length}>
            <GridLineDetails {...{ line, counted, view }} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The list of the input's columns, for a column that the mapping reads and a newer file calls differently. */
function RenamedColumn({
  name,
  view: { open, columns },
}: {
  readonly name: string;
  readonly view: MappingViewState;
}) {
  const names = columns.value.value?.columns.columns.map((each) => each.name) ?? [];
  return (
    <SelectField
      label={t('Renamed? Its name in this file')}
      value=""
      options={[['', t('Choose…')], ...names.map((each) => [each, showInvisibleCharacters(each)] as const)]}
      onChoose={(to) => void open.change({ kind: 'renameColumn', column: name, to })}
    />
  );
}

function isColumnLost({ targets }: MappingGridEntry, { counts }: MappingViewState): boolean {
  const all = counts.value.value?.counts;
  const lost = all === undefined ? [] : listLostTargets(all);
  return targets.length > 0 && targets.every(({ name }) => lost.includes(name));
}

interface TargetCellProps {
  readonly line: MappingGridEntry;
  readonly target: TargetOutline | null;
  readonly view: MappingViewState;
}

/** A select field for a target of a column, with the other targets that use the column. */
function TargetCell({ line: { name, column, alsoIn }, target, view: { open } }: TargetCellProps) {
  if (column === null) {
    if (target === null || !target.columns.some((each) => each.as === 'from'))
      return <span class="note">{t('From a text or a fixed value')}</span>;
    const isRead = target.columns.some((each) => each.column === name);
    return (
      <>
        {formatTargetWithKind(target)}{' '}
        {isRead && !project.value.readOnly && (
          <Button
            class="link"
            label={t('Leave out')}
            onClick={() =>
              open.change({ kind: 'moveColumn', column: name, from: [...target.path], to: null, rule: {} })
            }
          />
        )}
      </>
    );
  }
  return (
    <>
      <TargetSelect {...{ open, column, use: target, isOnly: target === null }} />
      {target === null && alsoIn.length === 0 && column.distinct.n === 1 && !column.distinct.atLeast && (
        <span class="note">{t('only one value')}</span>
      )}
      {alsoIn.length > 0 && (
        <span class="note">
          {t('Also in {targets}', { targets: alsoIn.map(formatTargetWithKind).join(', ') })}
        </span>
      )}
    </>
  );
}

/** The number of rows that give the target a value, and a button for each problem, which shows its rows. */
function TargetCounts({ target: { name }, view: { counts, rowsOf } }: TargetProps) {
  const all = counts.value.value?.counts;
  // A target with an open question is not counted yet.
  if (all === undefined || all.asked.includes(name)) return null;
  const isLost = listLostTargets(all).includes(name);
  return (
    <>
      {/* Rows are counted for all comments together, not for each. */}
      {name !== 'comments' && t('{n, number} good', { n: all.filled[name] ?? 0 })}
      {all.reasons
        .filter(({ target }) => target === name)
        .map((reason) => (
          <Fragment key={buildProblemKey(reason)}>
            {' '}
            <Button
              label={formatEffectCount(reason)}
              class={`link ${reason.effect === 'rejected' || isLost ? 'bad' : 'look'}`}
              title={formatProblem(reason)}
              onClick={() => (rowsOf.value = { problem: buildProblemKey(reason) })}
            />
          </Fragment>
        ))}
    </>
  );
}
