import { type JournalFile, listSessions, type RunRecord, type Selection } from '../journal/index.ts';
import { count, duration, moment } from './figures.ts';
import { type Machine, presenceOf, type RunPresence, thisMachine } from './liveness.ts';
import type { Tone } from './outcome-words.ts';
import { paint } from './paint.ts';
import { selectionLabel } from './selection-words.ts';
import { sessionSpans, workedSeconds } from './sessions.ts';
import { alignedLines } from './table.ts';
import { visible } from './visible.ts';

/** A run in the list of `longshore runs`. */
export interface RunLine {
  readonly run: string;
  readonly pipeline: string;
  readonly kind: RunRecord['kind'];
  readonly selection: Selection;
  readonly state: RunPresence;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** In the input; 0 for an export. */
  readonly rows: number;
  /** What a complete export holds, by kind; null for others. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** Where a complete export is. */
  readonly folder: string | null;
  readonly seconds: number;
  readonly exitCode: number | null;
}

export const presenceTones: Readonly<Record<RunPresence, Tone>> = {
  finished: 'good',
  running: 'good',
  elsewhere: 'quiet',
  interrupted: 'look',
  stopped: 'look',
  failed: 'bad',
};

/** The runs as `longshore runs --json` prints them. */
export function runsJson(
  file: JournalFile,
  runs: readonly RunRecord[],
  machine: Machine = thisMachine,
): RunLine[] {
  return runs.map((run) => {
    const spans = sessionSpans(run, listSessions(file, run.number));
    return {
      run: run.id,
      pipeline: run.pipeline,
      kind: run.kind,
      selection: run.selection,
      state: presenceOf(run, spans.at(-1), machine),
      startedAt: new Date(run.startedAt).toISOString(),
      rows: run.items,
      counts: run.counts,
      folder: run.folder,
      seconds: workedSeconds(spans),
      exitCode: run.exitCode,
    };
  });
}

const header = ['run', 'pipeline', 'state', 'began', 'rows', 'worked', 'exit', 'takes up'];
const figureColumns = [4, 5, 6];

/** The runs as a table for a person; ends with a line break. */
export function renderRuns(
  file: JournalFile,
  runs: readonly RunRecord[],
  view: { readonly colour: boolean; readonly machine?: Machine },
): string {
  const ink = paint(view.colour);
  if (runs.length === 0) return 'No run yet. Begin with: npx longshore import PIPELINE\n';
  const list = runsJson(file, runs, view.machine);
  const lines = alignedLines([header, ...list.map(cells)], figureColumns);
  return `${lines
    .map((line, index) => {
      const run = list[index - 1];
      if (run === undefined) return ink.dim(line);
      // Coloured after the columns are aligned: the marks of a colour have no width.
      const before = line.indexOf(run.state, run.run.length + visible(run.pipeline).length);
      const after = before + run.state.length;
      return line.slice(0, before) + ink.tone(presenceTones[run.state], run.state) + line.slice(after);
    })
    .join('\n')}\n`;
}

/** The rows of an import; of an export the contacts, and the messages beside them. */
function amount({ kind, rows, counts }: RunLine): string {
  if (kind === 'import') return count(rows);
  if (counts === null) return '–';
  const { contacts = 0, messages } = counts;
  return messages === undefined ? count(contacts) : `${count(contacts)} + ${count(messages)}`;
}

function cells(run: RunLine): string[] {
  return [
    run.run,
    visible(run.pipeline),
    run.state,
    moment(run.startedAt),
    amount(run),
    duration(run.seconds),
    run.exitCode === null ? '–' : String(run.exitCode),
    visible(selectionLabel(run)),
  ];
}
