import { useEffect, useRef } from 'preact/hooks';
import type { ImportWorkflowProgress } from '../wire/runs.ts';
import { activity, useActivity } from './activity.ts';
import { formatCountWithNoun, formatDateTime } from './figures.ts';
import { useImportPipelines } from './import-pipelines.tsx';
import { buildHref, pageLocation } from './place.ts';
import { isStoppedAtLimit } from './run/run-state.tsx';

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

/** Returns the steps of the import that this tab works on, in order; empty until they are known. */
export function useImportSteps(): readonly ImportStep[] {
  const { paths, first, reload } = useImportPipelines();
  const pipeline = useRef(first);
  if (paths !== undefined) pipeline.current = first;
  const { view } = pageLocation.value;
  // The view that was left may have drafted a pipeline, so the list is read again.
  useEffect(() => {
    if (paths !== undefined) reload();
  }, [view]);
  useActivity(pipeline.current);
  const progress = activity.value?.progress ?? null;
  return pipeline.current === undefined || progress === null ? [] : stepsOf(progress);
}

function stepsOf({
  pipeline,
  mapping,
  questions,
  plannedAt,
  run,
  isUndone,
  verification,
}: ImportWorkflowProgress): readonly ImportStep[] {
  const isImported = run?.state === 'finished' && !isUndone;
  const open = questions === 0 ? undefined : formatCountWithNoun(questions, 'question');
  return [
    { view: 'files', isDone: true, state: 'drafted', href: buildHref('files'), next: 'Choose a file' },
    {
      view: 'mapping',
      isDone: mapping !== null && questions === 0,
      state: open ?? (mapping === null ? 'has mistakes' : 'answered'),
      href: mapping === null ? buildHref('mapping') : buildHref('mapping', mapping),
      next: open === undefined ? 'Map the columns' : 'Answer the questions',
    },
    {
      view: 'plan',
      isDone: plannedAt !== null || isImported,
      state: plannedAt === null ? 'not made' : formatDateTime(plannedAt),
      href: buildHref('plan', pipeline),
      next: 'Plan the import',
    },
    {
      view: 'run',
      isDone: isImported,
      state: isUndone ? 'undone' : runState(run),
      href: hrefOf('run', isUndone ? null : run),
      next: run === null || isUndone ? 'Start the import' : 'See what is open',
    },
    {
      view: 'check',
      isDone: isImported && verification !== null,
      state:
        !isImported || verification === null
          ? 'not checked'
          : verification === 0
            ? 'as written'
            : 'see what differs',
      href: hrefOf('check', run),
      next: 'Check the import',
    },
    {
      view: 'hand-over',
      isDone: false,
      state: isImported ? 'ready' : 'not yet',
      href: hrefOf('hand-over', run),
      next: 'Hand over',
    },
  ];
}

function hrefOf(view: string, run: ImportWorkflowProgress['run']): string {
  return run === null ? buildHref(view) : buildHref(view, run.run);
}

const runWords = {
  finished: 'done',
  running: 'under way',
  elsewhere: 'on another machine',
  interrupted: 'to be continued',
  stopped: 'has stopped',
  failed: 'has failed',
} as const;

function runState(run: ImportWorkflowProgress['run']): string {
  if (run === null) return 'not begun';
  if (isStoppedAtLimit(run)) return 'first rows done';
  const hasOpenRows = run.state === 'finished' && run.open > 0;
  return hasOpenRows ? `${formatCountWithNoun(run.open, 'row')} open` : runWords[run.state];
}

/**
 * A link from a finished step to the next step that is not done; nothing if the current step is not done, or all
 * later ones are.
 */
export function NextStepLink({ steps }: { readonly steps: readonly ImportStep[] }) {
  const here = steps.findIndex(({ view }) => view === pageLocation.value.view);
  const next = steps.find(({ isDone }, index) => index > here && !isDone);
  if (steps[here]?.isDone !== true || next === undefined) return null;
  return (
    <p class="next-step">
      <a href={next.href}>Next: {next.next}</a>
    </p>
  );
}
