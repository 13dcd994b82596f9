import { commandOn, runArgument } from '../command.ts';

export const resume = commandOn(
  {
    usage: 'resume [run]',
    summary: 'Continue an unfinished run (default: the latest)',
    argument: runArgument,
    options: {},
    examples: [],
  },
  async (flags, screen) => (await import('../run-resume.ts')).runResume(flags, screen),
);
