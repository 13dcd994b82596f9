import { defineCommandWithArgument, metricsOption, runArgument, yesOption } from '../command.ts';

export const resumeCommand = defineCommandWithArgument(
  {
    usage: 'resume [run]',
    summary: 'Continue an unfinished run (default: the latest)',
    argument: runArgument,
    options: { yes: yesOption, metrics: metricsOption },
    examples: [],
  },
  async (flags, screen) =>
    (await import('../../app/resume/resume-command.ts')).runResumeCommand(flags, screen),
);
