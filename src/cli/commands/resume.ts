import { commandOn, metricsOption, runArgument } from '../command.ts';

export const resume = commandOn(
  {
    usage: 'resume [run]',
    summary: 'Continue an unfinished run (default: the latest)',
    argument: runArgument,
    options: { metrics: metricsOption },
    examples: [],
  },
  async (flags, screen) => (await import('../run-resume.ts')).runResume(flags, screen),
);
