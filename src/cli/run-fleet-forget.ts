import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod';
import type { PersonSearchResult } from '../app/forget/forget.ts';
import { formatHint, type Invocation } from '../app/run/command-line.ts';
import { askToConfirm, assertCanAsk } from '../app/run/terminal/confirm.ts';
import type { Screen } from '../app/run/terminal/screen.ts';
import { abortOnStopSignals } from '../app/run/terminal/stop-signals.ts';
import { readLongshoreEnvVariable } from '../app/run/variables.ts';
import {
  findPersonInWorkspaces,
  forgetPersonInFormerWorkspaces,
  forgetPersonInWorkspaces,
  listStoredWorkspaces,
  openFleetResultStorage,
  readFleetKey,
  type WorkspaceForgetResult,
  withFleetConnection,
} from '../fleet/index.ts';
import { fleetDatabaseVariable } from '../fleet/variables.ts';
import { parsePersonQuery } from '../journal/index.ts';
import { commandWithoutFlags, currentCommand, hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { formatQuantity } from '../report/figures.ts';
import { systemClock } from '../workspace/index.ts';

interface FleetForgetFlags {
  readonly person: string;
  readonly workspace: string | undefined;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly invocation: Invocation;
}

/**
 * Removes a person from the stored data of a fleet's workspaces, after a confirmation unless `yes`; a dry run only
 * shows what is stored. Returns the exit code, which after a removal is not 0 if data of the person may be left.
 */
export async function runFleetForget(flags: FleetForgetFlags, screen: Screen): Promise<number> {
  const { person, workspace: named, yes, dryRun, invocation } = flags;
  const asked = parsePersonQuery(person);
  if (named === undefined && (asked.kind === 'key' || asked.kind === 'id')) {
    throw new FatalError('usage', `the same ${asked.kind} is another person in another workspace.`, {
      next: hint`Name the workspace: ${commandWithoutFlags('fleet', 'forget', person, 'WORKSPACE')}\nOr name the person by their e-mail address or phone.`,
    });
  }
  const key = readFleetKey(process.env);
  const { stop, release } = abortOnStopSignals();
  try {
    return await withFleetConnection(readLongshoreEnvVariable(fleetDatabaseVariable), async ({ pool }) => {
      const workspaces = await listStoredWorkspaces(pool, named);
      const times = await leaseTimes(pool);
      const { leaseMs } = times;
      const results = await openFleetResultStorage(pool, invocation, stop.signal);
      const forgetting = {
        ...{ pool, key, invocation, clock: systemClock, asked, leaseMs, results },
        stop: stop.signal,
      };
      if (dryRun || !yes) {
        const found = await findPersonInWorkspaces(forgetting, workspaces);
        if (dryRun) return shown(found, flags, screen);
        screen.note(textOf(found, flags));
        assertCanAsk('fleet forget', hint`To confirm beforehand: ${currentCommand('--yes')}`, screen);
        if (!(await askToConfirm('Remove all of this? It cannot be undone. Type yes: ', 'yes', screen)))
          throw new FatalError('usage', 'not confirmed: nothing was removed.');
      }
      if (named === undefined) await forgetPersonInFormerWorkspaces(forgetting, workspaces);
      const holder = `forget-${hostname()}-${randomBytes(3).toString('hex')}`;
      return shown(await forgetPersonInWorkspaces(forgetting, workspaces, holder, times), flags, screen);
    });
  } catch (error) {
    if (!stop.signal.aborted || !(error instanceof FatalError)) throw error;
    throw error.with({
      next: hint`Some workspaces may be done. For the others, type again: ${currentCommand()}`,
    });
  } finally {
    release();
  }
}

const limitsSchema = z.object({ lease: z.number(), settle: z.number() });

/**
 * Returns the lease and settle times (ms) of the fleet that was last applied; throws a FatalError (usage) if none
 * was.
 */
async function leaseTimes(pool: Parameters<typeof listStoredWorkspaces>[0]) {
  const { rows } = await pool.query<{ limits: unknown }>('SELECT limits FROM longshore.fleet');
  if (rows[0] === undefined) {
    throw new FatalError('usage', 'no fleet was applied yet: nothing is stored of anybody.', {
      next: toCommand('fleet', 'apply', 'fleet.yaml'),
    });
  }
  const { lease, settle } = limitsSchema.parse(rows[0].limits);
  return { leaseMs: lease, settleMs: settle };
}

function shown(found: readonly WorkspaceForgetResult[], flags: FleetForgetFlags, screen: Screen): number {
  const code = exitCodeOf(found, flags);
  screen.result(() => textOf(found, flags), { workspaces: found });
  return code;
}

const [needsALook, locked] = [3, 6];

/**
 * Returns the exit code: that of the first failure, else 6 if a job holds a workspace, else 3 if anything is
 * left or nothing of a workspace is stored; a dry run never returns 3.
 */
function exitCodeOf(found: readonly WorkspaceForgetResult[], { dryRun }: FleetForgetFlags): number {
  const failure = found.flatMap((each) => (each.state === 'failed' ? each.exitCode : []))[0];
  if (failure !== undefined) return failure;
  if (found.some(({ state }) => state === 'busy')) return locked;
  const isLeft = (each: WorkspaceForgetResult) =>
    each.state === 'nothing' || (each.state === 'forgotten' && each.left.length > 0);
  return !dryRun && found.some(isLeft) ? needsALook : 0;
}

function textOf(found: readonly WorkspaceForgetResult[], flags: FleetForgetFlags): string {
  const inputs = found.flatMap((each) => ('inputs' in each ? each.inputs : []));
  const exports = found.flatMap((each) => ('exports' in each ? each.exports : []));
  const isDone = found.some(({ state }) => state === 'forgotten');
  return [
    ...found.map((each) => `${each.workspace}: ${lineOf(each, flags)}`),
    ...(isDone
      ? [
          'Their rows are skipped from now on (policy.onDeleted: skip).',
          'Every worker removes the older work dirs of its machine within a minute, reports of runs included.',
          'A machine without a worker keeps its copy: remove WORK_DIR/fleet from it by hand.',
        ]
      : []),
    'Not touched: the real workspaces, the inputs, finished exports, and backups of the database.',
    ...[...new Set(inputs)].map((name) => `  ${name}: the person was read from it`),
    ...exports.flatMap(({ folder, holds }) =>
      holds === 'no'
        ? []
        : [
            `  ${folder}: ${holds === 'yes' ? 'has the person' : 'cannot be searched, and may have the person'}`,
          ],
    ),
  ].join('\n');
}

function lineOf(each: WorkspaceForgetResult, { person, invocation }: FleetForgetFlags): string {
  const { workspace } = each;
  switch (each.state) {
    case 'found':
      return {
        known: `has ${partsOf(each)}`,
        forgotten: 'forgotten before',
        unknown: 'nothing of this person',
      }[each.known];
    case 'forgotten':
      return [
        {
          known: `forgotten: ${partsOf(each)}`,
          forgotten: 'forgotten before',
          unknown: 'had nothing of this person',
        }[each.known],
        ...each.left.map((name) => `  STILL THERE: ${name} has their e-mail or phone.`),
      ].join('\n');
    case 'nothing':
      return 'NOT DONE: nothing is stored of it yet, so nothing can be remembered. If its inputs have this person, they are imported: remove them there, or type the same command again after its first run.';
    case 'busy':
      return formatHint(
        hint`NOT DONE: a job works on it. When it has ended, or after ${commandWithoutFlags('fleet', 'pause', workspace)}, type again: ${commandWithoutFlags('fleet', 'forget', person, workspace)}`,
        invocation,
      );
    case 'failed':
      return `NOT DONE: ${each.message}${each.next === null ? '' : `\n  ${each.next}`}`;
  }
}

function partsOf({ counts, runs }: PersonSearchResult): string {
  return [
    `${formatQuantity(counts.rows, 'row')} of ${formatQuantity(runs, 'run')}`,
    formatQuantity(counts.steps, 'step'),
    formatQuantity(counts.comments, 'sent comment'),
    formatQuantity(counts.proposals, 'merge proposal'),
    formatQuantity(counts.questions, 'question'),
  ].join(', ');
}
