import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StudioProcess } from '../../wire/processes.ts';
import { useRouteEvents } from '../hooks.ts';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';
import { buildHref, goTo } from '../place.ts';

/** A started command: its messages until it has a run, then the run. */
export function StartedCommandPage({ id }: { readonly id: string }) {
  const ended = useSignal<StudioProcess | undefined>(undefined);
  const { value, problem } = useRouteEvents('watchActivity', {});
  const process = value.value?.processes.find((each) => each.id === id);
  const run = process?.run ?? ended.value?.run ?? null;
  useEffect(() => {
    if (run !== null) goTo(buildHref('run', run), { replacing: true });
  }, [run]);
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {process !== undefined && (
        <p>
          <code>{process.typed}</code>
        </p>
      )}
      {ended.value === undefined ? (
        <p role="status">Starting…</p>
      ) : (
        <Notice tone={ended.value.exitCode === 0 ? 'good' : 'bad'}>
          <p class="message">The command has ended before a run began.</p>
          {ended.value.exitCode !== null && <p class="next">Exit code {ended.value.exitCode}</p>}
        </Notice>
      )}
      <ProcessMessages
        id={id}
        onEnded={(process) => {
          ended.value = process;
        }}
      />
    </>
  );
}
