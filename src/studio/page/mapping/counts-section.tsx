import type { RowCountsProgress } from '../../wire/mapping.ts';
import { formatPercent } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { StackedBar } from '../parts/bar.tsx';
import { Button } from '../parts/controls.tsx';
import { Section, StatusNote } from '../parts/notice.tsx';
import { buildProblemKey, formatProblem, problemEffectLabels } from '../parts/problem-words.ts';
import { formatTargetLabel } from '../parts/target-words.ts';
import { RowConditionList } from './row-conditions.tsx';
import type { MappingViewState, RowsFilter } from './view-state.ts';

/** The counts of all rows of the input by outcome, and their problems, each of which opens its rows. */
export function RowCountsSection({ open, counts: { value, problem, isOld }, ...view }: MappingViewState) {
  const counts = value.value?.counts;
  // The mistakes of the mapping are listed at its top, with links to their lines.
  const isMistaken = problem.value?.message.startsWith(`${open.path}:`);
  return (
    <Section title={t('Rows by outcome')} problem={isMistaken ? undefined : problem.value}>
      {isMistaken && <p>{t('The rows are counted once the mistakes in the mapping are corrected.')}</p>}
      {counts === undefined ? (
        problem.value === undefined && <p role="status">{t('Reading the input…')}</p>
      ) : (
        <Counts counts={counts} isOld={isOld.value} onRows={(filter) => (view.rowsOf.value = filter)} />
      )}
      <RowConditionList pipeline={view.pipeline} />
    </Section>
  );
}

interface CountsProps {
  readonly counts: RowCountsProgress;
  readonly isOld: boolean;
  onRows(filter: RowsFilter): void;
}

function Counts({ counts, isOld, onRows }: CountsProps) {
  const { pass, rejected, filtered, loseValue, rejectedIfNew, reasons, asked, leftOut } = counts;
  return (
    <div class={isOld ? 'old' : ''}>
      <StatusNote>{readWords(counts, isOld)}</StatusNote>
      <StackedBar
        label={t('Rows by outcome')}
        parts={[
          { state: 'created', label: t('pass'), n: pass - loseValue },
          { state: 'proposed', label: t('pass, but lose a value'), n: loseValue },
          { state: 'rejected', label: t('rejected'), n: rejected },
          { state: 'filtered', label: t('filtered'), n: filtered, meaning: t('Left out by the pipeline.') },
        ]}
      />
      {rejectedIfNew > 0 && (
        <p>
          {t(
            '{n, plural, one {# row of those that pass is} other {# rows of those that pass are}} rejected where the person is new.',
            { n: rejectedIfNew },
          )}
        </p>
      )}
      {reasons.length > 0 && (
        <ul class="lines" aria-label={t('Reasons')}>
          {reasons.map((reason) => (
            <li key={buildProblemKey(reason)}>
              <button
                type="button"
                class="plain"
                title={reason.code}
                onClick={() => onRows({ problem: buildProblemKey(reason) })}
              >
                <span class={`tag ${reason.effect === 'rejected' ? 'bad' : 'look'}`}>
                  {problemEffectLabels[reason.effect]}
                </span>
                <span>{formatProblem(reason)}</span>
                <b>{t('{n, plural, one {# row} other {# rows}}', { n: reason.n })}</b>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Button class="quiet" label={t('Search the rows')} onClick={() => onRows({})} />
      </p>
      {asked.length > 0 && (
        <p class="note">
          {t('Left out until answered: {targets}.', {
            targets: asked.map((name) => formatTargetLabel(name)).join(', '),
          })}
        </p>
      )}
      <details>
        <summary>{t('What these counts leave out')}</summary>
        <ul class="note">
          {leftOut.map((text) => (
            <li key={text}>{translateEngineText(text)}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function readWords({ rows, share, done }: RowCountsProgress, isOld: boolean): string {
  if (isOld) return t('Counting again…');
  return done
    ? t('All {n, plural, one {# row} other {# rows}} of the input', { n: rows })
    : t('{n, plural, one {# row} other {# rows}} so far: {percent} of the file', {
        n: rows,
        percent: formatPercent(share, 1),
      });
}
