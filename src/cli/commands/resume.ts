import type { Command } from '../command.ts';

const usage = 'resume [run]';

export const resume: Command = {
  usage,
  flags: [],
  register: (cli, start) => {
    cli.command(
      usage,
      'Continue an unfinished run; without a name, the latest',
      (command) => command.positional('run', { type: 'string', describe: 'The run, as "runs" lists it' }),
      (flags) =>
        start(flags, async (screen) => {
          const { carryOutResume } = await import('../carry-out-resume.ts');
          const { run, workspace, workDir } = flags;
          return await carryOutResume({ run, workspace, workDir }, screen);
        }),
    );
  },
};
