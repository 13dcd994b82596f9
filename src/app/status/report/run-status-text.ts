import { toSingleLine } from '../../../model/escape-controls.ts';
import {
  formatCount,
  formatDuration,
  formatLocalTime,
  formatPercent,
  formatQuantity,
} from '../../../report/figures.ts';
import {
  alignColumns,
  createTerminalStyler,
  joinBlocks,
  type TerminalStyler,
  wrapText,
} from '../../../report/layout.ts';
import { formatLeftBehindLines } from '../../../report/left-behind-lines.ts';
import {
  formatRetryMatchCounts,
  formatSelectionSentence,
  listRowStateCounts,
  listUndoStateCounts,
} from '../../../report/words.ts';
import { formatNextStepLines } from '../../import/report/next-steps.ts';
import { consequenceLabels, excludeLosses } from '../../import/report/problem-digest.ts';
import { observedRunStateTones } from './run-list.ts';
import type { ExportStatus, RunStatus } from './run-status.ts';

/** Renders the status of a run as text; `columns` is the maximum width of its lines. Ends with a line break. */
export function renderRunStatus(
  status: RunStatus | ExportStatus,
  { colour, columns }: { readonly colour: boolean; readonly columns?: number | undefined },
): string {
  const ink = createTerminalStyler(colour);
  return 'rows' in status
    ? joinBlocks(importBlocks(status, columns, ink))
    : `${exportLines(status, ink).join('\n')}\n`;
}

function importBlocks(status: RunStatus, columns: number | undefined, ink: TerminalStyler): string[][] {
  return [
    [titleLine(status, ink), ...whereabouts(status).map((line) => wrapText(line, { columns, indent: '  ' }))],
    rowLines(status, ink),
    airLines(status),
    formatLeftBehindLines(status.leftBehind, ink, columns),
    problemLines(excludeLosses(status.problems), ink),
    formatNextStepLines(status.next, ink),
  ];
}

function exportLines(status: ExportStatus, ink: TerminalStyler): string[] {
  const counts = Object.entries(status.counts ?? {}).map(([kind, n]) => [`    ${kind}`, formatCount(n)]);
  return [
    titleLine(status, ink),
    `  An export started ${formatLocalTime(status.startedAt)}, ${formatDuration(status.seconds)} worked.`,
    ...endLines(status),
    ...prunedLines(status),
    ...(status.message === null ? [] : [`  ${toSingleLine(status.message)}`]),
    ...(status.folder === null ? [] : [`  ${toSingleLine(status.folder)}`]),
    ...alignColumns(counts, [1]),
    ...formatNextStepLines(status.next, ink),
  ];
}

function titleLine({ run, state }: Pick<RunStatus, 'run' | 'state'>, ink: TerminalStyler): string {
  return `${ink.bold(run)}  ${ink.tone(observedRunStateTones[state], state)}`;
}

function endLines({ finishedAt, exitCode }: Pick<RunStatus, 'finishedAt' | 'exitCode'>): string[] {
  return finishedAt === null ? [] : [`  Ended ${formatLocalTime(finishedAt)}, exit code ${exitCode ?? '–'}.`];
}

function prunedLines({ prunedAt }: Pick<RunStatus, 'prunedAt'>): string[] {
  return prunedAt === null ? [] : [`  Pruned ${formatLocalTime(prunedAt)}: its rows and files were removed.`];
}

function whereabouts(status: RunStatus): string[] {
  const { process: last, rows } = status;
  const done = rows.read - rows.notReached;
  const { undo } = status;
  const about =
    undo === undefined ? formatSelectionSentence(status.selection) : `An undo of run ${undo.run}.`;
  const noun = undo === undefined ? 'row' : 'contact';
  const lines = [
    ...(about === undefined ? [] : [`  ${toSingleLine(about)}`]),
    ...(status.undoneBy === undefined ? [] : [`  Undone by run ${status.undoneBy}.`]),
    `  ${formatCount(done)} of ${formatQuantity(rows.read, noun)} processed (${formatPercent(done, rows.read)}), ${formatDuration(status.seconds)} worked`,
  ];
  if (last !== null) {
    const who = `process ${last.pid} on ${last.host}, since ${formatLocalTime(last.since)}`;
    const seen = `last seen ${formatLocalTime(last.lastSeenAt)}`;
    if (status.state === 'running') lines.push(`  Run by ${who}; ${seen}.`);
    else if (status.state === 'elsewhere')
      lines.push(`  Started by ${who}; ${seen}. Check on that machine whether it is still running.`);
    else if (status.finishedAt === null) lines.push(`  Process ${last.pid} died unexpectedly; ${seen}.`);
  }
  lines.push(
    ...endLines(status),
    ...prunedLines(status),
    ...formatRetryMatchCounts(status).map((line) => `  ${line}`),
    ...settledLines(status),
  );
  if (status.message !== null) lines.push(`  ${toSingleLine(status.message)}`);
  return lines;
}

/** Returns a line about the open rows that need no retry any more; empty if there are none. */
function settledLines({ rows, open, forgotten = 0, prunedAt }: RunStatus): string[] {
  const left = rows.rejected + rows.failed + rows.uncertain - forgotten;
  if (prunedAt !== null || left === 0 || open === left) return [];
  const rest = open === 0 ? 'none left open' : `${formatCount(open)} still open`;
  return [
    `  Later retries settled ${formatCount(left - open)} of its ${formatQuantity(left, 'open row')}: ${rest}.`,
  ];
}

function rowLines({ rows, undo }: RunStatus, ink: TerminalStyler): string[] {
  const states = undo === undefined ? listRowStateCounts(rows) : listUndoStateCounts(rows);
  const lines = alignColumns(
    states.map(({ label, n }) => [`  ${label}`, formatCount(n)]),
    [1],
  );
  return lines.map((line, index) => ink.tone(states[index]?.tone ?? 'quiet', line));
}

function airLines({ inFlight, state }: RunStatus): string[] {
  const steps = Object.entries(inFlight);
  if (steps.length === 0) return [];
  const what = steps.map(([name, n]) => `${formatCount(n)} × ${name}`).join(', ');
  const then = state === 'running' ? '' : '; resume checks the workspace before it resends';
  return [`  Sent, not answered yet: ${what}${then}.`];
}

function problemLines(problems: RunStatus['problems'], ink: TerminalStyler): string[] {
  if (problems.length === 0) return [];
  const lines = alignColumns(
    problems
      .slice(0, 5)
      .map(({ n, code, consequence }) => [
        `    ${formatCount(n)}`,
        toSingleLine(code),
        consequenceLabels[consequence].label,
      ]),
    [0],
  );
  return [ink.bold('  Problems'), ...lines];
}
