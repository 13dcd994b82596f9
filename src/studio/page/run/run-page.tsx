import { useEvents } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { hrefOf } from '../place.ts';
import { NextSteps } from './next-steps.tsx';
import { Problems } from './problems.tsx';
import { Requests } from './requests.tsx';
import { Standing, type Status, Throughput } from './standing.tsx';
import { stateTones } from './state-tones.ts';
import { StopButton } from './stop-button.tsx';

/** A run while it works and afterwards, from its journal: the same for one that was started in a terminal. */
export function RunPage({ run }: { readonly run: string }) {
  const { value, problem } = useEvents('watchRun', { run });
  const status = value.value;
  return (
    <>
      <section aria-labelledby="run-head">
        <h2 id="run-head">
          {run} {status && <span class={`tag ${stateTones[status.state]}`}>{status.state}</span>}
        </h2>
        <ProblemNotice problem={problem.value} />
        {status && <Standing status={status} />}
        {status?.state === 'running' && <StopButton run={run} />}
        {status && status.state !== 'running' && <NextSteps run={run} state={stateOf(status)} />}
        {status && (
          <p class="note">
            <a href={hrefOf('history', run)}>
              {status.kind === 'import' ? 'Report, verify and undo' : 'Report'}
            </a>
          </p>
        )}
      </section>
      {status && 'rows' in status && status.problems.length > 0 && (
        <section>
          <Problems status={status} />
        </section>
      )}
      {status && (
        <section>
          <Throughput status={status} />
          <Requests status={status} />
        </section>
      )}
    </>
  );
}

/** What the next steps depend on. */
function stateOf(status: Status): string {
  return `${status.state} ${'open' in status ? status.open : ''}`;
}
