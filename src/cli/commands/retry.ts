import { defineCommandWithArgument, metricsOption, yesOption } from '../command.ts';

export const retryCommand = defineCommandWithArgument(
  {
    usage: 'retry [run]',
    summary: 'Retry the rows of a run that were rejected, failed or are uncertain',
    argument: [
      'run',
      { type: 'string', describe: 'The run, as "runs" lists it (default: the latest with such rows)' },
    ],
    options: {
      yes: yesOption,
      'dry-run': {
        type: 'boolean',
        default: false,
        describe: 'Send nothing; show what the retry would do',
      },
      resend: {
        type: 'boolean',
        default: false,
        describe: 'Resend comments that may have been sent already; check the workspace first',
      },
      decided: {
        type: 'string',
        requiresArg: true,
        describe:
          'The uncertain.csv of the run with yes or no for each comment: send it again, or it is there',
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
      metrics: metricsOption,
    },
    examples: [],
  },
  async (flags, screen) => (await import('../../app/retry/retry-command.ts')).runRetryCommand(flags, screen),
);
