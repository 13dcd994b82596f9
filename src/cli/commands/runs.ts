import type { Options } from 'yargs';
import type { Command } from '../command.ts';
import { wholeNumber } from '../number-flags.ts';

const usage = 'runs';
const summary = 'List the runs of this work dir, newest first';

const options = {
  last: { type: 'number', default: 20, requiresArg: true, describe: 'How many runs to list' },
} as const satisfies Record<string, Options>;

export const runs: Command = {
  usage,
  summary,
  options,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) => command.options(options).group(Object.keys(options), 'Options:'),
      (flags) =>
        start(flags, async (screen) => {
          const last = wholeNumber('last', flags.last, 1);
          const { showRuns } = await import('../show-runs.ts');
          return showRuns({ workDir: flags.workDir, last }, screen);
        }),
    );
  },
};
