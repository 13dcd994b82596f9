import { defineCommand } from '../command.ts';

export const pruneCommand = defineCommand(
  {
    usage: 'prune',
    summary: 'Remove the rows and files of old runs, and old files of the studio, from the work dir',
    options: {
      older: {
        type: 'string',
        requiresArg: true,
        describe: 'What ended longer ago than this, such as 90d',
      },
      'with-open': {
        type: 'boolean',
        default: false,
        describe: 'Also runs with rows that could still be retried',
      },
      yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' },
      'dry-run': { type: 'boolean', default: false, describe: 'Remove nothing; show what would be removed' },
    },
    examples: [['$0 prune --older 90d --dry-run', 'which runs that is, and what they are still good for']],
  },
  async (flags, screen) => (await import('../../app/prune/prune-command.ts')).runPruneCommand(flags, screen),
);
