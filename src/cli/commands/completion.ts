import { commandOn } from '../command.ts';
import { shells } from '../completion/scripts.ts';

export const completion = commandOn(
  {
    usage: 'completion <shell>',
    summary: 'Print the completion script for bash, zsh or fish',
    argument: ['shell', { choices: shells, demandOption: true, describe: 'Your shell' }],
    options: {},
    examples: [
      ['$0 completion bash >> ~/.bashrc', ''],
      ['$0 completion zsh > ~/.zfunc/_longshore', ''],
      ['$0 completion fish > ~/.config/fish/completions/longshore.fish', ''],
    ],
  },
  async ({ shell }, screen) => {
    const { scripts } = await import('../completion/scripts.ts');
    screen.result(() => scripts[shell], { shell, script: scripts[shell] });
    return 0;
  },
);
