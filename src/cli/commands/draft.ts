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
  key: {
    type: 'string',
    requiresArg: true,
    describe: 'The column that identifies a row in the old system, or none',
  },
  country: {
    type: 'string',
    requiresArg: true,
    describe: 'The country of phone numbers without a country code, as DE',
  },
  header: {
    type: 'string',
    requiresArg: true,
    describe: 'The line (or row) that names the columns, or none',
  },
  sheet: { type: 'string', requiresArg: true, describe: 'The sheet of a workbook, by name or number' },
  table: {
    type: 'string',
    requiresArg: true,
    describe: 'The table that holds the people, where there are several',
  },
  delimiter: { type: 'string', requiresArg: true, describe: 'What is between two cells: ";", tab …' },
  encoding: { type: 'string', requiresArg: true, describe: 'The encoding of the input, as windows-1252' },
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
          .example('$0 draft contacts.xlsx --sheet Customers --header 3', 'says where the columns are named')
          .example('$0 draft contacts.csv --print', 'writes nothing'),
      (flags) =>
        start(flags, async (screen) => {
          const { carryOutDraft } = await import('../carry-out-draft.ts');
          // The parser takes a lone dash for an empty word.
          const { file, ...others } = flags;
          return await carryOutDraft({ ...others, path: file === '' ? '-' : file }, screen);
        }),
    );
  },
};
