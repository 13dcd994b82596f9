import { commandOn, runArgument, yesOption } from '../command.ts';

export const resume = commandOn(
  {
    usage: 'resume [run]',
    summary: 'Continue an unfinished run (default: the latest)',
    argument: runArgument,
    options: { yes: yesOption },
    examples: [],
  },
  async (flags, screen) => (await import('../run-resume.ts')).runResume(flags, screen),
);
