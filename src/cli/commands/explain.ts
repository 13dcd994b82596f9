import type { Command } from '../command.ts';

const usage = 'explain [code..]';
const summary = 'Explain a row code such as email.invalid, or an exit code; without a code, list them all';

export const explainCommand: Command = {
  usage,
  summary,
  options: {},
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) =>
        command
          .positional('code', {
            type: 'string',
            array: true,
            describe: 'A row code, or an exit code such as 4',
          })
          .example('$0 explain customFields.Plan.notAllowed', 'what it means and what to do')
          .example('$0 explain 4', 'an exit code'),
      (flags) =>
        start(flags, async (screen) => {
          const { explain } = await import('../explain/explain.ts');
          return explain(flags.code?.join(' '), screen);
        }),
    );
  },
};
