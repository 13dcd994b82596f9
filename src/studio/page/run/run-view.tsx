import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StudioProcess } from '../../wire/processes.ts';
import type { RunListEntry } from '../../wire/runs.ts';
import { activity, activityProblem } from '../activity.ts';
import { formatDateTime, formatDuration } from '../figures.ts';
import { t } from '../language.ts';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';
import { buildHref, goTo } from '../place.ts';
import { formatRunName } from './run-name.ts';
import { RunPage } from './run-page.tsx';
import { RunStateTag } from './run-state.tsx';
import { StartImportSection } from './start-import.tsx';

/** `#/run`: the start of an import, and the runs; `#/run/ID`: a run; `#/run/command/ID`: a command. */
export function RunView({ rest: [first, second] }: { readonly rest: readonly string[] }) {
  if (first === 'command' && second !== undefined) return <StartedCommandPage key={second} id={second} />;
  if (first !== undefined) return <RunPage key={first} run={first} />;
  return (
    <>
      <StartImportSection />
      <RunList />
    </>
  );
}

function RunList() {
  const runs = activity.value?.runs;
  return (
    <Section title={t('Runs')} problem={activityProblem.value}>
      {runs === undefined && !activityProblem.value && <p role="status">{t('Reading…')}</p>}
      {runs?.length === 0 && <p>{t('Nothing has run here yet.')}</p>}
      {runs !== undefined && runs.length > 0 && (
        <ul class="lines aligned">
          {runs.map((run) => (
            <Line key={run.run} run={run} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Line({ run }: { readonly run: RunListEntry }) {
  return (
    <li>
      <a href={buildHref('run', run.run)} title={run.run}>
        {formatRunName(run)}
      </a>
      <RunStateTag run={run} />
      <span class="note">
        {formatDateTime(run.startedAt)}, {formatDuration(run.seconds)}
      </span>
    </li>
  );
}

/** A started command: its messages until it has a run, then the run. */
function StartedCommandPage({ id }: { readonly id: string }) {
  const ended = useSignal<StudioProcess | undefined>(undefined);
  const process = activity.value?.processes.find((each) => each.id === id);
  const hasFailed = ended.value !== undefined && ended.value.exitCode !== 0;
  const run = process?.run ?? ended.value?.run ?? null;
  useEffect(() => {
    if (run !== null) goTo(buildHref('run', run), { replacing: true });
  }, [run]);
  return (
    <>
      <ProblemNotice problem={activityProblem.value} />
      {process !== undefined && (
        <p>
          <code>{process.typed}</code>
        </p>
      )}
      {ended.value === undefined && <p role="status">{t('Starting…')}</p>}
      {ended.value?.exitCode === 0 && (
        <Notice tone="good" message={t('The command has ended, and no run was needed.')} />
      )}
      <ProcessMessages
        id={id}
        failure={hasFailed ? t('The command has ended before a run began.') : undefined}
        onEnded={(process) => (ended.value = process)}
      />
    </>
  );
}
