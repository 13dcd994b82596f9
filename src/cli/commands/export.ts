import type { Options } from 'yargs';
import { helpLine } from '../../model/command-line.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Command } from '../command.ts';

const usage = 'export <pipeline>';
const summary = 'Export contacts, messages and workspace objects; continues an unfinished export';

const options = {
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
} as const satisfies Record<string, Options>;

function refuseBoth(
  flags: Readonly<Record<keyof typeof options, boolean>>,
  [one, other]: readonly [keyof typeof options, keyof typeof options],
): void {
  if (!flags[one] || !flags[other]) return;
  throw new FatalError('usage', `--${one} and --${other} cannot be used together.`, {
    next: helpLine('export'),
  });
}

export const exportCommand: Command = {
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
          .example('$0 export pipelines/nightly-export.yaml --workspace sandbox', 'a rehearsal')
          .example('$0 export pipelines/nightly-export.yaml --compact', 'a full export from increments'),
      (flags) =>
        start(flags, async (screen) => {
          refuseBoth(flags, ['compact', 'full']);
          refuseBoth(flags, ['compact', 'fresh']);
          const { carryOutExport } = await import('../carry-out-export.ts');
          const { pipeline, fresh, full, compact, accept, workspace, workDir } = flags;
          return await carryOutExport(
            { pipelineFile: pipeline, fresh, full, compact, accept, resumed: false, workspace, workDir },
            screen,
          );
        }),
    );
  },
};
