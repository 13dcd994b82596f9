import type { Options } from 'yargs';
import type { Command } from '../command.ts';
import { wholeNumber } from '../number-flags.ts';

const usage = 'import <pipeline>';
const summary = 'Import; continues an unfinished run of the same pipeline';

const options = {
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
  source: {
    type: 'string',
    requiresArg: true,
    describe: "Input to read instead of the pipeline's, relative to the current folder",
  },
} as const satisfies Record<string, Options>;

export const importCommand: Command = {
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
          .example('$0 import pipelines/mine.yaml --workspace sandbox', 'a rehearsal')
          .example('$0 import pipelines/mine.yaml --limit 20', 'the first 20 rows')
          .example('$0 import pipelines/mine.yaml --approve merge-proposals.csv', 'the approved merges'),
      (flags) =>
        start(flags, async (screen) => {
          const limit = wholeNumber('limit', flags.limit, 1);
          const { chooseRows } = await import('../row-choice.ts');
          const choice = await chooseRows({ ...flags, limit });
          const { carryOutImport } = await import('../carry-out-import.ts');
          const { pipeline, fresh, source, workspace, workDir } = flags;
          return await carryOutImport(
            { pipelineFile: pipeline, fresh, limit, choice, source, workspace, workDir },
            screen,
          );
        }),
    );
  },
};
