import { command } from '../command.ts';
import { numberBetween, wholeNumber } from '../number-flags.ts';
import { sandboxGroups, sandboxOptions } from '../sandbox-options.ts';

export const sandbox = command(
  {
    usage: 'sandbox',
    summary: 'Run a local workspace with the whole API, for rehearsals',
    options: sandboxOptions,
    groups: sandboxGroups,
    examples: [
      ['$0 sandbox --seed people.csv --processing 3', 'new contacts show up after 3 s'],
      ['$0 sandbox --faults 0.02 --log', 'some requests fail; every request is printed'],
    ],
  },
  async (flags, screen) => {
    wholeNumber('port', flags.port, 0, 65_535);
    wholeNumber('rate', flags.rate, 0);
    numberBetween('processing', flags.processing, 0, Number.POSITIVE_INFINITY);
    numberBetween('latency', flags.latency, 0, Number.POSITIVE_INFINITY);
    numberBetween('faults', flags.faults, 0, 0.1);
    wholeNumber('fault-seed', flags.faultSeed, 0);
    return await (await import('../serve-sandbox.ts')).serveSandbox(flags, screen);
  },
);
