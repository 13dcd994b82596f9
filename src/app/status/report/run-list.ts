import {
  countOpenRows,
  type FailingPipeline,
  type JournalDatabase,
  listFailingPipelines,
  type RowSelection,
  type RunRecord,
  type UndoSelection,
} from '../../../journal/index.ts';
import { toSingleLine } from '../../../model/escape-controls.ts';
import { readStatusBase } from '../../../report/account.ts';
import {
  formatCount,
  formatDuration,
  formatLocalTime,
  formatLocalTimeParts,
  formatQuantity,
} from '../../../report/figures.ts';
import { alignColumns, createTerminalStyler, type TerminalStyler, wrapText } from '../../../report/layout.ts';
import type { ObservedRunState, ProcessProbe } from '../../../report/liveness.ts';
import { formatSelectionLabel, type Tone } from '../../../report/words.ts';
import { formatCommandLine, type Invocation } from '../../run/command-line.ts';

/** A run in the list of `longshore runs`. */
export interface RunListEntry {
  readonly run: string;
  readonly pipeline: string;
  readonly kind: RunRecord['kind'];
  /** The name of the input: a path, or a workspace; of an export, the path of its pipeline. */
  readonly input: string;
  readonly selection: RowSelection;
  /** The workspace that was written or exported: `sandbox` or a base URL. */
  readonly workspace: string;
  /** Set for an undo: the run that it reverts. */
  readonly undo?: UndoSelection;
  readonly state: ObservedRunState;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The number of rows in the input, or of contacts of an undo; 0 for an export. */
  readonly rows: number;
  /**
   * The number of rejected, failed and uncertain rows that still need a retry, without those of forgotten people, and
   * without proposed rows, which wait for an answer or an approval; 0 for a pruned run.
   */
  readonly open: number;
  /** The number of objects in a complete export, by kind; null for any other run. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** The folder of a complete export; null for any other run. */
  readonly folder: string | null;
  readonly seconds: number;
  readonly exitCode: number | null;
  /** When its rows and files were removed (ISO 8601, UTC); null for a run that has them. */
  readonly prunedAt: string | null;
}

export const observedRunStateTones: Readonly<Record<ObservedRunState, Tone>> = {
  finished: 'good',
  running: 'good',
  elsewhere: 'quiet',
  interrupted: 'look',
  stopped: 'look',
  failed: 'bad',
};

/** Returns the runs as `longshore runs --json` prints them. */
export function toRunListEntries(
  file: JournalDatabase,
  runs: readonly RunRecord[],
  machine?: ProcessProbe,
): RunListEntry[] {
  return runs.map((run) => {
    const {
      seconds,
      exitCode,
      process: _,
      finishedAt: _end,
      message: _why,
      ...standing
    } = readStatusBase(file, run, machine);
    const { items: rows, counts, folder, undo, target: workspace } = run;
    return {
      ...standing,
      workspace,
      ...(undo && { undo }),
      rows,
      open: countOpenRows(file, run),
      counts,
      folder,
      seconds,
      exitCode,
    };
  });
}

/**
 * Renders the runs as a table, or below each other on a narrow terminal, then the failing pipelines; ends with a line
 * break.
 */
export function renderRunList(
  file: JournalDatabase,
  runs: readonly RunRecord[],
  view: {
    readonly colour: boolean;
    readonly invocation: Invocation;
    readonly machine?: ProcessProbe;
    /** The width of the terminal; undefined for no limit. */
    readonly columns?: number | undefined;
  },
): string {
  const ink = createTerminalStyler(view.colour);
  const failing = listFailingPipelines(file).map((each) => `${ink.tone('look', '!')} ${failingText(each)}`);
  if (runs.length === 0)
    return [
      `No runs yet. Start with: ${formatCommandLine(['import', 'PIPELINE'], {}, view.invocation)}`,
      ...failing,
      '',
    ].join('\n');
  const list = toRunListEntries(file, runs, view.machine);
  const table = tableLines(list, ink);
  const lines = table.width <= (view.columns ?? table.width) ? table.lines : stackedLines(list, ink, view);
  return [...lines, ...failing, ''].join('\n');
}

