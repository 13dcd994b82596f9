import { defineCommandWithArgument, pipelineArgument, sourceOption } from '../command.ts';

export const checkCommand = defineCommandWithArgument(
  {
    usage: 'check <pipeline>',
    summary: 'Find problems before an import or an export; changes nothing',
    argument: pipelineArgument,
    options: {
      online: {
        type: 'boolean',
        default: false,
        describe: 'Also check the workspace: base URL, token, custom fields; changes nothing',
      },
      source: sourceOption,
    },
    examples: [
      ['$0 check pipelines/mine.yaml', 'offline; sends nothing'],
      ['$0 check pipelines/mine.yaml --online', 'also checks the workspace'],
    ],
  },
  async ({ pipeline, ...flags }, screen) => {
    const { runCheckCommand } = await import('../../app/check/check-command.ts');
    return await runCheckCommand({ ...flags, pipelineFile: pipeline }, screen);
  },
);
