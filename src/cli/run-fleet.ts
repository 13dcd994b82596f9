import { readAnswerListDecisions } from '../app/import/approvals.ts';
import { formatCommandLine } from '../app/run/command-line.ts';
import { askToConfirm, assertCanAsk } from '../app/run/terminal/confirm.ts';
import type { Screen } from '../app/run/terminal/screen.ts';
import { readLongshoreEnvVariable } from '../app/run/variables.ts';
import {
  type AssignmentId,
  applyFleet,
  assertSameFleet,
  countStalledPipelines,
  createApplyPlan,
  defaultFleetFile,
  type FleetConnection,
  findStartObstacles,
  formatApplyPlan,
  isEmptyApplyPlan,
  listAssignmentIds,
  loadFleet,
  type PipelineRequestWithLists,
  pauseWorkspaces,
  prepareDatabase,
  queuePipelinesNow,
  readAnswerListFile,
  readFleetKey,
  readFleetKeyId,
  readFleetMetrics,
  readFleetStatus,
  readWorkspaceStatus,
  renderFleetStatus,
  renderWorkspaceStatus,
  requestImport,
  resolveAssignmentIdOrOnlyImport,
  resolveAssignmentIds,
  resolveWorkspaceNames,
  resumeWorkspaces,
  retryDeadJobs,
  toApplyPlanJson,
  toFleetStatus,
  withFleetConnection,
  workerRoleName,
} from '../fleet/index.ts';
import { fleetDatabaseVariable, workerPasswordVariable } from '../fleet/variables.ts';
import { commandForHelp, currentCommand, hint } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { formatQuantity } from '../report/figures.ts';
import type { FleetAction } from './fleet-actions.ts';
import { runFleetForget } from './run-fleet-forget.ts';
import { type FleetDeployFlags, runFleetDeploy, runFleetDrain, runFleetUp } from './run-fleet-workers.ts';
import type { WorkerFlags } from './serve-worker.ts';
import { watchFleet } from './watch-fleet.ts';

export { createFleetJsonSchema } from '../fleet/index.ts';

interface FleetFlags extends Omit<WorkerFlags, 'file'>, FleetDeployFlags {
  readonly action: FleetAction;
  /** The usage of the action's arguments, for error messages. */
  readonly words: string;
  readonly name: string | undefined;
  readonly pipeline: string | undefined;
  readonly all: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly takeOver: boolean;
  readonly watch: boolean;
  readonly rows: boolean;
  readonly from: string | undefined;
  readonly decided: string | undefined;
  readonly resend: boolean;
  readonly removed: boolean;
  readonly deferred: boolean;
  readonly with: 'new' | 'old' | undefined;
  readonly of: string | undefined;
}

type Do = (asked: FleetFlags, screen: Screen) => Promise<number>;

const does: Readonly<Record<FleetAction, Do>> = {
  ...{ init, apply, status, metrics, run, pause: pauseOf, resume, retry, approve, continue: continueWith },
  forget: forgetOf,
  up: ({ name: file, ...flags }, screen) => runFleetUp({ ...flags, file }, screen),
  drain: ({ name: worker }, screen) => runFleetDrain(worker, screen),
  deploy: ({ name: file, ...flags }, screen) => runFleetDeploy({ ...flags, file }, screen),
};

/** The most arguments that each action takes. */
const mostNames = {
  ...{
    init: 0,
    apply: 1,
    status: 1,
    metrics: 0,
    run: 2,
    pause: 1,
    resume: 1,
    retry: 2,
    approve: 2,
    continue: 2,
  },
  ...{ forget: 2, up: 1, drain: 1, deploy: 1 },
};

/** Runs an action of `fleet`; returns the exit code. */
export async function runFleetAction(flags: FleetFlags, screen: Screen): Promise<number> {
  const { action, name, pipeline } = flags;
  const extra = [name, pipeline][mostNames[action]];
  if (extra !== undefined) throw wrongWords(flags, `Unexpected argument ${JSON.stringify(extra)}`);
  return await does[action](flags, screen);
}

const done = 0;

const database = () => readLongshoreEnvVariable(fleetDatabaseVariable);

async function init({ invocation }: FleetFlags, screen: Screen): Promise<number> {
  const { from, to, role } = await prepareDatabase(
    database(),
    readLongshoreEnvVariable(workerPasswordVariable) || undefined,
  );
  const tables = from === to ? 'The database is prepared already.' : 'The database is prepared.';
  const password = role.passwordSet
    ? [`The role ${workerRoleName} has the password of ${workerPasswordVariable}.`]
    : [
        `Give the role ${workerRoleName} a password: set ${workerPasswordVariable} and type the same command again,`,
        `or in psql: \\password ${workerRoleName}`,
      ];
  const next = formatCommandLine(['fleet', 'apply', defaultFleetFile], {}, invocation);
  const text = [
    `${tables} Workers log in as ${workerRoleName}, which can only do what a worker does.`,
    ...password,
    `On their machines: export ${fleetDatabaseVariable}=postgres://${workerRoleName}:PASSWORD@HOST:5432/DATABASE`,
    `Next: ${next}`,
  ];
  screen.result(() => text.join('\n'), { from, to, role: workerRoleName, ...role, next });
  return done;
}

