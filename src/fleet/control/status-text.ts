import { formatCommandLine, type Invocation } from '../../app/run/command-line.ts';
import { toSingleLine } from '../../model/escape-controls.ts';
import { formatCount, formatDuration, formatLocalTime, formatQuantity } from '../../report/figures.ts';
import { alignColumns, createTerminalStyler, joinBlocks, type TerminalStyler } from '../../report/layout.ts';
import type {
  AssignmentState,
  AssignmentStatus,
  FleetStatus,
  PipelineAttempt,
  WorkerStatus,
} from './status.ts';

interface View {
  readonly colour: boolean;
  readonly invocation: Invocation;
  /** True to show every assignment and attempt. */
  readonly all: boolean;
  /** The maximum number of assignments shown without `all`; 30 by default. */
  readonly most?: number;
}

const usualMost = 30;
const mostFailures = 10;

/**
 * Renders the fleet's status for the terminal: a summary, the assignments (those that need a person first), the failures
 * and whatever else waits for a person with the next commands, and the workers. Ends with a line break.
 */
export function renderFleetStatus(
  status: FleetStatus,
  { colour, all, invocation, most = usualMost }: View,
): string {
  const ink = createTerminalStyler(colour);
  const { fleet, assignments, workers } = status;
  if (fleet === null)
    return `No fleet was applied yet.\nNext: ${formatCommandLine(['fleet', 'apply', 'fleet.yaml'], {}, invocation)}\n`;
  const shown = all ? assignments : assignments.slice(0, most);
  const rest = assignments.length - shown.length;
  const more =
    rest === 0
      ? []
      : [
          ink.dim(
            `  and ${formatCount(rest)} more: ${formatCommandLine(['fleet', 'status', '--all'], {}, invocation)}`,
          ),
        ];
  return joinBlocks([
    [`${ink.bold(fleet)}: ${summary(status)}`],
    [...table(shown, status.at), ...more],
    [
      ...failureLines(assignments, status.at, ink, invocation),
      ...lookLines(assignments, ink),
      ...pauseLines(assignments, ink),
    ],
    workerLines(workers, ink),
  ]);
}

const usualAttempts = 10;

/**
 * Renders the status of one workspace: its pipelines, the results and next steps of their last runs, and their latest
 * attempts.
 */
export function renderWorkspaceStatus(
  status: FleetStatus,
  attempts: readonly PipelineAttempt[],
  { colour, all, invocation }: Omit<View, 'most'>,
): string {
  const ink = createTerminalStyler(colour);
  const { assignments, workers, at } = status;
  const shown = all ? attempts : attempts.slice(0, usualAttempts);
  const rest = attempts.length - shown.length;
  return joinBlocks([
    table(assignments, at),
    [
      ...failureLines(assignments, at, ink, invocation),
      ...pauseLines(assignments, ink),
      ...noWorkerLines(workers, ink),
    ],
    ...assignments.map((each) => leftLines(each, ink)),
    [
      ...(attempts.length === 0 ? [] : [ink.bold('Last tries')]),
      ...alignColumns(shown.map((each) => [`  ${attemptTime(each)}`, each.pipeline, endOf(each)])),
      ...(rest === 0 ? [] : [ink.dim(`  and ${formatCount(rest)} more: --all`)]),
    ],
  ]);
}

/** Returns the lines about a pipeline's last run: its results and next steps, or the question that it waits for. */
function leftLines({ pipeline, last }: AssignmentStatus, { bold }: TerminalStyler): string[] {
  const { results, steps = [], run, waitsFor, message, next: command } = last ?? {};
  if (waitsFor === 'person')
    return [
      `${bold(pipeline)}: ${toSingleLine(message ?? 'waits for a person.')}`,
      ...(command ? [`    ${bold(toSingleLine(command))}`] : []),
    ];
  if (results === undefined && steps.length === 0) return [];
  const files =
    results === undefined ? [] : [`  ${toSingleLine(results.folder)}: ${results.files.join(', ')}`];
  const next = steps.flatMap(({ why, command }) => [
    `  ${toSingleLine(why)}${command === null ? '.' : ':'}`,
    ...(command === null ? [] : [`    ${bold(toSingleLine(command))}`]),
  ]);
  return [`${bold(pipeline)}, run ${run}`, ...files, ...next];
}

