import { defineCommandWithArgument, pipelineArgument } from '../command.ts';

export const scheduleCommand = defineCommandWithArgument(
  {
    usage: 'schedule <pipeline>',
    summary: 'Print the files that run a pipeline every night',
    argument: pipelineArgument,
    options: {
      for: {
        choices: ['cron', 'systemd', 'kubernetes'],
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
    },
    examples: [
      ['$0 schedule pipelines/mine.yaml --for cron', 'a line for crontab -e'],
      ['$0 schedule pipelines/mine.yaml --for systemd --out units', 'a service and a timer'],
    ],
  },
  async ({ pipeline, ...flags }, screen) => {
    const { runScheduleCommand } = await import('../../app/schedule/schedule-command.ts');
    return await runScheduleCommand({ ...flags, pipelineFile: pipeline }, screen);
  },
);
