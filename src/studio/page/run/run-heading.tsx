import { useEffect } from 'preact/hooks';
import type { ExportStatus, RunStatus } from '../../wire/runs.ts';
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
        {name} {status && <RunStateTag run={status} />}
      </h2>
      <p class="note lead">{rich('Run {run}', { run: <code>{run}</code> })}</p>
    </>
  );
}
