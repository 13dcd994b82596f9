import type { Options } from 'yargs';
import type { Command } from '../command.ts';

const usage = 'schedule <pipeline>';
const summary = 'Print the files that run a pipeline every night';

const options = {
  for: {
    choices: ['cron', 'systemd', 'kubernetes'] as const,
    demandOption: true,
    requiresArg: true,
    describe: 'Scheduler',
  },
  at: { type: 'string', default: '02:30', requiresArg: true, describe: 'Time of day' },
  timezone: {
    type: 'string',
    requiresArg: true,
    describe: "Time zone of --at (default: the export's, or this machine's)",
  },
  out: {
    type: 'string',
    requiresArg: true,
    describe: 'Write the files into this folder instead of printing them',
  },
} as const satisfies Record<string, Options>;

export const schedule: Command = {
  usage,
  summary,
  options,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) =>
        command
          .positional('pipeline', {
            type: 'string',
            demandOption: true,
            describe: 'The pipeline file (YAML)',
          })
          .options(options)
          .group(Object.keys(options), 'Options:')
          .example('$0 schedule pipelines/mine.yaml --for cron', 'a line for crontab -e')
          .example('$0 schedule pipelines/mine.yaml --for systemd --out units', 'a service and a timer'),
      (flags) =>
        start(flags, async (screen) => {
          const { carryOutSchedule } = await import('../carry-out-schedule.ts');
          return await carryOutSchedule({ ...flags, pipelineFile: flags.pipeline }, screen);
        }),
    );
  },
};
