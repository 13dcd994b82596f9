import type { Command } from '../command.ts';
import { numberBetween, wholeNumber } from '../number-flags.ts';
import { sandboxGroups, sandboxOptions } from '../sandbox-options.ts';

const usage = 'sandbox';
const summary = 'Run a local workspace with the whole API, for rehearsals';

export const sandbox: Command = {
  usage,
  summary,
  options: sandboxOptions,
  register: (cli, start) => {
    cli.command(
      usage,
      summary,
      (command) => {
        for (const [title, names] of Object.entries(sandboxGroups)) command.group([...names], title);
        return command
          .options(sandboxOptions)
          .example('$0 sandbox --seed people.csv --processing 3', 'new contacts show up after 3 s')
          .example('$0 sandbox --faults 0.02 --log', 'some requests fail; every request is printed');
      },
      (flags) =>
        start(flags, async (screen) => {
          wholeNumber('port', flags.port, 0, 65_535);
          wholeNumber('rate', flags.rate, 0);
          numberBetween('processing', flags.processing, 0, Number.POSITIVE_INFINITY);
          numberBetween('latency', flags.latency, 0, Number.POSITIVE_INFINITY);
          numberBetween('faults', flags.faults, 0, 0.1);
          wholeNumber('fault-seed', flags.faultSeed, 0);
          const { serveSandbox } = await import('../serve-sandbox.ts');
          return await serveSandbox(flags, screen);
        }),
    );
  },
};
