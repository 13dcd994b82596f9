import {
  formatConcurrency,
  formatCount,
  formatDuration,
  formatPercent,
  formatQuantity,
  formatRate,
} from '../../../report/figures.ts';
import { listRowStateCounts, listUndoStateCounts } from '../../../report/words.ts';
import { cutToWidth, formatProgressBar } from '../../run/report/progress-display.ts';
import { formatClockTime } from '../../run/report/wait-words.ts';
import type { ExportStatus, RunStatus } from './run-status.ts';

type Watched = RunStatus | ExportStatus;

/** The lines that a watched run takes on a terminal. */
type FourLines = readonly [string, string, string, string];

/** Formats a watched run for a terminal: its id and state, progress, outcomes, and current activity; `now` in ms. */
export function formatWatchedRun(status: Watched, now: number, columns: number): FourLines {
  const head = `${status.run}  ${status.state}, ${formatDuration(status.seconds)} worked`;
  const narrow = (text: string) => cutToWidth(text, columns);
  if (!('rows' in status))
    return [narrow(head), narrow(fetchedText(status)), '', narrow(presentText(status, now))];
  const { rows } = status;
  const done = rows.read - rows.notReached;
  const bar = formatProgressBar({ total: rows.read, done, pace: paceText(status) }, columns);
  return [narrow(head), bar, narrow(outcomeText(status)), narrow(presentText(status, now))];
}

/** Formats a watched run as one line of plain text. */
export function formatWatchedRunLine(status: Watched, now: number): string {
  const parts = 'rows' in status ? [headText(status), outcomeText(status)] : [fetchedText(status)];
  return [...parts, presentText(status, now)].filter(Boolean).join('; ');
}

function headText(status: RunStatus): string {
  const { rows, undo } = status;
  const done = rows.read - rows.notReached;
  const noun = undo === undefined ? 'row' : 'contact';
  const head = `${formatCount(done)} of ${formatQuantity(rows.read, noun)} (${formatPercent(done, rows.read)})`;
  return [head, paceText(status)].filter(Boolean).join(', ');
}

/** Returns `12 rows/s (9.8 on average), 3 min left`; empty while nothing is known. */
function paceText({ now, perSecond, secondsLeft, undo }: RunStatus): string {
  const nouns = undo === undefined ? 'rows' : 'contacts';
  const present = now?.perSecond ?? null;
  const average = perSecond === null ? '' : `${formatRate(perSecond)} on average`;
  const pace = present === null ? average : `${formatRate(present)} ${nouns}/s${average && ` (${average})`}`;
  const left = secondsLeft === null ? '' : `${formatDuration(secondsLeft)} left`;
  return [pace, left].filter(Boolean).join(', ');
}

function fetchedText({ now }: ExportStatus): string {
  if (now?.fetched === undefined) return 'nothing fetched yet';
  const { contacts, messages } = now.fetched;
  const pace = now.perSecond === null ? '' : ` (${formatRate(now.perSecond)}/s)`;
  return `${formatQuantity(contacts, 'contact')}, ${formatQuantity(messages, 'message')}${pace}`;
}

function outcomeText({ rows, undo }: RunStatus): string {
  const reached = { ...rows, notReached: 0 };
  const states = undo === undefined ? listRowStateCounts(reached) : listUndoStateCounts(reached);
  return states.map(({ n, label }) => `${formatCount(n)} ${label}`).join(', ');
}

function presentText({ now: present, state }: Watched, now: number): string {
  if (present === null || state !== 'running') return '';
  const { active, waiting, concurrency, waitsFor } = present;
  const underWay = [
    `${formatCount(active)} in progress`,
    ...(waiting === 0 ? [] : [`${formatCount(waiting)} waiting for the workspace`]),
    ...(concurrency === null ? [] : [formatConcurrency(concurrency)]),
  ].join(', ');
  // The recorded wait may be over, if the machine slept or the process hangs.
  if (waitsFor === null || Date.parse(waitsFor.until) <= now) return underWay;
  const what = waitsFor.kind === 'paused' ? 'paused, retrying' : 'waiting';
  return `${what} until ${formatClockTime(Date.parse(waitsFor.until), now)}: ${waitsFor.reason}; ${underWay}`;
}