async function apply(
  { name: file = defaultFleetFile, yes, dryRun, takeOver }: FleetFlags,
  screen: Screen,
): Promise<number> {
  const fleet = await loadFleet(file);
  return await withFleetConnection(database(), async ({ pool, queue }) => {
    const plan = await createApplyPlan(pool, fleet);
    const show = (applied: boolean) =>
      screen.result(() => formatApplyPlan(plan, fleet, applied), toApplyPlanJson(plan, fleet, applied));
    if (!dryRun) assertSameFleet(plan, fleet, takeOver);
    if (dryRun || isEmptyApplyPlan(plan)) {
      // Settings that are not listed as changes, such as limits, are applied too.
      if (!dryRun) await applyFleet(pool, queue, fleet, plan, { keyId: readFleetKeyId() });
      show(!dryRun);
      return done;
    }
    if (!yes && !(await agreed(() => formatApplyPlan(plan, fleet, false), screen))) return usage;
    await applyFleet(pool, queue, fleet, plan, { keyId: readFleetKeyId() });
    show(true);
    return done;
  });
}

const usage = 2;

async function agreed(text: () => string, screen: Screen): Promise<boolean> {
  screen.note(text());
  const next = hint`To see what would change: ${currentCommand('--dry-run')}\nTo do it: ${currentCommand('--yes')}`;
  assertCanAsk('fleet apply', next, screen);
  if (await askToConfirm('Apply these changes? Type yes: ', 'yes', screen)) return true;
  screen.note('Nothing was changed.');
  return false;
}

async function status(flags: FleetFlags, screen: Screen): Promise<number> {
  const { name: workspace, all, watch, invocation } = flags;
  if (watch && workspace !== undefined)
    throw wrongWords(flags, `--watch shows the whole fleet; leave out ${JSON.stringify(workspace)}`);
  if (watch) return await watchFleet(database(), invocation, screen);
  return await withFleetConnection(database(), async ({ pool }) => {
    if (workspace !== undefined) await resolveWorkspaceNames(pool, [workspace]);
    const { status, attempts } =
      workspace === undefined
        ? { status: await readFleetStatus(pool), attempts: undefined }
        : await readWorkspaceStatus(pool, workspace);
    const found = toFleetStatus(status, invocation);
    const { colour } = screen;
    const text = () =>
      attempts === undefined
        ? renderFleetStatus(found, { colour, all, invocation })
        : renderWorkspaceStatus(found, attempts, { colour, all, invocation });
    screen.result(text, attempts === undefined ? found : { ...found, attempts });
    const { failed, look } = found.counts;
    return failed + look + countStalledPipelines(found) === 0 ? done : needsALook;
  });
}

async function metrics(_asked: FleetFlags, screen: Screen): Promise<number> {
  return await withFleetConnection(database(), async ({ pool }) => {
    const text = await readFleetMetrics(pool);
    screen.result(() => text.trimEnd(), { metrics: text });
    return done;
  });
}

/** The exit code where a pipeline failed, needs a look, or waits while no worker takes its job. */
const needsALook = 3;

async function run(flags: FleetFlags, screen: Screen): Promise<number> {
  const { name: workspace, pipeline, all, deferred } = flags;
  if (all === (workspace !== undefined)) throw wrongWords(flags, 'Name a workspace, or type --all');
  if (deferred) return await ask(flags, screen, { asked: { kind: 'deferred' }, lists: [] });
  return await withFleetConnection(database(), async ({ pool, queue }) => {
    const meant =
      workspace === undefined
        ? await listAssignmentIds(pool)
        : await resolveAssignmentIds(pool, workspace, pipeline);
    await queuePipelinesNow(pool, queue, meant);
    await told('Queued', meant, { pool, flags, screen });
    return done;
  });
}

async function retry(flags: FleetFlags, screen: Screen): Promise<number> {
  const { name: workspace, pipeline, all, rows } = flags;
  if (rows) return await retryRows(flags, screen);
  if (all === (workspace !== undefined)) throw wrongWords(flags, 'Name a workspace, or type --all');
  return await withFleetConnection(database(), async ({ pool, queue }) => {
    const meant = workspace === undefined ? 'all' : await resolveAssignmentIds(pool, workspace, pipeline);
    await told('Queued again', await retryDeadJobs(pool, queue, meant), { pool, flags, screen });
    return done;
  });
}

async function retryRows(flags: FleetFlags, screen: Screen): Promise<number> {
  const { from, decided, resend, removed } = flags;
  const chosen = [from !== undefined && '--from', decided !== undefined && '--decided', resend && '--resend'];
  const [one, other] = chosen.filter(Boolean);
  if (decided !== undefined && other !== undefined)
    throw wrongWords(flags, `${one} and ${other} cannot be used together`);
  const [corrected, decisions] = [from, decided].map((path) =>
    path === undefined ? undefined : readAnswerListFile(path),
  );
  const asked = {
    kind: 'rows',
    ...{ resend, removed },
    ...(corrected && { from: corrected.name }),
    ...(decisions && { decided: decisions.name }),
  } as const;
  return await ask(flags, screen, { asked, lists: [corrected, decisions].flatMap((list) => list ?? []) });
}

