import type { RunStatus } from '../../wire/runs.ts';
import { useLatestStreamEvent } from '../hooks.ts';
import { t } from '../language.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { FirstRowsSection } from './first-rows.tsx';
import { LostCorrectionsOfRun } from './lost-corrections.tsx';
import { NextStepsSection } from './next-steps.tsx';
import { RowProblemsSection } from './problems.tsx';
import { RejectsSection } from './rejects.tsx';
import { RequestTable } from './requests.tsx';
import { RunHeading } from './run-heading.tsx';
import { isStoppedAtLimit } from './run-state.tsx';
import { SamePersonSection } from './same-person.tsx';
import { type AnyRunStatus, RunProgress, ThroughputChart } from './standing.tsx';
import { StopRunButton } from './stop-button.tsx';
import { UncertainCommentsSection } from './uncertain.tsx';

/** The page of a run, during and after it, read from its journal. */
export function RunPage({ run }: { readonly run: string }) {
  const { value, problem } = useLatestStreamEvent('watchRun', { run });
  const status = value.value;
  const first = status && 'rows' in status && hasFirstRows(status) ? status : undefined;
  return (
    <>
      <section aria-labelledby="run-head">
        <RunHeading id="run-head" run={run} status={status} />
        <ProblemNotice problem={problem.value} />
        {status && <RunProgress status={status} />}
        {status?.state === 'running' && <StopRunButton run={run} />}
        {status && status.state !== 'running' && first === undefined && <NextStepsSection run={run} />}
        {status && (
          <p class="note">
            {status.kind === 'import' ? (
              <a href={buildHref('hand-over', run)}>{t('Hand over, files and undo')}</a>
            ) : (
              <a href={buildHref('history', run)}>{t('Its files')}</a>
            )}
          </p>
        )}
      </section>
      {first && <FirstRowsSection status={first} />}
      {status && 'rows' in status && isOpen(status) && status.rows.uncertain > 0 && (
        <UncertainCommentsSection run={run} />
      )}
      {status && 'rows' in status && isOpen(status) && status.rows.rejected + status.rows.failed > 0 && (
        // The rows that a retry has settled meanwhile are no longer shown.
        <RejectsSection key={status.open} run={run} />
      )}
      {status && 'rows' in status && isFinishedImport(status) && !isOpen(status) && (
        <LostCorrectionsOfRun run={run} />
      )}
      {status && 'rows' in status && isFinishedImport(status) && status.rows.proposed > 0 && (
        <SamePersonSection run={run} />
      )}
      {status?.state === 'running' && <Pace status={status} />}
      {status && 'rows' in status && status.problems.length > 0 && (
        <section>
          <RowProblemsSection status={status} />
        </section>
      )}
      {status && status.state !== 'running' && <Pace status={status} />}
    </>
  );
}

/** The speed and the requests of a run. */
function Pace({ status }: { readonly status: AnyRunStatus }) {
  if (Object.keys(status.requests).length === 0) return null;
  return (
    <section>
      <ThroughputChart status={status} />
      <RequestTable status={status} />
    </section>
  );
}

/** Returns true for an import of the first rows that can be continued or undone. */
function hasFirstRows({ kind, state, exitCode, prunedAt, undoneBy }: RunStatus): boolean {
  return (
    kind === 'import' && isStoppedAtLimit({ state, exitCode }) && prunedAt === null && undoneBy === undefined
  );
}

/** Returns true for a finished import with open rows, unless it was pruned. */
function isOpen(status: RunStatus): boolean {
  return isFinishedImport(status) && status.open > 0;
}

function isFinishedImport({ kind, state, prunedAt }: RunStatus): boolean {
  return kind === 'import' && state === 'finished' && prunedAt === null;
}
