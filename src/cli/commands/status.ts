import { commandOn, runArgument } from '../command.ts';

export const status = commandOn(
  {
    usage: 'status [run]',
    summary: 'Show the status of a run (default: the latest)',
    argument: runArgument,
    options: {},
    examples: [],
  },
  async (flags, screen) => (await import('../show-runs.ts')).showStatus(flags, screen),
);
