import { Fragment } from 'preact';
import type { PlanDetails, PlanSummary } from '../../wire/plans.ts';
import { formatCount, formatDuration } from '../figures.ts';

/** The limits of the pipeline's guard, with the plan's figures. */
export function GuardLimitTable({ limits }: { readonly limits: PlanDetails['guard'] }) {
  return (
    <section aria-labelledby="guard-head">
      <h2 id="guard-head">Guard</h2>
      {limits.length === 0 ? (
        <p>
          This pipeline has no guard. One in its <code>import:</code> stops an import that would change too
          much: <code>guard: {'{ creates: 1000, updates: 30%, clears: 0 }'}</code>
        </p>
      ) : (
        <ul class="plain">
          {limits.map(({ name, what, planned, allowed, isOver }) => (
            <li key={name} class="with-count">
              <span>
                <b>{formatCount(planned)}</b> {what} <span class="note">of {allowed} allowed</span>
              </span>
              <span class={`tag ${isOver ? 'bad' : 'good'}`}>{isOver ? 'stops the import' : 'within'}</span>
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
      <h2 id="requests-head">Requests</h2>
      {requests.length === 0 ? (
        <p>Nothing would be asked or sent.</p>
      ) : (
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Method and path</th>
              <th scope="col" class="n">
                Calls
              </th>
              <th scope="col" class="n">
                At the limit
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
                <td class="n">
                  {n > 0 && formatCount(n)}
                  {perhaps > 0 && ` up to ${formatCount(n + perhaps)}`}
                </td>
                <td class="n">{seconds === 0 ? '–' : formatDuration(seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="note">
        Each path has its own limit. “–”: it is not reached, or each contact has a path of its own.
      </p>
    </section>
  );
}

/** The list of effects that a plan cannot predict; nothing without any. */
export function UnpredictableEffectList({ summary: { unpredictable } }: { readonly summary: PlanSummary }) {
  if (unpredictable.length === 0) return null;
  return (
    <section aria-labelledby="unknown-head">
      <h2 id="unknown-head">What a plan cannot know</h2>
      <ul>
        {unpredictable.map(({ code, text, count: n }) => (
          <li key={code}>
            {text} <span class="note">({formatCount(n)})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
