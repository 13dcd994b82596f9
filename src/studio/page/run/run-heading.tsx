import { useEffect } from 'preact/hooks';
import { countOpenRowsOfImport } from '../../wire/later-runs.ts';
import type { ExportStatus, RunStatus } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { rich, t } from '../language.ts';
import { project } from '../project.ts';
import { formatRunName } from './run-name.ts';
import { RunStateTag } from './run-state.tsx';

interface RunHeadingProps {
  /** The id of the heading. */
  readonly id: string;
  readonly run: string;
  /** Undefined until it is known. */
  readonly status: RunStatus | ExportStatus | undefined;
}

/** The heading of a page about a run: its name, also as the title of the window, its state and its id. */
export function RunHeading({ id, run, status }: RunHeadingProps) {
  const name = status === undefined ? run : formatRunName(status);
  useEffect(() => {
    const before = document.title;
    document.title = t('{view} – {project} – Longshore studio', {
      view: name,
      project: project.value.name,
    });
    return () => {
      document.title = before;
    };
  }, [name]);
  return (
    <>
      <h2 id={id}>
        {name} {status && <ImportStateTag status={status} />}
      </h2>
      <p class="note lead">{rich('Run {run}', { run: <code>{run}</code> })}</p>
    </>
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
