import type { Command } from '../command.ts';

const usage = 'resume [run]';
const summary = 'Continue an unfinished run (default: the latest)';

export const resume: Command = {
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
          const { carryOutResume } = await import('../carry-out-resume.ts');
          const { run, workspace, workDir } = flags;
          return await carryOutResume({ run, workspace, workDir }, screen);
        }),
    );
  },
};
