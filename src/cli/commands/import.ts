import { commandOn, metricsOption, pipelineArgument, sourceOption } from '../command.ts';
import { assertWhole } from '../number-flags.ts';

export const importCommand = commandOn(
  {
    usage: 'import <pipeline>',
    summary: 'Import; continues an unfinished run of the same pipeline',
    argument: pipelineArgument,
    options: {
      fresh: {
        type: 'boolean',
        default: false,
        describe: 'Start a new run instead of continuing an unfinished one',
      },
      limit: {
        type: 'number',
        requiresArg: true,
        describe: 'Import only the first N rows; the next import continues from there',
      },
      full: {
        type: 'boolean',
        default: false,
        describe: 'Compare every row with the workspace, even if nothing changed since the last run',
      },
      approve: {
        type: 'string',
        requiresArg: true,
        describe: 'Apply only the merges approved in this merge-proposals.csv',
      },
      deferred: {
        type: 'boolean',
        default: false,
        describe: 'Run only the steps that the pipeline defers',
      },
      source: sourceOption,
      metrics: metricsOption,
    },
    examples: [
      ['$0 import pipelines/mine.yaml --workspace sandbox', 'a rehearsal'],
      ['$0 import pipelines/mine.yaml --limit 20', 'the first 20 rows'],
      ['$0 import pipelines/mine.yaml --approve merge-proposals.csv', 'the approved merges'],
    ],
  },
  async ({ pipeline, ...flags }, screen) => {
    assertWhole('limit', flags.limit, 1);
    const { chooseRows } = await import('../row-choice.ts');
    const choice = await chooseRows(flags);
    const { runImportCommand } = await import('../run-command.ts');
    return await runImportCommand({ ...flags, ...choice, pipelineFile: pipeline }, screen);
  },
);
