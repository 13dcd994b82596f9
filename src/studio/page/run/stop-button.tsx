import { useSignal } from '@preact/signals';
import { callRoute } from '../call.ts';
import { useAsyncAction } from '../hooks.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { project } from '../project.ts';

/** A button that stops a run, after a confirmation that says what is kept. */
export function StopRunButton({ run }: { readonly run: string }) {
  const state = useSignal<'running' | 'asking' | 'stopping'>('running');
  const { problem, attempt } = useAsyncAction();
  const stop = async () => {
    state.value = 'running';
    await callRoute('stopRun', { run });
    state.value = 'stopping';
  };
  return (
    <>
      <p class="buttons">
        <button
          type="button"
          disabled={project.value.readOnly}
          aria-disabled={state.value === 'stopping'}
          onClick={() => {
            if (state.value === 'running') state.value = 'asking';
          }}
        >
          {t('Stop')}
        </button>
        <span role="status">
          {state.value === 'stopping' &&
            t('Asked to stop: it waits for requests in flight, and can be continued.')}
        </span>
      </p>
      {state.value === 'asking' && (
        <Dialog title={t('Stop it now?')} onClose={() => (state.value = 'running')}>
          <p>{t('What was done stays in the workspace, and you can continue from here at any time.')}</p>
          <p class="buttons">
            <button type="button" autofocus onClick={() => attempt(stop)}>
              {t('Yes, stop')}
            </button>
            <button type="button" class="quiet" onClick={() => (state.value = 'running')}>
              {t('Keep it running')}
            </button>
          </p>
        </Dialog>
      )}
      <ProblemNotice problem={problem.value} />
    </>
  );
}
