import { useEffect } from 'preact/hooks';
import type { Command } from '../../wire/command.ts';
import type { Step } from '../../wire/run-details.ts';
import { useAnswer } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { goTo, hrefOf } from '../place.ts';

/** What there is to do, as `status` says it; `state` is what it depends on. */
export function NextSteps({ run, state }: { readonly run: string; readonly state: string }) {
  const { value, problem, reload } = useAnswer('nextSteps', { run });
  useEffect(() => reload(), [state]);
  const steps = value.value?.steps ?? [];
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {steps.length > 0 && (
        <>
          <h3>Next steps</h3>
          <ul class="steps">
            {steps.map((step) => (
              <li key={`${step.why} ${step.line}`}>
                <OneStep step={step} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function OneStep({ step: { why, line, command } }: { readonly step: Step }) {
  const below = command === null ? undefined : belowOf(command);
  return (
    <>
      <p>
        {why}
        {line === null ? '.' : ':'}
      </p>
      {below !== undefined && (
        <p>
          <button type="button" class="quiet" onClick={() => showBelow(below.id)}>
            {below.label}
          </button>
        </p>
      )}
      {below === undefined && command !== null && (
        <StartButton
          label={labelOf(command)}
          quiet={command.command !== 'resume'}
          command={command}
          {...(changes(command) && {
            confirm: { title: `${questionOf(command)}?`, children: <p>Nothing is sent twice.</p> },
          })}
          onStarted={({ id }) => goTo(hrefOf('run', 'command', id))}
        />
      )}
      {command === null && line !== null && <code>{line}</code>}
    </>
  );
}

/** What this page has a place of its own for. */
function belowOf(command: Command): { readonly id: string; readonly label: string } | undefined {
  if (command.command !== 'retry') return undefined;
  if (command.from !== undefined) return { id: 'rejects-head', label: 'Correct the rows here' };
  if (command.decided !== undefined) return { id: 'uncertain-head', label: 'Decide here' };
  return undefined;
}

function showBelow(id: string): void {
  const head = document.getElementById(id);
  head?.scrollIntoView({ block: 'start' });
  head?.focus();
}

function changes({ command }: Command): boolean {
  return command === 'import' || command === 'resume' || command === 'retry';
}

function questionOf(command: Command): string {
  return command.command === 'resume' ? 'Continue this run' : labelOf(command);
}

function labelOf(command: Command): string {
  switch (command.command) {
    case 'resume':
      return 'Continue';
    case 'retry':
      if (command.resend === true) return 'Resend';
      return command.removed === true ? 'Confirm that they were removed' : 'Retry';
    case 'import':
      if (command.approve !== undefined) return 'Merge what is approved';
      if (command.deferred === true) return 'Run the deferred steps';
      return command.fresh === true ? 'Start over' : 'Import';
    case 'plan':
      return 'Plan';
    case 'export':
      return command.accept === true ? 'Export all the same' : 'Export';
    default:
      return 'Start';
  }
}
