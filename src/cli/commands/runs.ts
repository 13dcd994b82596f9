import { defineCommand } from '../command.ts';
import { assertWholeNumber } from '../number-flags.ts';

export const runsCommand = defineCommand(
  {
    usage: 'runs',
    summary: 'List the runs of this work dir, newest first',
    options: {
      last: { type: 'number', default: 20, requiresArg: true, describe: 'How many runs to list' },
    },
    examples: [],
  },
  async (flags, screen) => {
    assertWholeNumber('last', flags.last, 1);
    return (await import('../../app/status/status-command.ts')).printRunList(flags, screen);
  },
);
