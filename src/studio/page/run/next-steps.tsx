import { Fragment } from 'preact';
import type { StudioCommand } from '../../wire/command.ts';
import type { RunNextStep } from '../../wire/run-details.ts';
import { OtherRunLink, useLaterRuns } from '../hand-over/later-runs.tsx';
import { RunFileLink } from '../hand-over/run-files.tsx';
import { useLatestStreamEvent } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo, pageLocation } from '../place.ts';

interface NextStepsProps {
  readonly run: string;
  /** The sentence for a run without next steps. */
  readonly none?: string | undefined;
}

/** The next steps after a run and its later runs, as `status` lists them. */
export function NextStepsSection({ run, none }: NextStepsProps) {
  const { value, problem } = useLatestStreamEvent('nextSteps', { run });
  const all = value.value?.steps ?? [];
  const later = useLaterRuns(run).filter((each) => all.some((step) => step.run === each.run));
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {value.value?.steps.length === 0 && none !== undefined && <p>{none}</p>}
      {all.length > 0 && <h3>{t('Next steps')}</h3>}
      <StepList steps={all.filter((step) => step.run === run)} />
      {later.map((each) => (
        <Fragment key={each.run}>
          <h4>
            <OtherRunLink run={each} />
          </h4>
          <StepList steps={all.filter((step) => step.run === each.run)} />
        </Fragment>
      ))}
    </>
  );
}

function StepList({ steps }: { readonly steps: readonly RunNextStep[] }) {
  if (steps.length === 0) return null;
  // The rows are better corrected on this page than in the file, so the retry of a file that was fixed comes last.
  const inOrder = [...steps.filter((step) => !retriesFile(step)), ...steps.filter(retriesFile)];
  return (
    <ul class="lines">
      {inOrder.map((step) => (
        <li key={`${step.why} ${step.line}`}>
          <OneStep step={step} />
        </li>
      ))}
    </ul>
  );
}

function OneStep({ step: { run, why, line, command } }: { readonly step: RunNextStep }) {
  const file = command === null ? /[/(]([\w-]+\.csv)\)/.exec(why)?.[1] : listOf(command, run);
  const here = command === null || file === undefined ? undefined : hereOf(command, run);
  // In the words of the command, a file of the run has its whole path.
  const todo =
    here?.why ?? translateEngineText(why.replaceAll(new RegExp(String.raw`[^\s("]*/runs/${run}/`, 'g'), ''));
  const question = command === null ? undefined : questionOf(command);
  return (
    <>
      <p>
        {line === null ? `${todo}.` : t('{todo}:', { todo })}{' '}
        {file !== undefined && <RunFileLink run={run} name={file} />}
      </p>
      {here !== undefined && (
        <p>
          <Button class="quiet" label={here.label} onClick={here.show} />
        </p>
      )}
      {here === undefined && command !== null && (
        <StartButton
          label={labelOf(command)}
          quiet={command.command !== 'resume'}
          command={command}
          {...(question !== undefined && {
            confirm: { title: question, children: t('Nothing is sent twice.') },
          })}
        />
      )}
      {command === null && line !== null && <code>{line}</code>}
    </>
  );
}

/** Returns true for a retry that reads the rows again from the input. */
function retriesFile({ command }: RunNextStep): boolean {
  if (command?.command !== 'retry') return false;
  return [command.from, command.decided, command.resend, command.removed].every((each) => each === undefined);
}

/** Returns where the page asks for the decisions that a command reads from a file; undefined for none. */
function hereOf(command: StudioCommand, run: string): Here | undefined {
  if (command.command === 'import' && command.approve?.endsWith('same-person.csv'))
    return {
      ...{ why: t('Say which rows are the same person as another row or contact'), label: t('Decide here') },
      show: () => showOnRunPage(run, 'same-person-head'),
    };
  if (command.command === 'import' && command.approve !== undefined)
    return {
      ...{ why: t('Decide which of the proposed merges are one person'), label: t('Decide in Merges') },
      show: () => goTo(buildHref('merges', run)),
    };
  if (command.command !== 'retry') return undefined;
  if (command.from !== undefined)
    return {
      ...{ why: t('Correct the cells of the rejected rows'), label: t('Correct the rows here') },
      show: () => showOnRunPage(run, 'rejects-head'),
    };
  if (command.decided !== undefined)
    return {
      ...{ why: t('Say which of the uncertain comments are in the workspace'), label: t('Decide here') },
      show: () => showOnRunPage(run, 'uncertain-head'),
    };
  return undefined;
}

/** Returns the file of this run with the decisions that a command reads; undefined for none, or another's. */
function listOf(command: StudioCommand, run: string): string | undefined {
  const path =
    command.command === 'import'
      ? command.approve
      : command.command === 'retry'
        ? (command.from ?? command.decided)
        : undefined;
  const isOwn = path?.includes('/') === false || path?.includes(`/runs/${run}/`);
  return isOwn ? path?.split('/').at(-1) : undefined;
}

interface Here {
  readonly why: string;
  readonly label: string;
  show(): void;
}

/** Moves to a heading of this page; if the page is another one or does not have it, opens the page of the run. */
function showOnRunPage(run: string, id: string): void {
  const isHere = pageLocation.value.view === 'run' && pageLocation.value.rest[0] === run;
  const head = isHere ? document.getElementById(id) : null;
  if (head === null) goTo(buildHref('run', run));
  head?.scrollIntoView({ block: 'start' });
  head?.focus();
}

/** Returns the question before a command that changes the workspace; undefined for any other. */
function questionOf(command: StudioCommand): string | undefined {
  switch (command.command) {
    case 'resume':
      return t('Continue this run?');
    case 'retry':
      if (command.resend === true) return t('Resend?');
      return command.removed === true ? t('Confirm that they were removed?') : t('Retry?');
    case 'import':
      if (command.deferred === true) return t('Run the deferred steps?');
      return command.fresh === true ? t('Start over?') : t('Import?');
    default:
      return undefined;
  }
}

function labelOf(command: StudioCommand): string {
  switch (command.command) {
    case 'resume':
      return t('Continue');
    case 'retry':
      if (command.resend === true) return t('Resend');
      return command.removed === true ? t('Confirm that they were removed') : t('Retry');
    case 'import':
      if (command.deferred === true) return t('Run the deferred steps');
      return command.fresh === true ? t('Start over') : t('Import');
    case 'plan':
      return t('Plan');
    case 'export':
      return command.accept === true ? t('Export all the same') : t('Export');
    default:
      return t('Start');
  }
}
