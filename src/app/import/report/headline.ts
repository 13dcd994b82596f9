import { formatCount, formatQuantity } from '../../../report/figures.ts';
import { countUnmatchedRetryRows, listRowStateCounts, type Tone } from '../../../report/words.ts';
import type { Summary } from './summary.ts';

/** The headline of a run, with its tone. */
export interface RunHeadline {
  readonly tone: Tone;
  readonly text: string;
}

const ends = { stopped: 'Stopped', interrupted: 'Interrupted', failed: 'Failed' };

/** Returns the result of a run in one sentence; `filters` are the options of its source that leave out rows. */
export function buildRunHeadline(
  summary: Pick<Summary, 'outcome' | 'exitCode' | 'rows' | 'selection' | 'matched'> &
    Partial<Pick<Summary, 'problems'>>,
  filters?: readonly string[],
): RunHeadline {
  const { rows, outcome } = summary;
  const toLookAt = listRowStateCounts(rows).filter(({ tone }) => tone === 'look' || tone === 'bad');
  const doubled = (summary.problems ?? []).filter(({ consequence }) => consequence === 'doubled');
  const needed = [...toLookAt, ...doubled].reduce((sum, { n }) => sum + n, 0);
  const look = needed === 0 ? '' : `, ${needed === 1 ? '1 needs' : `${formatCount(needed)} need`} a look`;
  const reached = rows.read - rows.notReached;
  if (isStoppedByLimit(summary)) {
    const text = `Stopped by --limit: ${formatQuantity(reached, 'row')} processed${look}; the same command without --limit continues.`;
    return { tone: needed === 0 ? 'good' : 'look', text };
  }
  if (outcome !== 'finished') {
    const left = rows.notReached === 0 ? '' : `; ${formatCount(rows.notReached)} still to do`;
    const text = `${ends[outcome]} after ${formatCount(reached)} of ${formatQuantity(rows.read, 'row')}${look}${left}.`;
    return { tone: outcome === 'failed' ? 'bad' : 'look', text };
  }
  if (rows.read === 0) {
    if (summary.selection.kind === 'all') return { tone: 'look', text: 'Finished: the input had no rows.' };
    return { tone: 'look', text: 'Finished: no row of the input was selected for this run.' };
  }
  const left = countUnmatchedRetryRows(summary.matched);
  if (left > 0) {
    const done = `${formatCount(rows.read - needed)} of ${formatQuantity(rows.read, 'row')} done${look}`;
    return { tone: 'look', text: `Finished: ${done}; ${formatQuantity(left, 'other row')} not taken.` };
  }
  const kept = rows.read - rows.filtered;
  const leftOut = formatLeftOutRows(rows.filtered, filters);
  if (kept === 0) return { tone: 'look', text: `Finished: no row is done${leftOut}.` };
  if (needed > 0 || rows.notReached > 0) {
    const text = `${partly(kept, rows.notReached, needed, look)}${leftOut}.`;
    return { tone: 'look', text };
  }
  const sent = rows.created + rows.updated + rows.merged + rows.folded;
  if (sent === 0)
    return {
      tone: 'good',
      text: `Finished: nothing to change in ${formatQuantity(kept, 'row')}${leftOut}.`,
    };
  return {
    tone: 'good',
    text: `Finished: ${doneWords(kept, rows.filtered)}${leftOut}.`,
  };
}

function doneWords(kept: number, filtered: number): string {
  if (filtered > 0) return `${formatQuantity(kept, 'row')} ${kept === 1 ? 'is' : 'are'} done`;
  return kept === 1 ? 'the one row is done' : `all ${formatCount(kept)} rows are done`;
}

/** Returns the end of a sentence about the rows that the source left out by its options `filters`; empty for none. */
export function formatLeftOutRows(filtered: number, filters?: readonly string[]): string {
  if (filtered === 0) return '';
  return `; ${formatCount(filtered)} ${filtered === 1 ? 'was' : 'were'} left out by ${formatRowFilters(filters)}`;
}

/** Names the options of a source that leave out rows; both where they are not known. */
export function formatRowFilters(filters: readonly string[] = []): string {
  return `the source's ${filters.length === 0 ? 'where or skipEmpty' : filters.join(' or ')}`;
}

/** Returns true if a run stopped only because of --limit: every other stop has its own exit code. */
export function isStoppedByLimit({ outcome, exitCode }: Pick<Summary, 'outcome' | 'exitCode'>): boolean {
  return outcome === 'stopped' && (exitCode === 0 || exitCode === 3);
}

function partly(read: number, notReached: number, needed: number, look: string): string {
  const left = notReached === 0 ? '' : `, ${formatCount(notReached)} not reached`;
  return `Finished: ${formatCount(read - needed - notReached)} of ${formatQuantity(read, 'row')} done${look}${left}`;
}
