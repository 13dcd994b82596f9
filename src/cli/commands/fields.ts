import { defineCommandWithArgument, pipelineArgument } from '../command.ts';

export const fieldsCommand = defineCommandWithArgument(
  {
    usage: 'fields <pipeline>',
    summary: 'List the custom fields of the workspace, with their types; changes nothing',
    argument: pipelineArgument,
    options: {
      all: {
        type: 'boolean',
        default: false,
        describe: 'Also list the users, and the lifecycle stages as far as contacts show them',
      },
    },
    examples: [
      ['$0 fields pipelines/mine.yaml', 'what customFields of the mapping can fill'],
      ['$0 fields pipelines/mine.yaml --all', 'also the users for assignee, and the stages for lifecycle'],
    ],
  },
  async ({ pipeline, ...flags }, screen) => {
    const { runFieldsCommand } = await import('../../app/check/fields-command.ts');
    return await runFieldsCommand({ ...flags, pipelineFile: pipeline }, screen);
  },
);
