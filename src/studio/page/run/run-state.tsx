import type { Tone } from '../../wire/project.ts';
import type { RunListEntry, RunStatus } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { t } from '../language.ts';
import { listRowStateCounts } from '../project.ts';

/** The tone and the words of each state of a run. */
export const runStates: Readonly<
  Record<RunListEntry['state'], { readonly tone: Tone; readonly words: string }>
> = {
  finished: { tone: 'good', words: t('finished') },
  running: { tone: 'good', words: t('running') },
  elsewhere: { tone: 'quiet', words: t('on another machine') },
  interrupted: { tone: 'look', words: t('interrupted') },
  stopped: { tone: 'look', words: t('stopped') },
  failed: { tone: 'bad', words: t('failed') },
};

/** The exit codes of a run that was told to stop: in a terminal, or by the studio. */
const stopCodes: readonly (number | null)[] = [130, 143];

/** The state of a run in words, in its colour. */
export function RunStateTag({ run }: { readonly run: TaggedRun }) {
  const tone = isStoppedAtLimit(run) ? 'good' : hasOpenRows(run) ? 'look' : runStates[run.state].tone;
  return <span class={`tag ${tone}`}>{wordsOf(run)}</span>;
}

type TaggedRun = Pick<RunListEntry, 'state' | 'exitCode'> & { readonly open?: number };

/** Returns true for a finished import with rows that still need a retry. */
export function hasOpenRows({ state, open = 0 }: Pick<TaggedRun, 'state' | 'open'>): boolean {
  return state === 'finished' && open > 0;
}

function wordsOf(run: TaggedRun): string {
  if (isStoppedAtLimit(run)) return t('first rows done');
  if (hasOpenRows(run))
    return t('finished, {n, plural, one {# row} other {# rows}} to retry', { n: run.open ?? 0 });
  if (run.state === 'interrupted' && stopCodes.includes(run.exitCode)) return t('stopped by hand');
  return runStates[run.state].words;
}

/** Returns the message of a run, reworded if it only names a signal; null for none. */
export function formatRunMessage({ message }: { readonly message: string | null }): string | null {
  if (message === null || !/^interrupted by SIG/i.test(message)) return message;
  return t('The run was stopped before it finished. Continue it: nothing is sent twice.');
}

/** Returns true for an import that has stopped after the number of rows that it was started for. */
export function isStoppedAtLimit({ state, exitCode }: Pick<RunListEntry, 'state' | 'exitCode'>): boolean {
  return state === 'stopped' && (exitCode === 0 || exitCode === 3);
}

/** What leaves out rows, by the option of the source. */
const filterMeanings = new Map([
  ['where', t('left out by a filter of the pipeline')],
  ['skipEmpty', t('an empty row')],
]);

/** What the states of an undo's contacts are called, where it is not as those of rows. */
const undoWords: Readonly<Record<string, { readonly label: string; readonly meaning: string }>> = {
  updated: { label: t('put back'), meaning: t('contacts that have their values from before again') },
  unchanged: { label: t('as before already'), meaning: t('nothing had to be put back') },
  skipped: { label: t('left as they are'), meaning: t('changed since the run, or cannot be put back') },
};

/** Returns the states of rows with their numbers; that of filtered rows says what leaves them out, if that is known. */
function listFilteredRowStates(
  rows: Readonly<Record<string, number>>,
  filters: readonly string[] = [],
): ReturnType<typeof listRowStateCounts> {
  const meaning = filters.length === 1 ? filterMeanings.get(filters[0] ?? '') : undefined;
  return listRowStateCounts(rows).map((each) =>
    each.state === 'filtered' ? { ...each, meaning: meaning ?? each.meaning } : each,
  );
}

/** Returns the states of the rows that a pipeline's plan or rehearsal has counted, with their numbers. */
export function listRowStatesOfPipeline(
  rows: Readonly<Record<string, number>>,
  pipeline: string,
): ReturnType<typeof listRowStateCounts> {
  const progress = activity.value?.progress;
  return listFilteredRowStates(rows, progress?.pipeline === pipeline ? progress.filters : []);
}

/** Returns the states of a run's rows, with what was answered about them since, or has left them out. */
export function listRowStatesOfRun({
  kind,
  rows,
  filters,
  questions = { asked: 0, open: 0 },
  proposals = { proposed: 0, open: 0, refused: 0 },
}: Pick<RunStatus, 'kind' | 'rows' | 'questions' | 'proposals' | 'filters'>): ReturnType<
  typeof listRowStateCounts
> {
  const states = listFilteredRowStates(rows, filters);
  if (kind === 'undo') return states.map((each) => ({ ...each, ...undoWords[each.state] }));
  const [asked, open] = [questions.asked + proposals.proposed, questions.open + proposals.open];
  const { refused } = proposals;
  if (open === asked) return states;
  const meaning =
    open === 0
      ? refused > 0
        ? t(
            '{refused, plural, one {# merge is} other {# merges are}} refused: nothing of {refused, plural, one {its row} other {their rows}} was imported',
            { refused },
          )
        : t(
            '{asked, plural, one {the question was answered since} other {the # questions were answered since}}: what was done is with the later runs',
            { asked },
          )
      : t(
          '{n, plural, one {# of {asked, number} questions was} other {# of {asked, number} questions were}} answered since; the others need your answer',
          { n: asked - open, asked },
        );
  const settled = open === 0 ? { label: t('answered since'), tone: 'quiet' as const } : {};
  return states.map((each) => (each.state === 'proposed' ? { ...each, ...settled, meaning } : each));
}
