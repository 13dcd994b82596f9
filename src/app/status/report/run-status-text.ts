import type { JournalFile, RunRecord } from '../../../journal/index.ts';
import { oneLine } from '../../../model/escape-controls.ts';
import { count, counted, duration, localTime, percent } from '../../../report/figures.ts';
import { alignedLines, inBlocks, type Paint, paint, wrapped } from '../../../report/layout.ts';
import { leftBehindLines } from '../../../report/left-behind-lines.ts';
import { matchLines, presentStates, presentUndoStates, selectionSentence } from '../../../report/words.ts';
import { nextLines } from '../../import/report/next-steps.ts';
import { consequences, withoutLeftBehind } from '../../import/report/problem-digest.ts';
import { presenceTones } from './run-list.ts';
import {
  type ExportStatus,
  exportStatusJson,
  type RunStatus,
  type StatusView,
  statusJson,
} from './run-status.ts';

/** Where a run stands, for a person; ends with a line break. */
export function renderStatus(
  file: JournalFile,
  run: RunRecord,
  view: StatusView & { readonly colour: boolean },
): string {
  const ink = paint(view.colour);
  return run.kind === 'export'
    ? `${exportLines(exportStatusJson(file, run, view), ink).join('\n')}\n`
    : inBlocks(importBlocks(statusJson(file, run, view), view, ink));
}

function importBlocks(status: RunStatus, { columns }: StatusView, ink: Paint): string[][] {
  return [
    [titleLine(status, ink), ...whereabouts(status).map((line) => wrapped(line, { columns, indent: '  ' }))],
    rowLines(status, ink),
    airLines(status),
    leftBehindLines(status.leftBehind, ink, columns),
    problemLines(withoutLeftBehind(status.problems), ink),
    nextLines(status.next, ink),
  ];
}

function exportLines(status: ExportStatus, ink: Paint): string[] {
  const counts = Object.entries(status.counts ?? {}).map(([kind, n]) => [`    ${kind}`, count(n)]);
  return [
    titleLine(status, ink),
    `  An export started ${localTime(status.startedAt)}, ${duration(status.seconds)} worked.`,
    ...endLines(status),
    ...prunedLines(status),
    ...(status.message === null ? [] : [`  ${oneLine(status.message)}`]),
    ...(status.folder === null ? [] : [`  ${oneLine(status.folder)}`]),
    ...alignedLines(counts, [1]),
    ...nextLines(status.next, ink),
  ];
}

function titleLine({ run, state }: Pick<RunStatus, 'run' | 'state'>, ink: Paint): string {
  return `${ink.bold(run)}  ${ink.tone(presenceTones[state], state)}`;
}

function endLines({ finishedAt, exitCode }: Pick<RunStatus, 'finishedAt' | 'exitCode'>): string[] {
  return finishedAt === null ? [] : [`  Ended ${localTime(finishedAt)}, exit code ${exitCode ?? '–'}.`];
}

function prunedLines({ prunedAt }: Pick<RunStatus, 'prunedAt'>): string[] {
  return prunedAt === null ? [] : [`  Pruned ${localTime(prunedAt)}: its rows and files were removed.`];
}

function whereabouts(status: RunStatus): string[] {
  const { process: last, rows } = status;
  const done = rows.read - rows.notReached;
  const { undo } = status;
  const about = undo === undefined ? selectionSentence(status.selection) : `An undo of run ${undo.run}.`;
  const noun = undo === undefined ? 'row' : 'contact';
  const lines = [
    ...(about === undefined ? [] : [`  ${oneLine(about)}`]),
    ...(status.undoneBy === undefined ? [] : [`  Undone by run ${status.undoneBy}.`]),
    `  ${count(done)} of ${counted(rows.read, noun)} done (${percent(done, rows.read)}), ${duration(status.seconds)} worked`,
  ];
  if (last !== null) {
    const who = `process ${last.pid} on ${last.host}, since ${localTime(last.since)}`;
    const seen = `last seen ${localTime(last.lastSeenAt)}`;
    if (status.state === 'running') lines.push(`  Run by ${who}; ${seen}.`);
    else if (status.state === 'elsewhere')
      lines.push(`  Started by ${who}; ${seen}. Check on that machine whether it is still running.`);
    else if (status.finishedAt === null) lines.push(`  Process ${last.pid} died unexpectedly; ${seen}.`);
  }
  lines.push(
    ...endLines(status),
    ...prunedLines(status),
    ...matchLines(status).map((line) => `  ${line}`),
    ...settledLines(status),
  );
  if (status.message !== null) lines.push(`  ${oneLine(status.message)}`);
  return lines;
}

/** What retries have made of the rows that the run left open. */
function settledLines({ rows, open, forgotten = 0, prunedAt }: RunStatus): string[] {
  const left = rows.rejected + rows.failed + rows.uncertain - forgotten;
  if (prunedAt !== null || left === 0 || open === left) return [];
  const rest = open === 0 ? 'none left open' : `${count(open)} still open`;
  return [`  Later retries settled ${count(left - open)} of its ${counted(left, 'open row')}: ${rest}.`];
}

function rowLines({ rows, undo }: RunStatus, ink: Paint): string[] {
  const states = undo === undefined ? presentStates(rows) : presentUndoStates(rows);
  const lines = alignedLines(
    states.map(({ label, n }) => [`  ${label}`, count(n)]),
    [1],
  );
  return lines.map((line, index) => ink.tone(states[index]?.tone ?? 'quiet', line));
}

function airLines({ inFlight, state }: RunStatus): string[] {
  const steps = Object.entries(inFlight);
  if (steps.length === 0) return [];
  const what = steps.map(([name, n]) => `${count(n)} × ${name}`).join(', ');
  const then = state === 'running' ? '' : '; resume checks the workspace before it resends';
  return [`  Sent, not answered yet: ${what}${then}.`];
}

function problemLines(problems: RunStatus['problems'], ink: Paint): string[] {
  if (problems.length === 0) return [];
  const lines = alignedLines(
    problems
      .slice(0, 5)
      .map(({ n, code, consequence }) => [`    ${count(n)}`, oneLine(code), consequences[consequence].label]),
    [0],
  );
  return [ink.bold('  Problems'), ...lines];
}
