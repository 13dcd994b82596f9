import { Fragment } from 'preact';
import type { PlanDetails, PlanSummary } from '../../wire/plans.ts';
import { formatCount, formatDuration } from '../figures.ts';
import { rich, t, translateEngineText } from '../language.ts';
import { DataTable } from '../parts/lists.tsx';
import { Section } from '../parts/notice.tsx';

/** The limits of the pipeline's guard, with the plan's figures; nothing without a guard. */
export function GuardLimitTable({ limits }: { readonly limits: PlanDetails['guard'] }) {
  if (limits.length === 0) return null;
  return (
    <Section title={t('Guard')}>
      <ul class="lines">
        {limits.map(({ name, what, planned, allowed, isOver }) => (
          <li key={name} class="with-count">
            <span>
              {rich('<b>{planned, number}</b> {what} <note>of {allowed} allowed</note>', {
                ...{ planned, what: translateEngineText(what), allowed: translateEngineText(allowed) },
                b: (parts) => <b>{parts}</b>,
                note: (parts) => <span class="note">{parts}</span>,
              })}
            </span>
            <span class={`tag ${isOver ? 'bad' : 'good'}`}>
              {isOver ? t('stops the import') : t('within')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The table of planned requests by method and path, with the time that each takes at the rate limit. */
export function PlannedRequestTable({ summary: { writes, reads } }: { readonly summary: PlanSummary }) {
  const requests = [...writes, ...reads.map((each) => ({ ...each, perhaps: 0 }))];
  if (requests.length === 0) return null;
  return (
    <Section title={t('Requests')}>
      <DataTable
        label={t('Requests by operation')}
        hasHeading
        columns={[t('Method and path'), { n: t('Calls') }, { n: t('At the limit') }]}
        rows={requests.map(({ request, count: n, perhaps, seconds }) => [
          <code key={request}>
            {request.split(/(?<=\/)/).map((part, index) => (
              <Fragment key={index}>
                {part}
                <wbr />
              </Fragment>
            ))}
          </code>,
          formatCalls(n, n + perhaps),
          seconds === 0 ? '–' : formatDuration(seconds),
        ])}
      />
      <p class="note">
        {t('Each path has its own limit. “–”: it is not reached, or each contact has a path of its own.')}
      </p>
    </Section>
  );
}

function formatCalls(n: number, most: number): string {
  if (n === 0) return most === 0 ? '' : t('up to {most, number}', { most });
  return most === n ? formatCount(n) : t('{n, number} up to {most, number}', { n, most });
}

/** The list of effects that a plan cannot predict; nothing without any. */
export function UnpredictableEffectList({ summary: { unpredictable } }: { readonly summary: PlanSummary }) {
  if (unpredictable.length === 0) return null;
  return (
    <Section title={t('What a plan cannot know')}>
      <ul>
        {unpredictable.map(({ code, text, count: n }) => (
          <li key={code}>
            {translateEngineText(text)} <span class="note">({formatCount(n)})</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
