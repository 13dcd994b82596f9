import type { Command } from '../command.ts';

const usage = 'status [run]';
const summary = 'Show the status of a run (default: the latest)';

export const status: Command = {
  usage,
  summary,
  options: {},
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) => command.positional('run', { type: 'string', describe: 'The run, as "runs" lists it' }),
      (flags) =>
        start(flags, async (screen) => {
          const { showStatus } = await import('../show-runs.ts');
          return showStatus({ workDir: flags.workDir, run: flags.run }, screen);
        }),
    );
  },
};
