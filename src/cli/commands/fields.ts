import { defineCommandWithArgument, pipelineArgument } from '../command.ts';

export const fieldsCommand = defineCommandWithArgument(
  {
    usage: 'fields <pipeline>',
    summary: 'List the custom fields of the workspace, with their types; changes nothing',
    argument: pipelineArgument,
    options: {},
    examples: [['$0 fields pipelines/mine.yaml', 'what customFields of the mapping can fill']],
  },
  async ({ pipeline, ...flags }, screen) => {
    const { runFieldsCommand } = await import('../../app/check/fields-command.ts');
    return await runFieldsCommand({ ...flags, pipelineFile: pipeline }, screen);
  },
);
