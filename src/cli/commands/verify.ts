import { defineCommandWithArgument } from '../command.ts';

export const verifyCommand = defineCommandWithArgument(
  {
    usage: 'verify [run]',
    summary:
      'Read back what an import wrote and compare it, or check the files of an export; changes nothing',
    argument: [
      'run',
      {
        type: 'string',
        describe: 'The import, as "runs" lists it (default: the latest), or the folder of an export',
      },
    ],
    options: {
      all: {
        type: 'boolean',
        default: false,
        describe: 'Every contact that the journal knows in the workspace of the run',
      },
      sample: {
        type: 'string',
        requiresArg: true,
        describe: 'Read back only a share of the contacts, chosen at random, such as 5%',
      },
      online: {
        type: 'boolean',
        default: false,
        describe: 'For the folder of an export: compare its files with the workspace, too',
      },
    },
    examples: [
      ['$0 verify', 'the latest import'],
      ['$0 verify exports/2026-03-01', 'the files of an export against its manifest'],
      ['$0 verify exports/2026-03-01 --online', 'and against the workspace as it is now'],
      ['$0 verify --sample 5%', 'a share of its contacts, and what that says of all'],
    ],
  },
  async (flags, screen) =>
    (await import('../../app/verify/verify-command.ts')).runVerifyCommand(flags, screen),
);
