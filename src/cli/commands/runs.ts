import { command } from '../command.ts';
import { assertWhole } from '../number-flags.ts';

export const runs = command(
  {
    usage: 'runs',
    summary: 'List the runs of this work dir, newest first',
    options: {
      last: { type: 'number', default: 20, requiresArg: true, describe: 'How many runs to list' },
    },
    examples: [],
  },
  async (flags, screen) => {
    assertWhole('last', flags.last, 1);
    return (await import('../../app/status/status-command.ts')).showRuns(flags, screen);
  },
);
