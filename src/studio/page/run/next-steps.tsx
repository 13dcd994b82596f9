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
  const here = command === null ? undefined : hereOf(command, run);
  const file = command === null ? /[/(]([\w-]+\.csv)\)/.exec(why)?.[1] : here?.file;
  // In the words of the command, a file of the run has its whole path.
  const todo =
    here?.why ?? translateEngineText(why.replaceAll(new RegExp(String.raw`[^\s("]*/runs/${run}/`, 'g'), ''));
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
      {here === undefined && command !== null && <CommandButton command={command} />}
      {command === null && line !== null && <code>{line}</code>}
    </>
  );
}

function CommandButton({ command }: { readonly command: StudioCommand }) {
  const [label, question] = wordsOf(command);
  return (
    <StartButton
      label={label}
      quiet={command.command !== 'resume'}
      command={command}
      {...(question !== undefined && { confirm: { title: question, children: t('Nothing is sent twice.') } })}
    />
  );
}

/** Returns true for a retry that reads the rows again from the input. */
function retriesFile({ command }: RunNextStep): boolean {
  if (command?.command !== 'retry') return false;
  return [command.from, command.decided, command.resend, command.removed].every((each) => each === undefined);
}

interface Here {
  /** The file of the run that lists what is to be decided. */
  readonly file: string | undefined;
  readonly why: string;
  readonly label: string;
  show(): void;
}

/** Returns where the page asks for the decisions that a command reads from a file of this run; undefined for none. */
function hereOf(command: StudioCommand, run: string): Here | undefined {
  // A run with the answers of another one has nothing to decide about these.
  const own = (path: string | undefined) =>
    path?.includes('/') === false || path?.includes(`/runs/${run}/`) ? path.split('/').at(-1) : undefined;
  if (command.command === 'import') {
    const file = own(command.approve);
    if (file === undefined) return undefined;
    return file.endsWith('same-person.csv')
      ? {
          ...{ file, why: t('Say which rows are the same person as another row or contact') },
          ...{ label: t('Decide here'), show: () => showOnRunPage(run, 'same-person-head') },
        }
      : {
          ...{ file, why: t('Decide which of the proposed merges are one person') },
          ...{ label: t('Decide in Merges'), show: () => goTo(buildHref('merges', run)) },
        };
  }
  if (command.command !== 'retry') return undefined;
  const file = own(command.from ?? command.decided);
  if (file === undefined) return undefined;
  return command.from === undefined
    ? {
        ...{ file, why: t('Say which of the uncertain comments are in the workspace') },
        ...{ label: t('Decide here'), show: () => showOnRunPage(run, 'uncertain-head') },
      }
    : {
        ...{ file, why: t('Correct the cells of the rejected rows') },
        ...{ label: t('Correct the rows here'), show: () => showOnRunPage(run, 'rejects-head') },
      };
}

/** Moves to a heading of this page; if the page is another one or does not have it, opens the page of the run. */
function showOnRunPage(run: string, id: string): void {
  const isHere = pageLocation.value.view === 'run' && pageLocation.value.rest[0] === run;
  const head = isHere ? document.getElementById(id) : null;
  if (head === null) goTo(buildHref('run', run));
  head?.scrollIntoView({ block: 'start' });
  head?.focus();
}

/** Returns the label of a command's button, and the question before one that changes the workspace. */
function wordsOf(command: StudioCommand): readonly [label: string, question?: string] {
  switch (command.command) {
    case 'resume':
      return [t('Continue'), t('Continue this run?')];
    case 'retry':
      if (command.resend === true) return [t('Resend'), t('Resend?')];
      return command.removed === true
        ? [t('Confirm that they were removed'), t('Confirm that they were removed?')]
        : [t('Retry'), t('Retry?')];
    case 'import':
      if (command.deferred === true) return [t('Run the deferred steps'), t('Run the deferred steps?')];
      return command.fresh === true ? [t('Start over'), t('Start over?')] : [t('Import'), t('Import?')];
    case 'plan':
      return [t('Plan')];
    case 'export':
      return [command.accept === true ? t('Export all the same') : t('Export')];
    default:
      return [t('Start')];
  }
}
