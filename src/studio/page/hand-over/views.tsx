import type { ComponentChildren } from 'preact';
import { findImportOfRun } from '../../wire/later-runs.ts';
import { activity, activityProblem } from '../activity.ts';
import { useRouteAnswer } from '../hooks.ts';
import { useImportPipelines } from '../import-pipelines.tsx';
import { rich, t } from '../language.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { RunSection } from '../run/run-heading.tsx';
import { HandOverPage } from './hand-over-page.tsx';
import { ChecksOfImport } from './later-runs.tsx';

interface ViewProps {
  readonly rest: readonly string[];
}

/** `#/check/RUN`: the check of an import; `#/check`: that of the last import. */
export function CheckView({ rest: [run] }: ViewProps) {
  return <ImportOfRun key={run} run={run} show={(found) => <CheckPage run={found} />} />;
}

/** `#/hand-over/RUN`: the hand-over of an import; `#/hand-over`: that of the last import. */
export function HandOverView({ rest: [run] }: ViewProps) {
  return <ImportOfRun key={run} run={run} show={(found) => <HandOverPage run={found} />} />;
}

interface ImportProps {
  readonly run: string | undefined;
  show(run: string): ComponentChildren;
}

/** The import that a run belongs to, or the last one; nothing before a run that has just begun is known. */
function ImportOfRun({ run, show }: ImportProps) {
  if (run === undefined) return <LastImport show={show} />;
  const runs = activity.value?.runs;
  // The id of a run begins with its time.
  const isNewer = /^\d{8}-\d{6}-/.test(run) && runs?.every((each) => each.run < run);
  return runs === undefined || isNewer ? null : show(findImportOfRun(runs, run));
}

function LastImport({ show }: Pick<ImportProps, 'show'>) {
  const { paths } = useImportPipelines();
  const run = activity.value?.progress?.run;
  if (run != null) return show(run.run);
  const isKnown = run === null || paths?.length === 0;
  return (
    <>
      <ProblemNotice problem={activityProblem.value} />
      {isKnown && (
        <section>
          {rich('Nothing has been imported yet. Start in <a>Run</a>.', {
            a: (parts) => <a href={buildHref('run')}>{parts}</a>,
          })}
        </section>
      )}
    </>
  );
}

function CheckPage({ run }: { readonly run: string }) {
  const { value, problem } = useRouteAnswer('status', { run });
  return (
    <RunSection run={run} status={value.value} problem={problem.value}>
      <p>
        {t(
          'Reads the contacts back from the workspace, and compares each value with what this import wrote. Nothing is changed.',
        )}
      </p>
      <ChecksOfImport run={run} />
    </RunSection>
  );
}
