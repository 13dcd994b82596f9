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
    describe: 'Begin a new export instead of continuing an unfinished one',
  },
  full: {
    type: 'boolean',
    default: false,
    describe: 'Export everything, also where the pipeline asks for increments only',
  },
  compact: {
    type: 'boolean',
    default: false,
    describe: 'Make a full export out of the last one and those that it follows',
  },
  accept: {
    type: 'boolean',
    default: false,
    describe: 'Let the export appear although the pipeline expects something else (expect)',
  },
} as const satisfies Record<string, Options>;

function refuseBoth(
  flags: Readonly<Record<keyof typeof options, boolean>>,
  [one, other]: readonly [keyof typeof options, keyof typeof options],
): void {
  if (!flags[one] || !flags[other]) return;
  throw new FatalError('usage', `--${one} and --${other} exclude each other.`, {
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
          .example('$0 export pipelines/nightly-export.yaml --compact', 'a full one out of increments'),
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
