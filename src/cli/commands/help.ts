import { defineCommandWithArgument } from '../command.ts';

/** The command `help`; `withoutHelpCommand` turns it into `--help` before the command line is parsed. */
export const helpCommand = defineCommandWithArgument(
  {
    usage: 'help [command]',
    summary: 'Show help, or help for a command',
    argument: ['command', { type: 'string' }],
    options: {},
    examples: [],
  },
  () => Promise.resolve(0),
);
