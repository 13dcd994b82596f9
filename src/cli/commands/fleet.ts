import { FatalError } from '../../model/fatal-error.ts';
import { commandOn } from '../command.ts';
import { type FleetAction, fleetActions } from '../fleet-actions.ts';

const actions = Object.keys(fleetActions).filter((name): name is FleetAction => name in fleetActions);
const list = actions.map((name) => `${name} (${fleetActions[name].does})`).join(', ');

export const fleet = commandOn(
  {
    usage: 'fleet <action> [name] [pipeline]',
    summary: 'Run pipelines for many workspaces on many machines, with PostgreSQL',
    argument: ['action', { choices: actions, demandOption: true, describe: `What to do: ${list}` }],
    words: {
      name: { type: 'string', describe: 'For apply the file (default: fleet.yaml), else a workspace' },
      pipeline: { type: 'string', describe: 'One of its pipelines; left out: all of them' },
    },
    options: {
      all: {
        type: 'boolean',
        default: false,
        describe: 'pause, resume, retry: every workspace; status: every line',
      },
      yes: { type: 'boolean', default: false, describe: 'apply: do not ask for confirmation' },
      'dry-run': {
        type: 'boolean',
        default: false,
        describe: 'apply: change nothing; show what would change',
      },
      watch: { type: 'boolean', default: false, describe: 'status: keep it on the screen until Ctrl-C' },
    },
    examples: [
      ['$0 fleet init', 'prepare the database that LONGSHORE_FLEET_DATABASE names'],
      ['$0 fleet apply fleet.yaml --dry-run', 'which schedules would change'],
      ['$0 fleet run acme nightly', 'a job of this workspace now'],
      ['$0 fleet pause --all', 'before an upgrade'],
    ],
  },
  async (flags, screen) => {
    const { runFleet } = await import('../run-fleet.ts').catch((error: unknown) => {
      throw notInstalled(error);
    });
    return await runFleet({ ...flags, words: fleetActions[flags.action].words }, screen);
  },
);

/** The fleet's packages are optional: nobody else needs them. */
function notInstalled(cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code !== 'ERR_MODULE_NOT_FOUND') return cause;
  return new FatalError(
    'usage',
    'a fleet needs the packages pg, pg-boss and cron-parser, which are not installed.',
    {
      next: 'npm install --include=optional',
      cause,
    },
  );
}
