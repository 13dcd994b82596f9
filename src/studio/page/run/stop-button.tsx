import { useSignal } from '@preact/signals';
import { callRoute } from '../call.ts';
import { useAttempt } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { project } from '../project.ts';

/** A button that asks a run to stop. */
export function StopRunButton({ run }: { readonly run: string }) {
  const asked = useSignal(false);
  const { problem, attempt } = useAttempt();
  const stop = async () => {
    await callRoute('stopRun', { run });
    asked.value = true;
  };
  return (
    <>
      <p class="buttons">
        <button
          type="button"
          disabled={project.value.readOnly}
          aria-disabled={asked.value}
          onClick={() => {
            if (!asked.value) attempt(stop);
          }}
        >
          Stop
        </button>
        <span role="status">
          {asked.value && 'Asked to stop: it waits for requests in flight, and can be continued.'}
        </span>
      </p>
      <ProblemNotice problem={problem.value} />
    </>
  );
}
