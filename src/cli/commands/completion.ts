import { defineCommandWithArgument } from '../command.ts';
import { completionShells } from '../completion/scripts.ts';

export const completionCommand = defineCommandWithArgument(
  {
    usage: 'completion <shell>',
    summary: 'Print the completion script for bash, zsh or fish',
    argument: ['shell', { choices: completionShells, demandOption: true, describe: 'Your shell' }],
    options: {},
    examples: [
      ['$0 completion bash >> ~/.bashrc', ''],
      ['$0 completion zsh > ~/.zfunc/_longshore', ''],
      ['$0 completion fish > ~/.config/fish/completions/longshore.fish', ''],
    ],
  },
  async ({ shell }, screen) => {
    const { completionScripts: scripts } = await import('../completion/scripts.ts');
    screen.result(() => scripts[shell], { shell, script: scripts[shell] });
    return 0;
  },
);
