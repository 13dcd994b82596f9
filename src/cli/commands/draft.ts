import { defineCommandWithArgument } from '../command.ts';

export const draftCommand = defineCommandWithArgument(
  {
    usage: 'draft <file>',
    summary: 'Draft a mapping and a pipeline for a file, with questions to answer',
    argument: [
      'file',
      {
        type: 'string',
        demandOption: true,
        describe:
          'The export: a file, a folder or an archive; - for standard input; or the base URL of a workspace to move',
      },
    ],
    options: {
      out: {
        type: 'string',
        default: '.',
        requiresArg: true,
        describe: 'Folder to write mappings/ and pipelines/ into',
      },
      key: {
        type: 'string',
        requiresArg: true,
        describe: 'Column that identifies a row in the old system, or "none"',
      },
      country: {
        type: 'string',
        requiresArg: true,
        describe: 'Country of phone numbers without a country code, for example DE',
      },
      person: {
        type: 'string',
        requiresArg: true,
        describe: 'Person to import, if a row has several, for example "Contact 2"',
      },
      format: {
        type: 'string',
        requiresArg: true,
        describe: 'Format of the input, as a pipeline names it: csv, xlsx, sql, dump, …',
      },
      header: {
        type: 'string',
        requiresArg: true,
        describe: 'Line (or row) of the column names, or "none"',
      },
      sheet: { type: 'string', requiresArg: true, describe: 'Sheet of a workbook, by name or number' },
      table: {
        type: 'string',
        requiresArg: true,
        describe: 'Table of the people, if there are several tables; in JSON, the list of them',
      },
      delimiter: { type: 'string', requiresArg: true, describe: 'Cell delimiter: ";", tab, …' },
      encoding: {
        type: 'string',
        requiresArg: true,
        describe: 'Encoding of the input, for example windows-1252',
      },
      force: { type: 'boolean', default: false, describe: 'Overwrite existing files' },
      print: { type: 'boolean', default: false, describe: 'Print both files instead of writing them' },
    },
    examples: [
      ['$0 draft contacts.csv', 'writes mappings/contacts.yaml and pipelines/import-contacts.yaml'],
      ['$0 draft contacts.xlsx --sheet Customers --header 3', 'column names in line 3'],
      ['$0 draft contacts.csv --print', 'writes nothing'],
    ],
  },
  async ({ file, ...flags }, screen) => {
    const { runDraftCommand } = await import('../../app/draft/draft-command.ts');
    // The parser turns a lone dash into an empty word.
    return await runDraftCommand({ ...flags, path: file === '' ? '-' : file }, screen);
  },
);