const attemptTime = ({ endedAt }: PipelineAttempt) => (endedAt === null ? '' : formatLocalTime(endedAt));

function endOf({ exitCode, message, worker, waitsFor, counts, seconds }: PipelineAttempt): string {
  const code = exitCode === null ? '' : `exit code ${exitCode}`;
  const what = waitsFor === undefined ? code : `waits for ${waitsFor === 'input' ? 'its input' : 'a person'}`;
  const by = worker === undefined ? '' : ` (worker ${worker})`;
  const figures = message === null ? figuresOf(counts, seconds) : toSingleLine(message);
  return [what, figures].filter(Boolean).join(': ') + by;
}

function figuresOf(counts: PipelineAttempt['counts'] = {}, seconds: number | undefined): string {
  const numbers = Object.entries(counts).flatMap(([what, n]) => (n > 0 ? [`${formatCount(n)} ${what}`] : []));
  if (seconds === undefined) return numbers.join(', ');
  return `${numbers.length === 0 ? 'nothing new' : numbers.join(', ')} in ${formatDuration(seconds)}`;
}

/** Formats the fleet's status as one line. */
export function formatFleetStatusLine(status: FleetStatus): string {
  return `${status.fleet ?? 'no fleet'}: ${summary(status)}`;
}

const order: readonly AssignmentState[] = [
  'failed',
  'look',
  'running',
  'retrying',
  'queued',
  'paused',
  'waiting',
  'idle',
];

const stateWords = (n: number): Partial<Record<AssignmentState, string>> => ({
  look: n === 1 ? 'needs a look' : 'need a look',
});

function summary({ counts, workers }: FleetStatus): string {
  const present = order.flatMap((state) =>
    counts[state] > 0 ? [`${formatCount(counts[state])} ${stateWords(counts[state])[state] ?? state}`] : [],
  );
  const late = counts.late === 0 ? 'none late' : `${formatCount(counts.late)} late`;
  const alive = workers.filter((each) => each.alive);
  const idle = alive.filter(({ notReady }) => notReady !== null).length;
  const ready = idle === 0 ? '' : ` (${formatCount(idle)} not ready)`;
  return [late, ...present, `${formatQuantity(alive.length, 'worker')}${ready}`].join(', ');
}

function table(assignments: readonly AssignmentStatus[], at: string): string[] {
  if (assignments.length === 0) return [];
  const now = new Date(at).getTime();
  const head = ['  workspace', 'pipeline', 'state', 'late', 'last success', 'next'];
  const lines = assignments.map((each) => [
    `  ${each.workspace}`,
    each.pipeline,
    stateOf(each, now),
    each.lateSeconds === null ? '' : formatDuration(each.lateSeconds),
    each.lastSuccessAt === null ? 'never' : `${ago(each.lastSuccessAt, now)} ago`,
    each.nextAt === null ? '' : formatLocalTime(each.nextAt),
  ]);
  return alignColumns([head, ...lines]);
}

/** Returns the state of a pipeline; of one that is running also for how long, and where. */
function stateOf({ state, lastStartedAt, worker }: AssignmentStatus, now: number): string {
  if (state !== 'running') return stateWords(1)[state] ?? state;
  const since = lastStartedAt === null ? '' : ` ${ago(lastStartedAt, now)}`;
  return `running${since}${worker === null ? '' : ` on ${worker}`}`;
}

function ago(time: string, now: number): string {
  return formatDuration(Math.max(0, (now - new Date(time).getTime()) / 1_000));
}

