import { Fragment } from 'preact';
import type { PlanDetails, PlanSummary } from '../../wire/plans.ts';
import { formatCount, formatDuration } from '../figures.ts';
import { rich, t, translateEngineText } from '../language.ts';

/** The limits of the pipeline's guard, with the plan's figures. */
export function GuardLimitTable({ limits }: { readonly limits: PlanDetails['guard'] }) {
  return (
    <section aria-labelledby="guard-head">
      <h2 id="guard-head">{t('Guard')}</h2>
      {limits.length === 0 ? (
        <p>
          {rich('This pipeline has no guard. One in its {key} stops an import that would change too much.', {
            key: <code>import:</code>,
          })}
        </p>
      ) : (
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
      )}
    </section>
  );
}

/** The table of planned requests by method and path, with the time that each takes at the rate limit. */
export function PlannedRequestTable({ summary: { writes, reads } }: { readonly summary: PlanSummary }) {
  const requests = [...writes, ...reads.map((each) => ({ ...each, perhaps: 0 }))];
  return (
    <section aria-labelledby="requests-head">
      <h2 id="requests-head">{t('Requests')}</h2>
      {requests.length === 0 ? (
        <p>{t('Nothing would be asked or sent.')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Method and path')}</th>
              <th scope="col" class="n">
                {t('Calls')}
              </th>
              <th scope="col" class="n">
                {t('At the limit')}
              </th>
            </tr>
          </thead>
          <tbody>
            {requests.map(({ request, count: n, perhaps, seconds }) => (
              <tr key={request}>
                <th scope="row">
                  <code>
                    {request.split(/(?<=\/)/).map((part, index) => (
                      <Fragment key={index}>
                        {part}
                        <wbr />
                      </Fragment>
                    ))}
                  </code>
                </th>
                <td class="n">{formatCalls(n, n + perhaps)}</td>
                <td class="n">{seconds === 0 ? '–' : formatDuration(seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="note">
        {t('Each path has its own limit. “–”: it is not reached, or each contact has a path of its own.')}
      </p>
    </section>
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
    <section aria-labelledby="unknown-head">
      <h2 id="unknown-head">{t('What a plan cannot know')}</h2>
      <ul>
        {unpredictable.map(({ code, text, count: n }) => (
          <li key={code}>
            {translateEngineText(text)} <span class="note">({formatCount(n)})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
