import type { Command } from '../command.ts';

const usage = 'status [run]';

export const status: Command = {
  usage,
  flags: [],
  register: (cli, start) => {
    cli.command(
      usage,
      'Say where a run stands; without a name, the latest',
      (command) => command.positional('run', { type: 'string', describe: 'The run, as "runs" lists it' }),
      (flags) =>
        start(flags, async (screen) => {
          const { showStatus } = await import('../show-runs.ts');
          return showStatus({ workDir: flags.workDir, run: flags.run }, screen);
        }),
    );
  },
};
