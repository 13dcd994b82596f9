import { defineCommand } from '../command.ts';
import { assertNumberBetween, assertWholeNumber } from '../number-flags.ts';
import { sandboxCommandOptions, sandboxOptionGroups } from '../sandbox-options.ts';

export const sandboxCommand = defineCommand(
  {
    usage: 'sandbox',
    summary: 'Run a local workspace with the whole API, for rehearsals',
    options: sandboxCommandOptions,
    groups: sandboxOptionGroups,
    examples: [
      ['$0 sandbox --seed people.csv --processing 3', 'new contacts show up after 3 s'],
      ['$0 sandbox --host 0.0.0.0 --allow-host crm', 'for other containers, as http://crm:4600/v1'],
      ['$0 sandbox --faults 0.02 --log', 'some requests fail; every request is printed'],
    ],
  },
  async (flags, screen) => {
    assertWholeNumber('port', flags.port, 0, 65_535);
    assertWholeNumber('rate', flags.rate, 0);
    assertNumberBetween('processing', flags.processing, 0);
    assertNumberBetween('latency', flags.latency, 0);
    assertNumberBetween('faults', flags.faults, 0, 0.1);
    assertWholeNumber('fault-seed', flags.faultSeed, 0);
    return await (await import('../serve-sandbox.ts')).serveSandbox(flags, screen);
  },
);
