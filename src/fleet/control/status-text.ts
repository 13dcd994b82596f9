import { formatCommandLine, type Invocation } from '../../app/run/command-line.ts';
import { toSingleLine } from '../../model/escape-controls.ts';
import { formatCount, formatDuration, formatLocalTime, formatQuantity } from '../../report/figures.ts';
import { alignColumns, createTerminalStyler, joinBlocks, type TerminalStyler } from '../../report/layout.ts';
import { withoutWorkspace } from '../queue/reported.ts';
import {
  type AssignmentState,
  type AssignmentStatus,
  countStalledPipelines,
  type FleetStatus,
  type JobAttemptResult,
  type PipelineAttempt,
  type WorkerStatus,
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
const mostGroups = 10;
const mostNames = 4;

/**
 * Renders the fleet's status for the terminal: a summary, the assignments (those that need a person first), the failures
 * and whatever else waits for a person with the next commands, and the workers. Ends with a line break.
 */
export function renderFleetStatus(
  status: FleetStatus,
  { colour, all, invocation, most = usualMost }: View,
): string {
  const ink = createTerminalStyler(colour);
  const { fleet, assignments } = status;
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
      ...failureLines(assignments, status.at, ink, { invocation, all }),
      ...lookLines(assignments, ink, { invocation, all }),
      ...waitLines(assignments, ink, { invocation, all }),
      ...pauseLines(assignments, ink, { invocation, all }),
    ],
    workerLines(status, ink, invocation),
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
  const { assignments, at } = status;
  const shown = all ? attempts : attempts.slice(0, usualAttempts);
  const rest = attempts.length - shown.length;
  const none = ['  No pipeline of the fleet file is for this workspace.'];
  return joinBlocks([
    assignments.length === 0 ? none : table(assignments, at),
    [
      ...failureLines(assignments, at, ink, { invocation, all }),
      ...waitLines(assignments, ink, { invocation, all }),
      ...pauseLines(assignments, ink, { invocation, all }),
      ...noWorkerLines(status, ink, invocation, assignments[0]?.workspace),
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
  ink: TerminalStyler,
  { invocation, all }: Pick<View, 'invocation' | 'all'>,
): string[] {
  const failing = assignments.filter(({ state, failures }) => state === 'failed' || failures > 0);
  const byReason = new Map<string, AssignmentStatus[]>();
  for (const each of failing) {
    const { workspace, last, retryAt, next } = each;
    const reason = withoutWorkspace(workspace, last?.message ?? '');
    // Those that the fleet tries again by itself have another next step.
    const key = JSON.stringify([reason, retryAt === null, next === null]);
    byReason.set(key, [...(byReason.get(key) ?? []), each]);
  }
  return limited([...byReason.values()], all, invocation, ink, (alike) =>
    failureGroupLines(alike, at, ink, { invocation, all }),
  );
}

/** Returns the lines about pipelines that failed alike. */
function failureGroupLines(
  alike: readonly AssignmentStatus[],
  at: string,
  { tone, bold, dim }: TerminalStyler,
  { invocation, all }: Pick<View, 'invocation' | 'all'>,
): string[] {
  const [first] = alike;
  if (first === undefined) return [];
  const { workspace, failures, last, next, retryAt } = first;
  const by = last?.worker === undefined ? '' : ` (worker ${last.worker})`;
  const [since] = alike.flatMap(({ failingSince }) => failingSince ?? []).sort();
  const tries = formatQuantity(failures, 'try', 'tries');
  const when = since === undefined ? tries : `${tries} since ${formatLocalTime(since)}`;
  // Pipelines with the same failure share one command.
  const isOneWorkspace = alike.every((each) => each.workspace === workspace);
  const shared = ['fleet', 'retry', isOneWorkspace ? workspace : '--all'];
  const again = alike.length === 1 || next === null ? next : formatCommandLine(shared, {}, invocation);
  const steps = [...new Set(alike.flatMap((each) => ownStepOf(each, invocation) ?? []))];
  const own = all ? steps : steps.slice(0, mostNames);
  const rest = steps.length - own.length;
  const more = formatCommandLine(['fleet', 'status', '--all'], {}, invocation);
  const commands = new Set(retryAt === null ? [...own, again] : [again, ...own]);
  return [
    `  ${tone('bad', namesOf(alike))} (${when}): ${toSingleLine(last?.message ?? 'failed.')}${by}${retryOf(retryAt, at)}`,
    ...[...commands].flatMap((command) => (command === null ? [] : [`    ${bold(toSingleLine(command))}`])),
    ...(rest === 0 ? [] : [dim(`    and ${formatCount(rest)} more such steps: ${more}`)]),
  ];
}

/** Returns the step that the failed run of a pipeline asks for, beside to run it again, which is what a retry does. */
function ownStepOf({ workspace, pipeline, last }: AssignmentStatus, invocation: Invocation): string | null {
  const run = formatCommandLine(['fleet', 'run', workspace, pipeline], {}, invocation);
  return last === null || last.next === run ? null : last.next;
}

/** Returns the names of pipelines; of many only the first ones. */
function namesOf(assignments: readonly AssignmentStatus[]): string {
  const names = assignments.map(({ workspace, pipeline }) => `${workspace} ${pipeline}`);
  const rest = names.length - mostNames;
  if (rest <= 0) return names.join(', ');
  return `${names.slice(0, mostNames).join(', ')} and ${formatCount(rest)} more`;
}

/** Returns the lines of the first groups, and the command that shows the others. */
function limited<T>(
  groups: readonly T[],
  all: boolean,
  invocation: Invocation,
  { dim }: TerminalStyler,
  linesOf: (group: T) => readonly string[],
): string[] {
  const shown = all ? groups : groups.slice(0, mostGroups);
  const rest = groups.length - shown.length;
  const more = formatCommandLine(['fleet', 'status', '--all'], {}, invocation);
  return [
    ...shown.flatMap(linesOf),
    ...(rest === 0 ? [] : [dim(`  and ${formatCount(rest)} more: ${more}`)]),
  ];
}

/** Returns the sentence about the next attempt, which ends where its command begins; nothing if none is waited for. */
function retryOf(retryAt: string | null, at: string): string {
  if (retryAt === null) return '';
  const seconds = (new Date(retryAt).getTime() - new Date(at).getTime()) / 1_000;
  return ` It is tried again in ${formatDuration(Math.max(0, seconds))}, or now with:`;
}

/** Returns the pipelines that need a look, each with the reason and its command. */
function lookLines(
  assignments: readonly AssignmentStatus[],
  ink: TerminalStyler,
  { invocation, all }: Pick<View, 'invocation' | 'all'>,
): string[] {
  const { tone, bold } = ink;
  const looks = assignments.filter(({ state }) => state === 'look');
  return limited(looks, all, invocation, ink, ({ workspace, pipeline, last, next }) => {
    const since = last?.endedAt == null ? '' : ` since ${formatLocalTime(last.endedAt)}`;
    const why = last === null ? '' : ` ${lookReason(last)}`;
    const command = (last?.waitsFor === 'person' ? last.next : null) ?? next;
    return [
      `  ${tone('look', `${workspace} ${pipeline} needs a look${since}`)}:${why}`,
      ...(command === null ? [] : [`    ${bold(toSingleLine(command))}`]),
    ];
  });
}

function lookReason({ waitsFor, message, exitCode, counts }: JobAttemptResult): string {
  if (waitsFor === 'person' && message !== null) return toSingleLine(message);
  const figures = figuresOf(counts, undefined);
  return [`exit code ${exitCode}`, figures].filter(Boolean).join(', ');
}

/** Returns the running pipelines that wait for their workspaces, each since when and why. */
function waitLines(
  assignments: readonly AssignmentStatus[],
  ink: TerminalStyler,
  { invocation, all }: Pick<View, 'invocation' | 'all'>,
): string[] {
  const waiting = assignments.filter(({ waitsFor }) => waitsFor !== null);
  return limited(waiting, all, invocation, ink, ({ workspace, pipeline, waitsFor }) => {
    const { since = '', reason = '' } = waitsFor ?? {};
    const what = ink.tone('look', `${workspace} ${pipeline}`);
    return [`  ${what} waits for the workspace since ${formatLocalTime(since)}: ${toSingleLine(reason)}`];
  });
}

/** Returns the paused workspaces, each with the command that ends it. */
function pauseLines(
  assignments: readonly AssignmentStatus[],
  ink: TerminalStyler,
  { invocation, all }: Pick<View, 'invocation' | 'all'>,
): string[] {
  const { tone, bold } = ink;
  const paused = assignments.filter(({ state }) => state === 'paused');
  const commands = new Map(paused.map(({ workspace, next }) => [`${workspace} is paused`, next]));
  return limited([...commands], all, invocation, ink, ([what, command]) => [
    `  ${tone('look', what)}${command === null ? '' : ':'}`,
    ...(command === null ? [] : [`    ${bold(toSingleLine(command))}`]),
  ]);
}

/** Returns the lines that say why no worker takes a job, or none of the given workspace; none if one does. */
function noWorkerLines(
  status: FleetStatus,
  { tone, bold }: TerminalStyler,
  invocation: Invocation,
  workspace?: string,
): string[] {
  const alive = status.workers.filter((worker) => worker.alive);
  const stalled = countStalledPipelines(status);
  const waits = stalled === 1 ? 'waits' : 'wait';
  const what = stalled === 0 ? 'nothing runs.' : `${formatQuantity(stalled, 'pipeline')} ${waits}.`;
  if (alive.length === 0 && stalled === 0) return [tone('look', `  No worker is alive: ${what}`)];
  if (alive.length === 0)
    return [
      tone('bad', `  No worker is alive: ${what} Start one:`),
      `    ${bold(formatCommandLine(['worker', 'fleet.yaml'], {}, invocation))}`,
    ];
  const reasonOf = ({ notReady, draining, refused }: WorkerStatus) =>
    notReady ??
    (draining ? 'the worker is draining.' : workspace === undefined ? undefined : refused[workspace]);
  const reasons = alive.flatMap((worker) => reasonOf(worker) ?? []);
  if (reasons.length < alive.length) return [];
  if (workspace === undefined) return [tone('bad', `  No worker takes a job: ${what}`)];
  return [...new Set(reasons)].map((reason) =>
    tone('bad', `  No worker takes a job of ${workspace}: ${toSingleLine(reason)}`),
  );
}

function workerLines(status: FleetStatus, ink: TerminalStyler, invocation: Invocation): string[] {
  const { dim, tone } = ink;
  const lines = status.workers.flatMap(
    ({ worker, host, jobs, draining, alive, silentSeconds, notReady, refused }) => {
      const drains = draining ? ', draining' : '';
      const quiet = alive ? '' : `, last seen ${formatDuration(silentSeconds)} ago`;
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
  return [...noWorkerLines(status, ink, invocation), ...lines];
}