function failureLines(
  assignments: readonly AssignmentStatus[],
  at: string,
  { tone, bold, dim }: TerminalStyler,
  invocation: Invocation,
): string[] {
  const failing = assignments.filter(({ state, failures }) => state === 'failed' || failures > 0);
  const byMessage = new Map<string, { readonly first: AssignmentStatus; n: number }>();
  for (const each of failing) {
    const message = each.last?.message ?? 'failed.';
    const alike = byMessage.get(message) ?? { first: each, n: 0 };
    alike.n += 1;
    byMessage.set(message, alike);
  }
  const groups = [...byMessage];
  const lines = groups.slice(0, mostFailures).flatMap(([message, { first, n }]) => {
    const { workspace, pipeline, failures, last, next, retryAt } = first;
    const by = last?.worker === undefined ? '' : ` (worker ${last.worker})`;
    const others = n === 1 ? '' : ` and ${formatCount(n - 1)} more`;
    const head = `${workspace} ${pipeline}${others}`;
    // Pipelines with the same failure share one command.
    const again =
      others === '' || next === null ? next : formatCommandLine(['fleet', 'retry', '--all'], {}, invocation);
    const own = [...new Set(retryAt === null ? [last?.next, again] : [again, last?.next])].flatMap(
      (command) => (command == null ? [] : [`    ${bold(toSingleLine(command))}`]),
    );
    return [
      `  ${tone('bad', head)} (${formatQuantity(failures, 'try', 'tries')}): ${toSingleLine(message)}${by}${retryOf(retryAt, at)}`,
      ...own,
    ];
  });
  const rest = groups.slice(mostFailures).reduce((sum, [, { n }]) => sum + n, 0);
  return rest === 0 ? lines : [...lines, dim(`  and ${formatCount(rest)} more`)];
}

/** Returns the sentence about the next attempt, which ends where its command begins; nothing if none is waited for. */
function retryOf(retryAt: string | null, at: string): string {
  if (retryAt === null) return '';
  const seconds = (new Date(retryAt).getTime() - new Date(at).getTime()) / 1_000;
  return ` It is tried again in ${formatDuration(Math.max(0, seconds))}, or now with:`;
}

/** Returns the pipelines that need a look, each with its command. */
function lookLines(assignments: readonly AssignmentStatus[], ink: TerminalStyler): string[] {
  const looks = assignments.filter(({ state }) => state === 'look');
  return linesWithCommands(
    looks.map(({ workspace, pipeline, next }) => [`${workspace} ${pipeline} needs a look`, next]),
    ink,
  );
}

/** Returns the paused workspaces, each with the command that ends it. */
function pauseLines(assignments: readonly AssignmentStatus[], ink: TerminalStyler): string[] {
  const paused = assignments.filter(({ state }) => state === 'paused');
  const commands = new Map(paused.map(({ workspace, next }) => [`${workspace} is paused`, next]));
  return linesWithCommands([...commands], ink);
}

function linesWithCommands(
  named: readonly (readonly [what: string, command: string | null])[],
  { tone, bold, dim }: TerminalStyler,
): string[] {
  const lines = named
    .slice(0, mostFailures)
    .flatMap(([what, command]) => [
      `  ${tone('look', what)}${command === null ? '' : ':'}`,
      ...(command === null ? [] : [`    ${bold(toSingleLine(command))}`]),
    ]);
  const rest = named.length - mostFailures;
  return rest <= 0 ? lines : [...lines, dim(`  and ${formatCount(rest)} more`)];
}

function noWorkerLines(workers: readonly WorkerStatus[], { tone }: TerminalStyler): string[] {
  return workers.some(({ alive }) => alive) ? [] : [tone('look', '  No worker is alive: nothing runs.')];
}

function workerLines(workers: readonly WorkerStatus[], ink: TerminalStyler): string[] {
  const { dim, tone } = ink;
  const lines = workers.flatMap(
    ({ worker, host, jobs, draining, alive, silentSeconds, notReady, refused }) => {
      const drains = draining ? ', draining' : '';
      const quiet = alive ? '' : `, not heard of for ${formatDuration(silentSeconds)}`;
      const line = dim(`  worker ${worker} on ${host}: ${formatQuantity(jobs, 'job')}${drains}${quiet}`);
      if (!alive) return [line];
      if (notReady !== null) return [line, tone('bad', `    takes no job: ${toSingleLine(notReady)}`)];
      const [first] = Object.entries(refused);
      if (first === undefined) return [line];
      const rest = Object.keys(refused).length - 1;
      const more = rest === 0 ? '' : `, and ${formatQuantity(rest, 'more workspace')}`;
      return [line, tone('look', `    takes no job of ${first[0]}${more}: ${toSingleLine(first[1])}`)];
    },
  );
  return [...noWorkerLines(workers, ink), ...lines];
}
