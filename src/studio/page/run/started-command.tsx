import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StudioProcess } from '../../wire/processes.ts';
import { activity, activityProblem } from '../activity.ts';
import { t } from '../language.ts';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';
import { buildHref, goTo } from '../place.ts';

/** A started command: its messages until it has a run, then the run. */
export function StartedCommandPage({ id }: { readonly id: string }) {
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
        onEnded={(process) => {
          ended.value = process;
        }}
      />
    </>
  );
}
