import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RequestProblem } from '../../wire/problem.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { listenToStream } from '../events.ts';
import { ProblemNotice } from './notice.tsx';

interface ProcessMessagesProps {
  readonly id: string;
  /** Called once, when the process has ended. */
  onEnded?(process: StudioProcess): void;
}

/** The messages that a command writes to standard error, while it runs and after its end. */
export function ProcessMessages({ id, onEnded }: ProcessMessagesProps) {
  const text = useSignal('');
  const problem = useSignal<RequestProblem | undefined>(undefined);
  useEffect(() => {
    return listenToStream(
      'processOutput',
      { id },
      {
        event(event) {
          problem.value = undefined;
          if (event.kind === 'messages') text.value += event.text;
          else onEnded?.(event.process);
        },
        begin() {
          text.value = '';
        },
        problem(why) {
          problem.value = why;
        },
      },
    );
  }, [id]);
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {text.value !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by the keyboard
        <pre class="messages" role="log" aria-label="Messages of the command" tabIndex={0}>
          {text}
        </pre>
      )}
    </>
  );
}
