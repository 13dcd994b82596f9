import type { Options } from 'yargs';
import type { Command } from '../command.ts';

const usage = 'retry [run]';
const summary = 'Retry the rows of a run that were rejected, failed or are uncertain';

const options = {
  resend: {
    type: 'boolean',
    default: false,
    describe: 'Resend comments that may have been sent already; check the workspace first',
  },
  from: {
    type: 'string',
    describe: 'The corrected rejects.csv of the run (CSV or xlsx), to read instead of the input',
  },
  removed: {
    type: 'boolean',
    default: false,
    describe: 'Close rows that are no longer in the file: they were removed on purpose',
  },
  fresh: {
    type: 'boolean',
    default: false,
    describe: 'Start a new retry instead of continuing an unfinished one',
  },
} as const satisfies Record<string, Options>;

export const retry: Command = {
  usage,
  summary,
  options,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) =>
        command
          .positional('run', {
            type: 'string',
            describe: 'The run, as "runs" lists it (default: the latest with such rows)',
          })
          .options(options)
          .group(Object.keys(options), 'Options:'),
      (flags) =>
        start(flags, async (screen) => {
          const { carryOutRetry } = await import('../carry-out-retry.ts');
          const { run, from, resend, removed, fresh, workspace, workDir } = flags;
          return await carryOutRetry({ run, from, resend, removed, fresh, workspace, workDir }, screen);
        }),
    );
  },
};
