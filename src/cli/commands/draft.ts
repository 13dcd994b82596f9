import type { Options } from 'yargs';
import type { Command } from '../command.ts';

const usage = 'draft <file>';
const summary = 'Draft a mapping and a pipeline for a file, with questions to answer';

const options = {
  out: {
    type: 'string',
    default: '.',
    requiresArg: true,
    describe: 'The folder in which mappings/ and pipelines/ are written',
  },
  force: { type: 'boolean', default: false, describe: 'Write over files that are there' },
  print: { type: 'boolean', default: false, describe: 'Print both files instead of writing them' },
} as const satisfies Record<string, Options>;

export const draftCommand: Command = {
  usage,
  summary,
  options,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) =>
        command
          .positional('file', {
            type: 'string',
            demandOption: true,
            describe:
              'The export: a file, a folder or an archive; - is standard input; or the address of a workspace to move',
          })
          .options(options)
          .group(Object.keys(options), 'Options:')
          .example(
            '$0 draft contacts.csv',
            'writes mappings/contacts.yaml and pipelines/import-contacts.yaml',
          )
          .example('$0 draft contacts.csv --print', 'writes nothing'),
      (flags) =>
        start(flags, async (screen) => {
          const { carryOutDraft } = await import('../carry-out-draft.ts');
          // The parser takes a lone dash for an empty word.
          const { file, out, force, print, workspace, workDir } = flags;
          return await carryOutDraft(
            { path: file === '' ? '-' : file, out, force, print, workspace, workDir },
            screen,
          );
        }),
    );
  },
};
