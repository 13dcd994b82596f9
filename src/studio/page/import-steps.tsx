import { useRef } from 'preact/hooks';
import type { ImportWorkflowProgress } from '../wire/runs.ts';
import { activity, useActivity } from './activity.ts';
import { formatDay } from './figures.ts';
import { useImportPipelines } from './import-pipelines.tsx';
import { t } from './language.ts';
import { ButtonLink } from './parts/controls.tsx';
import { buildHref, pageLocation } from './place.ts';
import { hasOpenRows, isStoppedAtLimit } from './run/run-state.tsx';

/** A step of an import: its view, its state, and the link to what is left to do. */
export interface ImportStep {
  readonly view: string;
  readonly isDone: boolean;
  /** Its state, in one to three words. */
  readonly state: string;
  readonly href: string;
  /** What to do there, as the text of a link. */
  readonly next: string;
}

/** Returns the steps of the import that this tab works on; empty until they are known, and beside a run of another. */
export function useImportSteps(): readonly ImportStep[] {
  const { view, rest } = pageLocation.value;
  const { paths, first } = useImportPipelines(view);
  const pipeline = useRef(first);
  if (paths !== undefined) pipeline.current = first;
  useActivity(pipeline.current);
  const progress = activity.value?.progress ?? null;
  const shown = activity.value?.runs.find(({ run }) => run === rest[0]);
  const isOther = shown !== undefined && shown.pipeline !== progress?.run?.pipeline;
  return pipeline.current === undefined || progress === null || isOther ? [] : stepsOf(progress);
}

function stepsOf({
  pipeline,
  mapping,
  questions,
  isMappingValid,
  losesColumn,
  plannedAt,
  isPlanOutdated,
  run,
  open: openRows,
  openQuestions,
  isUndone,
  hasNewerInput,
  verification,
}: ImportWorkflowProgress): readonly ImportStep[] {
  const isFinished = run?.state === 'finished' && !isUndone;
  // A newer file is to be planned, imported and checked again; the older import can still be handed over.
  const isImported = isFinished && !hasNewerInput;
  const own = isUndone || hasNewerInput ? null : run;
  const isOutdated = isPlanOutdated && !isImported;
  const isPlanned = plannedAt !== null && !isOutdated;
  const open = questions === 0 ? undefined : questionsText(questions);
  return [
    {
      view: 'files',
      isDone: true,
      state: hasNewerInput ? t('newer file') : t('drafted'),
      href: buildHref('files'),
      next: t('Choose a file'),
    },
    {
      view: 'mapping',
      isDone: isMappingValid && questions === 0 && !losesColumn,
      state: open ?? mappingState(isMappingValid, losesColumn),
      href: mapping === null ? buildHref('mapping') : buildHref('mapping', mapping),
      next: open === undefined ? t('Map the columns') : t('Answer the questions'),
    },
    {
      view: 'plan',
      isDone: isPlanned || isImported,
      state: planState(plannedAt, isOutdated, isImported),
      href: buildHref('plan', pipeline),
      next: t('Plan the import'),
    },
    {
      view: 'run',
      isDone: isImported,
      state: isUndone ? t('undone') : runState(own, openRows, openQuestions),
      href: hrefOf('run', own),
      next: own === null ? t('Start the import') : t('See what is open'),
    },
    {
      view: 'check',
      isDone: isImported && verification !== null && verification !== 'partly',
      state: checkWords[(isImported ? verification : null) ?? 'none'],
      href: hrefOf('check', run),
      next: t('Check the import'),
    },
    {
      view: 'hand-over',
      isDone: false,
      state: handOverState(isFinished, hasNewerInput),
      href: hrefOf('hand-over', run),
      next: t('Hand over'),
    },
  ];
}

function mappingState(isValid: boolean, losesColumn: boolean): string {
  if (!isValid) return t('has mistakes');
  return losesColumn ? t('loses a column') : t('answered');
}

function planState(plannedAt: string | null, isOutdated: boolean, isImported: boolean): string {
  if (plannedAt !== null) return isOutdated ? t('out of date') : formatDay(plannedAt);
  return isImported ? t('not needed') : t('not made');
}

function handOverState(isFinished: boolean, hasNewerInput: boolean): string {
  if (!isFinished) return t('not yet');
  return hasNewerInput ? t('earlier file') : t('ready');
}

function hrefOf(view: string, run: ImportWorkflowProgress['run']): string {
  return run === null ? buildHref(view) : buildHref(view, run.run);
}

const checkWords = {
  none: t('not checked'),
  asWritten: t('as written'),
  incomplete: t('not complete yet'),
  partly: t('partly checked'),
  different: t('see what differs'),
} as const;

const runWords = {
  finished: t('done'),
  running: t('under way'),
  elsewhere: t('on another machine'),
  interrupted: t('can be continued'),
  stopped: t('has stopped'),
  failed: t('has failed'),
} as const;

function runState(run: ImportWorkflowProgress['run'], open: number, questions: number): string {
  if (run === null) return t('not started');
  if (isStoppedAtLimit(run)) return t('first rows done');
  if (run.state === 'finished' && questions > 0) return questionsText(questions);
  return hasOpenRows({ ...run, open })
    ? t('{n, plural, one {# row} other {# rows}} to retry', { n: open })
    : runWords[run.state];
}

function questionsText(n: number): string {
  return t('{n, plural, one {# question} other {# questions}}', { n });
}

/** A link from a step that is done to the next one that is not; nothing beside a file. */
export function NextStepLink({ steps }: { readonly steps: readonly ImportStep[] }) {
  const { view, rest } = pageLocation.value;
  if (view === 'files' && rest.length > 0) return null;
  const here = steps.findIndex((step) => step.view === view);
  const next = steps.find(({ isDone }, index) => index > here && !isDone);
  if (steps[here]?.isDone !== true || next === undefined) return null;
  return (
    <p class="buttons">
      <ButtonLink quiet label={t('Next: {step}', { step: next.next })} href={next.href} />
    </p>
  );
}