function tableLines(
  list: readonly RunListEntry[],
  ink: TerminalStyler,
): { readonly lines: readonly string[]; readonly width: number } {
  const columns = columnsFor(list);
  const table = [columns.map(({ head }) => head), ...list.map((run) => columns.map(({ cell }) => cell(run)))];
  const figures = columns.flatMap(({ figure }, index) => (figure ? [index] : []));
  const plain = alignColumns(table, figures);
  const lines = plain.map((line, index) => {
    const run = list[index - 1];
    if (run === undefined) return ink.dim(line);
    // Coloured after alignment, which would count the characters of escape sequences as width.
    const before = line.indexOf(`  ${run.state}  `, run.run.length) + 2;
    const after = before + run.state.length;
    return line.slice(0, before) + ink.tone(observedRunStateTones[run.state], run.state) + line.slice(after);
  });
  return { lines, width: Math.max(...plain.map((line) => line.length)) };
}

/** Renders the runs below each other, for a terminal too narrow for the table. */
function stackedLines(
  list: readonly RunListEntry[],
  ink: TerminalStyler,
  { columns }: { readonly columns?: number | undefined },
): string[] {
  return list.flatMap((run) => {
    const rows = run.kind === 'export' ? 'contacts + messages' : run.kind === 'undo' ? 'contacts' : 'rows';
    const exit = run.exitCode === null ? '' : `, exit code ${run.exitCode}`;
    const about = `${formatLocalTime(run.startedAt)}, ${amount(run)} ${rows}, ${formatDuration(run.seconds)}${exit}, ${scopeOf(run)}`;
    return [
      toSingleLine(run.run),
      `  ${ink.tone(observedRunStateTones[run.state], run.state)}`,
      wrapText(about, { columns, first: '  ', indent: '  ' }),
    ];
  });
}

interface Column {
  readonly head: string;
  readonly figure?: boolean;
  readonly cell: (run: RunListEntry) => string;
}

/**
 * Returns the columns of the table; the pipeline has a column of its own unless the id of every run contains its name.
 */
function columnsFor(list: readonly RunListEntry[]): readonly Column[] {
  const pipeline: Column = { head: 'pipeline', cell: (run) => toSingleLine(run.pipeline) };
  const isNamed = list.every((run) => /^-\d+$|^$/.test(run.run.split(`-${run.pipeline}`).at(-1) ?? '-'));
  return [
    { head: 'run', cell: (run) => run.run },
    ...(isNamed ? [] : [pipeline]),
    { head: 'state', cell: (run) => run.state },
    began(list),
    {
      head: list.every(({ kind }) => kind === 'export') ? 'contacts + messages' : 'rows',
      figure: true,
      cell: amount,
    },
    ...(list.some(({ open }) => open > 0)
      ? [
          {
            head: 'to retry',
            figure: true,
            cell: ({ open }: RunListEntry) => (open === 0 ? '' : formatCount(open)),
          },
        ]
      : []),
    { head: 'worked', figure: true, cell: (run) => formatDuration(run.seconds) },
    { head: 'exit', figure: true, cell: (run) => (run.exitCode === null ? '–' : String(run.exitCode)) },
    { head: 'scope', cell: scopeOf },
  ];
}

/** Formats the scope of a run, and whether it was pruned. */
function scopeOf(run: RunListEntry): string {
  return [toSingleLine(formatSelectionLabel(run)), ...(run.prunedAt === null ? [] : ['pruned'])].join(', ');
}

/** Returns the column of start times; the time zone is in the head unless it differs between runs. */
function began(list: readonly RunListEntry[]): Column {
  const [zone, ...others] = new Set(list.map(({ startedAt }) => formatLocalTimeParts(startedAt).zone));
  return others.length > 0
    ? { head: 'began', cell: (run) => formatLocalTime(run.startedAt) }
    : { head: `began (${zone})`, cell: (run) => formatLocalTimeParts(run.startedAt).minute };
}

/** Formats a failing pipeline; its attempts include those that failed before a run began. */
function failingText({ pipeline, kind, exitCode, failures, failingSince }: FailingPipeline): string {
  const ended = failures === 1 ? `exit code ${exitCode}` : `the last one with exit code ${exitCode}`;
  return `The ${kind} ${toSingleLine(pipeline)} has been failing since ${formatLocalTime(failingSince)}: ${formatQuantity(failures, 'attempt')}, ${ended}.`;
}

/** Formats the number of rows; for an export, of contacts and messages. */
function amount({ kind, rows, counts }: RunListEntry): string {
  if (kind !== 'export') return formatCount(rows);
  if (counts === null) return '–';
  const { contacts = 0, messages } = counts;
  return messages === undefined
    ? formatCount(contacts)
    : `${formatCount(contacts)} + ${formatCount(messages)}`;
}
