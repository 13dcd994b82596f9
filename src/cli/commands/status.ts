import { defineCommandWithArgument, runArgument } from '../command.ts';

export const statusCommand = defineCommandWithArgument(
  {
    usage: 'status [run]',
    summary: 'Show the status of a run (default: the latest)',
    argument: runArgument,
    options: {
      watch: {
        type: 'boolean',
        default: false,
        describe: "Show the run live until it ends, with the run's exit code; Ctrl-C only stops watching",
      },
    },
    examples: [
      ['$0 status --watch', 'how a run goes, from another terminal'],
      ['$0 status --watch --json', 'the same for a machine, a line each second'],
    ],
  },
  async (flags, screen) =>
    flags.watch
      ? (await import('../../app/status/watch-command.ts')).runWatchCommand(flags, screen)
      : (await import('../../app/status/status-command.ts')).runStatusCommand(flags, screen),
);