async function approve(flags: FleetFlags, screen: Screen): Promise<number> {
  const { pipeline: path, of } = flags;
  if (path === undefined) throw wrongWords(flags, 'Missing argument FILE');
  // Throws now for an invalid list, and not later on another machine.
  await readAnswerListDecisions(path);
  const list = readAnswerListFile(path);
  const asking = { asked: { kind: 'approve', list: list.name }, lists: [list] } as const;
  return await ask({ ...flags, pipeline: of }, screen, asking);
}

async function continueWith(flags: FleetFlags, screen: Screen): Promise<number> {
  const { with: input } = flags;
  if (input === undefined) throw wrongWords(flags, 'Say with which input: --with new, or --with old');
  return await ask(flags, screen, { asked: { kind: 'continue', with: input }, lists: [] });
}

/** Queues a request for one import of a workspace; returns the exit code. */
async function ask(flags: FleetFlags, screen: Screen, asking: PipelineRequestWithLists): Promise<number> {
  const { name: workspace, pipeline } = flags;
  if (workspace === undefined) throw wrongWords(flags, 'Missing argument WORKSPACE');
  return await withFleetConnection(database(), async ({ pool, queue }) => {
    const named = await resolveAssignmentIdOrOnlyImport(pool, workspace, pipeline);
    await requestImport({ pool, queue, key: readFleetKey(process.env) }, named, asking);
    await told('Queued', [named], { pool, flags, screen });
    return done;
  });
}

async function forgetOf(flags: FleetFlags, screen: Screen): Promise<number> {
  const { name: person, pipeline: workspace, yes, dryRun, invocation } = flags;
  if (person === undefined) throw wrongWords(flags, 'Missing argument PERSON');
  return await runFleetForget({ person, workspace, yes, dryRun, invocation }, screen);
}

async function pauseOf(asked: FleetFlags, screen: Screen): Promise<number> {
  return await each(asked, screen, async ({ pool, queue }, names) => {
    const paused = await pauseWorkspaces(pool, queue, names);
    if (paused === 0) return `${asked.name ?? 'Every workspace'} is paused already.`;
    return `Paused ${formatQuantity(paused, 'workspace')}. A job at work there is stopped within seconds, and continues after fleet resume.`;
  });
}

async function resume(asked: FleetFlags, screen: Screen): Promise<number> {
  return await each(asked, screen, async ({ pool, queue }, names) => {
    const resumed = await resumeWorkspaces(pool, queue, names);
    if (resumed === 0)
      return asked.name === undefined ? 'No workspace is paused.' : `${asked.name} is not paused.`;
    return `Resumed ${formatQuantity(resumed, 'workspace')}. What became due meanwhile is made up once.`;
  });
}

async function each(
  flags: FleetFlags,
  screen: Screen,
  work: (fleet: FleetConnection, names: readonly string[]) => Promise<string>,
): Promise<number> {
  const { name, all } = flags;
  if (all === (name !== undefined)) throw wrongWords(flags, 'Name a workspace, or type --all');
  return await withFleetConnection(database(), async (open) => {
    const meant = await resolveWorkspaceNames(open.pool, name === undefined ? 'all' : [name]);
    const text = await work(open, meant);
    screen.result(() => text, { workspaces: meant });
    return done;
  });
}

/** Reports the queued jobs, and what keeps them from starting. */
async function told(
  what: string,
  jobs: readonly AssignmentId[],
  {
    pool,
    flags,
    screen,
  }: Pick<FleetConnection, 'pool'> & { readonly flags: FleetFlags; readonly screen: Screen },
): Promise<void> {
  const lines = jobs.map(({ workspace, pipeline }) => `  ${workspace}  ${pipeline}`);
  const none = 'Nothing was given up, and nothing waits to be tried again.';
  screen.result(() => (jobs.length === 0 ? none : `${what}:\n${lines.join('\n')}`), { queued: jobs });
  if (jobs.length === 0) return;
  const { paused, noWorker } = await findStartObstacles(pool, [...new Set(jobs.map((job) => job.workspace))]);
  const [first = '', ...others] = paused;
  if (others.length > 0)
    screen.note(
      `${formatQuantity(paused.length, 'workspace')} are paused: nothing of them starts until fleet resume.`,
    );
  else if (first !== '') {
    const command = formatCommandLine(['fleet', 'resume', first], {}, flags.invocation);
    screen.note(`${first} is paused: nothing of it starts until you type: ${command}`);
  }
  if (noWorker) screen.note('No worker is alive: jobs start when one does.');
}

function wrongWords({ action, words, invocation }: FleetFlags, what: string): FatalError {
  const typed = [invocation.program, 'fleet', action, words].filter(Boolean).join(' ');
  return new FatalError('usage', `${what}. Usage: ${typed}`, { next: commandForHelp('fleet') });
}
