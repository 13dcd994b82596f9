import { FatalError } from '../../model/fatal-error.ts';
import { defineCommandWithArgument } from '../command.ts';
import { type FleetAction, fleetActions } from '../fleet-actions.ts';
import { assertWholeNumber } from '../number-flags.ts';
import { assertWorkerFlags, workerCommandOptions } from './worker.ts';

const actions = Object.keys(fleetActions).filter((name): name is FleetAction => name in fleetActions);
const list = actions.map((name) => `${name} (${fleetActions[name].does})`).join(', ');

export const fleetCommand = defineCommandWithArgument(
  {
    usage: 'fleet <action> [name] [pipeline]',
    summary: 'Run pipelines for many workspaces on many machines, with PostgreSQL',
    argument: ['action', { choices: actions, demandOption: true, describe: `What to do: ${list}` }],
    words: {
      name: {
        type: 'string',
        describe:
          'For apply, up and deploy the file (default: fleet.yaml), for drain a worker, for forget a person, else a workspace',
      },
      pipeline: {
        type: 'string',
        describe: 'One of its pipelines, for forget a workspace, for approve the list; left out: all of them',
      },
    },
    options: {
      all: {
        type: 'boolean',
        default: false,
        describe: 'run, pause, resume, retry: every workspace; status: every line',
      },
      yes: { type: 'boolean', default: false, describe: 'apply, forget: do not ask for confirmation' },
      'dry-run': {
        type: 'boolean',
        default: false,
        describe: 'apply, forget: change nothing; show what would change',
      },
      'take-over': {
        type: 'boolean',
        default: false,
        describe: 'apply, up: take the place of another fleet in this database',
      },
      rows: {
        type: 'boolean',
        default: false,
        describe: 'retry: the rows of the last run that were rejected, failed or are uncertain',
      },
      from: {
        type: 'string',
        requiresArg: true,
        describe: 'retry --rows: the corrected rejects.csv of the run',
      },
      decided: {
        type: 'string',
        requiresArg: true,
        describe: 'retry --rows: the uncertain.csv of the run, with yes or no for each comment',
      },
      resend: {
        type: 'boolean',
        default: false,
        describe: 'retry --rows: send comments again that may have been sent already',
      },
      removed: {
        type: 'boolean',
        default: false,
        describe: 'retry --rows: close rows that are no longer in the file',
      },
      deferred: { type: 'boolean', default: false, describe: 'run: only the steps that the pipeline defers' },
      with: {
        choices: ['new', 'old'],
        requiresArg: true,
        describe: 'continue: with the input that is there now, or with the one that the run began with',
      },
      of: {
        type: 'string',
        requiresArg: true,
        describe: 'approve: the pipeline whose list it is, where there are several',
      },
      watch: { type: 'boolean', default: false, describe: 'status: keep it on the screen until Ctrl-C' },
      ...workerCommandOptions,
      for: {
        choices: ['kubernetes', 'systemd', 'compose'],
        requiresArg: true,
        describe: 'deploy: what runs them',
      },
      workers: { type: 'number', default: 2, requiresArg: true, describe: 'deploy: how many workers' },
      image: {
        type: 'string',
        requiresArg: true,
        describe:
          'deploy: the image as it is pulled; for compose that of npm run image unless set, for kubernetes required',
      },
      out: {
        type: 'string',
        requiresArg: true,
        describe: 'deploy: write the files into this folder instead of printing them',
      },
    },
    examples: [
      ['$0 fleet init', 'prepare the database that LONGSHORE_FLEET_DATABASE names'],
      ['$0 fleet apply fleet.yaml --dry-run', 'which schedules would change'],
      ['$0 fleet run acme nightly', 'a job of this workspace now'],
      ['$0 fleet run --all', 'every pipeline of every workspace now'],
      ['$0 fleet retry acme load --rows --from rejects.csv', 'the corrected rows of its last run'],
      ['$0 fleet approve acme same-person.csv', 'what the filled-in list answers'],
      ['$0 fleet pause --all', 'before an upgrade'],
      ['$0 fleet forget ada@example.com', 'a person, in every workspace'],
    ],
  },
  async (flags, screen) => {
    assertWorkerFlags(flags);
    assertWholeNumber('workers', flags.workers, 1, 10_000);
    const { runFleetAction } = await import('../run-fleet.ts').catch((error: unknown) => {
      throw notInstalled(error);
    });
    return await runFleetAction({ ...flags, words: fleetActions[flags.action].words }, screen);
  },
);

/** Returns the error for missing packages of the fleet, which are optional; any other error is returned unchanged. */
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
