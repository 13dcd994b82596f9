import { defineCommandWithArgument } from '../command.ts';

export const forgetCommand = defineCommandWithArgument(
  {
    usage: 'forget <person>',
    summary: 'Remove a person from the work dir, and never import them again',
    argument: [
      'person',
      {
        type: 'string',
        demandOption: true,
        describe: 'Their e-mail address, phone, key in the input, or id:N of their contact',
      },
    ],
    options: {
      yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' },
      'dry-run': { type: 'boolean', default: false, describe: 'Remove nothing; show what would be removed' },
    },
    examples: [
      ['$0 forget ada@example.com', ''],
      ['$0 forget id:1742 --dry-run', 'what the work dir has of contact 1742'],
    ],
  },
  async (flags, screen) =>
    (await import('../../app/forget/forget-command.ts')).runForgetCommand(flags, screen),
);
