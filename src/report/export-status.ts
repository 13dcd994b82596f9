import { type JournalFile, listSessions, type RunRecord } from '../journal/index.ts';
import { oneLine } from '../model/escape-controls.ts';
import { isKeptBack } from '../runs/export/guards.ts';
import { count, duration, localTime } from './figures.ts';
import { alignedLines, paint } from './layout.ts';
import { type Machine, presenceOf, type RunPresence, thisMachine } from './liveness.ts';
import { commandLine, type NextStep } from './next-steps.ts';
import { presenceTones } from './run-list.ts';
import { sessionSpans, workedSeconds } from './sessions.ts';
import { runCommand } from './words.ts';

/** The status of an export, as `longshore status --json` prints it. */
export interface ExportStatus {
  readonly run: string;
  readonly pipeline: string;
  readonly kind: 'export';
  readonly state: RunPresence;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly seconds: number;
  readonly exitCode: number | null;
  readonly message: string | null;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly folder: string | null;
  readonly next: readonly NextStep[];
}

interface ExportView {
  readonly machine?: Machine;
  readonly workDir?: string;
}

export function exportStatusJson(file: JournalFile, run: RunRecord, view: ExportView = {}): ExportStatus {
  const spans = sessionSpans(run, listSessions(file, run.number));
  const state = presenceOf(run, spans.at(-1), view.machine ?? thisMachine);
  return {
    run: run.id,
    pipeline: run.pipeline,
    kind: 'export',
    state,
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    seconds: workedSeconds(spans),
    exitCode: run.exitCode,
    message: run.message,
    counts: run.counts,
    folder: run.folder,
    next: nextOf(run, state, view.workDir),
  };
}

function nextOf(run: RunRecord, state: RunPresence, workDir: string | undefined): NextStep[] {
  if (state === 'running' || state === 'elsewhere' || state === 'finished') return [];
  const context = { workspace: run.target, workDir };
  const command = commandLine(runCommand(run), context);
  if (isKeptBack(run)) {
    const accept = commandLine([...runCommand(run), '--accept'], context);
    return [
      { why: 'If that is what the workspace contains', command: accept },
      { why: 'Otherwise fix the pipeline or the workspace, then', command },
    ];
  }
  if (run.selection.kind === 'compact') return [{ why: 'To combine it again', command }];
  return [{ why: 'To continue it, or to start over if it cannot be continued', command }];
}

/** Where an export stands, for a person; ends with a line break. */
export function renderExportStatus(
  file: JournalFile,
  run: RunRecord,
  view: ExportView & { readonly colour: boolean },
): string {
  const ink = paint(view.colour);
  const status = exportStatusJson(file, run, view);
  const ended =
    status.finishedAt === null
      ? []
      : [`  Ended ${localTime(status.finishedAt)}, exit code ${status.exitCode ?? '–'}.`];
  const lines = [
    `${ink.bold(status.run)}  ${ink.tone(presenceTones[status.state], status.state)}`,
    `  An export started ${localTime(status.startedAt)}, ${duration(status.seconds)} worked.`,
    ...ended,
    ...(status.message === null ? [] : [`  ${oneLine(status.message)}`]),
    ...(status.folder === null ? [] : [`  ${oneLine(status.folder)}`]),
    ...alignedLines(
      Object.entries(status.counts ?? {}).map(([kind, n]) => [`    ${kind}`, count(n)]),
      [1],
    ),
    ...status.next.flatMap(({ why, command }) => [`  ${why}:`, `    ${ink.bold(command ?? '')}`]),
  ];
  return `${lines.join('\n')}\n`;
}
