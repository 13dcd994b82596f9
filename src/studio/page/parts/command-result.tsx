import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { StudioCommand } from '../../wire/command.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { useAsyncAction } from '../hooks.ts';
import { ProblemNotice } from './notice.tsx';
import { ProcessMessages } from './process-messages.tsx';
import { StartButton } from './start-button.tsx';

interface CommandResultProps<Found> {
  readonly command: StudioCommand;
  readonly label: string;
  /** True where it is the next thing to do. */
  readonly isPrimary?: boolean;
  /** True to start it without a click, if it needs neither a token nor a workspace. */
  readonly startsItself?: boolean;
  /** The message while it runs: `Reading every contact…`. */
  readonly busy: string;
  /** The sentence for a command that has failed without a result; its messages are shown without one. */
  readonly failure?: string | undefined;
  /** The result of an earlier process, shown until another one is started. */
  readonly earlier?: Found | null;
  /** Loads the result of the process; null if the command has ended without one. */
  load(id: string): Promise<{ readonly found: Found | null }>;
  show(found: Found): ComponentChildren;
}

/** A button that runs a read-only command, with its result below. */
export function CommandWithResult<Found>({
  command,
  label,
  busy,
  failure,
  isPrimary = false,
  earlier = null,
  startsItself = false,
  load,
  show,
}: CommandResultProps<Found>) {
  const process = useSignal<StudioProcess | undefined>(undefined);
  const found = useSignal<Found | null>(null);
  const hasFailed = useSignal(false);
  const { problem, attempt } = useAsyncAction();
  const shown = process.value === undefined ? earlier : found.value;
  return (
    <>
      <StartButton
        {...{ label, command, startsItself }}
        quiet={!isPrimary}
        disabled={process.value?.state === 'running'}
        onStarted={(begun) => {
          process.value = begun;
          found.value = null;
          hasFailed.value = false;
          problem.value = undefined;
        }}
      />
      <div aria-live="polite">
        {process.value?.state === 'running' && <p>{busy}</p>}
        {process.value !== undefined && (
          <ProcessMessages
            key={process.value.id}
            id={process.value.id}
            failure={hasFailed.value ? failure : undefined}
            onEnded={(ended) => {
              process.value = ended;
              attempt(async () => {
                found.value = (await load(ended.id)).found;
                hasFailed.value = found.value === null && ended.exitCode !== 0;
              });
            }}
          />
        )}
        <ProblemNotice problem={problem.value} />
        {shown !== null && show(shown)}
      </div>
    </>
  );
}
