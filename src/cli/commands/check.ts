import type { Options } from 'yargs';
import type { Command } from '../command.ts';

const usage = 'check <pipeline>';
const summary = 'Find problems before an import or an export; changes nothing';

const options = {
  online: {
    type: 'boolean',
    default: false,
    describe: 'Also check the workspace: base URL, token, custom fields; changes nothing',
  },
  source: {
    type: 'string',
    requiresArg: true,
    describe: "Input to read instead of the pipeline's, relative to the current folder",
  },
} as const satisfies Record<string, Options>;

export const check: Command = {
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
          .example('$0 check pipelines/mine.yaml', 'offline; sends nothing')
          .example('$0 check pipelines/mine.yaml --online', 'also checks the workspace'),
      (flags) =>
        start(flags, async (screen) => {
          const { carryOutCheck } = await import('../carry-out-check.ts');
          const { pipeline, online, source, workspace, workDir } = flags;
          return await carryOutCheck({ pipelineFile: pipeline, online, source, workspace, workDir }, screen);
        }),
    );
  },
};
