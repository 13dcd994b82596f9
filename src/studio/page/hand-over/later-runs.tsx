import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listLaterRuns } from '../../wire/later-runs.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { RunListEntry, RunStatus } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { callUntilAnswered, toRequestProblem } from '../call.ts';
import { t } from '../language.ts';
import { buildHref } from '../place.ts';
import { formatRunName } from '../run/run-name.ts';
import { VerifySection } from './verify.tsx';

/** Returns the later runs of an import, the earliest first. */
export function useLaterRuns(run: string): readonly RunListEntry[] {
  return listLaterRuns(activity.value?.runs ?? [], run);
}

/** Returns the statuses of runs without exports, which are read again after one of them has changed. */
export function useStatuses(runs: readonly RunListEntry[]) {
  const value = useSignal<readonly RunStatus[] | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const key = JSON.stringify(runs.map(({ run, state, open }) => [run, state, open]));
  useEffect(() => {
    const gone = new AbortController();
    Promise.all(runs.map(({ run }) => callUntilAnswered('status', { run }, gone.signal))).then(
      (found) => (value.value = found.filter((each) => 'rows' in each)),
      (error: unknown) => {
        if (!gone.signal.aborted) problem.value = toRequestProblem(error);
      },
    );
    return () => gone.abort();
  }, [key]);
  return { value, problem };
}

/** The name of another run of an import, as a link to its page. */
export function OtherRunLink({ run }: { readonly run: RunListEntry }) {
  return <a href={buildHref('run', run.run)}>{formatRunName(run)}</a>;
}

/** The check of an import, and that of each later run of it. */
export function ChecksOfImport({ run }: { readonly run: string }) {
  return (
    <>
      <VerifySection run={run} label={t('Check the import')} />
      {useLaterRuns(run).map((later) => (
        <div key={later.run}>
          <h3>
            <OtherRunLink run={later} />
          </h3>
          <VerifySection run={later.run} label={t('Check this run')} quiet />
        </div>
      ))}
    </>
  );
}
