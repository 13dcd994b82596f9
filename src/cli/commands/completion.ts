import type { Command } from '../command.ts';
import { shells } from '../completion/scripts.ts';

const usage = 'completion <shell>';
const summary = 'Print the completion script for bash, zsh or fish';

export const completion: Command = {
  usage,
  summary,
  options: {},
  choices: shells,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) =>
        command
          .positional('shell', { choices: shells, demandOption: true, describe: 'Your shell' })
          .example('$0 completion bash >> ~/.bashrc', '')
          .example('$0 completion zsh > ~/.zfunc/_longshore', '')
          .example('$0 completion fish > ~/.config/fish/completions/longshore.fish', ''),
      (flags) =>
        start(flags, async (screen) => {
          const { script } = await import('../completion/scripts.ts');
          screen.result(() => script(flags.shell), { shell: flags.shell, script: script(flags.shell) });
          return 0;
        }),
    );
  },
};
