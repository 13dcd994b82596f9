import { commandForHelp } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { defineCommandWithArgument, metricsOption, pipelineArgument } from '../command.ts';

export const exportCommand = defineCommandWithArgument(
  {
    usage: 'export <pipeline>',
    summary: 'Export contacts, messages and workspace objects; continues an unfinished export',
    argument: pipelineArgument,
    options: {
      fresh: {
        type: 'boolean',
        default: false,
        describe: 'Start a new export instead of continuing an unfinished one',
      },
      full: {
        type: 'boolean',
        default: false,
        describe: 'Export everything, even if the pipeline exports increments',
      },
      compact: {
        type: 'boolean',
        default: false,
        describe: 'Combine the latest export and the ones it builds on into a full export',
      },
      accept: {
        type: 'boolean',
        default: false,
        describe: 'Accept the export even if it is not what the pipeline expects (expect)',
      },
      metrics: metricsOption,
    },
    examples: [
      ['$0 export pipelines/nightly-export.yaml --workspace sandbox', 'a rehearsal'],
      ['$0 export pipelines/nightly-export.yaml --compact', 'a full export from increments'],
    ],
  },
  async ({ pipeline, ...flags }, screen) => {
    const other = (['full', 'fresh'] as const).find((name) => flags[name]);
    if (flags.compact && other !== undefined) {
      throw new FatalError('usage', `--compact and --${other} cannot be used together.`, {
        next: commandForHelp('export'),
      });
    }
    const { runExportCommand } = await import('../../app/export/export-command.ts');
    return await runExportCommand({ ...flags, pipelineFile: pipeline, resumed: false }, screen);
  },
);
