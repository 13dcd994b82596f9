import { useSignal } from '@preact/signals';
import type { RequestProblem } from '../../wire/problem.ts';
import { callRoute, toRequestProblem } from '../call.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { project } from '../project.ts';

/** A button that asks a run to stop. */
export function StopRunButton({ run }: { readonly run: string }) {
  const asked = useSignal(false);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const stop = async () => {
    problem.value = undefined;
    try {
      await callRoute('stopRun', { run });
      asked.value = true;
    } catch (error) {
      problem.value = toRequestProblem(error);
    }
  };
  return (
    <>
      <p class="buttons">
        <button
          type="button"
          disabled={project.value.readOnly}
          aria-disabled={asked.value}
          onClick={() => {
            if (!asked.value) void stop();
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
