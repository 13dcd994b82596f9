import { commandOn, metricsOption, runArgument, yesOption } from '../command.ts';

export const resume = commandOn(
  {
    usage: 'resume [run]',
    summary: 'Continue an unfinished run (default: the latest)',
    argument: runArgument,
    options: { yes: yesOption, metrics: metricsOption },
    examples: [],
  },
  async (flags, screen) => (await import('../../app/resume/resume-command.ts')).runResume(flags, screen),
);
