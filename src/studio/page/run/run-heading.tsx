import type { ComponentChildren } from 'preact';
import { countOpenRowsOfImport } from '../../wire/later-runs.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { ExportStatus, RunStatus } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { useWindowTitle } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { ProblemNotice, Section } from '../parts/notice.tsx';
import { formatRunName } from './run-name.ts';
import { RunStateTag } from './run-state.tsx';

interface RunSectionProps {
  readonly run: string;
  /** Undefined until it is known. */
  readonly status: RunStatus | ExportStatus | undefined;
  readonly problem: RequestProblem | undefined;
  readonly children: ComponentChildren;
}

/** The section that begins a page about a run: its name, also as the title of the window, its state and its id. */
export function RunSection({ run, status, problem, children }: RunSectionProps) {
  const name = status === undefined ? run : formatRunName(status);
  useWindowTitle(name);
  const title = (
    <>
      {name} {status && <ImportStateTag status={status} />}
    </>
  );
  return (
    <Section title={title}>
      <p class="note lead">{rich('Run {run}', { run: <code>{run}</code> })}</p>
      <ProblemNotice problem={problem} />
      {children}
    </Section>
  );
}

/** The state of a run with what is open in it and its later runs. */
function ImportStateTag({ status }: { readonly status: RunStatus | ExportStatus }) {
  const { runs = [], progress } = activity.value ?? {};
  if (!('rows' in status) || status.undoneBy !== undefined) return <RunStateTag run={status} />;
  // The activity knows of a run a moment later than its status does.
  const isListed = runs.some(({ run }) => run === status.run);
  const open = isListed ? countOpenRowsOfImport(runs, status.run) : status.open;
  const questions =
    progress?.run?.run === status.run ? progress.openQuestions : (status.questions?.open ?? 0);
  return (
    <>
      <RunStateTag run={{ ...status, open }} />{' '}
      {status.state === 'finished' && questions > 0 && (
        <span class="tag look">
          {t('{n, plural, one {# question} other {# questions}}', { n: questions })}
        </span>
      )}
    </>
  );
}
