import type { Command } from '../command.ts';

const usage = 'help [command]';
const summary = 'Show help, or help for a command';

/** Typed in place of `--help`, into which it is turned before the command line is parsed. */
export const help: Command = {
  usage,
  summary,
  options: {},
  register: (cli) => {
    cli.command(usage, summary, (command) => command.positional('command', { type: 'string' }));
  },
};
