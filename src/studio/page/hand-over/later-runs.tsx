import { listLaterRuns } from '../../wire/later-runs.ts';
import type { RunListEntry } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { t } from '../language.ts';
import { buildHref } from '../place.ts';
import { formatRunName } from '../run/run-name.ts';
import { VerifySection } from './verify.tsx';

/** Returns the later runs of an import, the earliest first. */
export function useLaterRuns(run: string): readonly RunListEntry[] {
  return listLaterRuns(activity.value?.runs ?? [], run);
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
          <VerifySection run={later.run} label={t('Check this run')} />
        </div>
      ))}
    </>
  );
}
