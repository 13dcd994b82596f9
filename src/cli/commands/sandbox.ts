import { command } from '../command.ts';
import { assertBetween, assertWhole } from '../number-flags.ts';
import { sandboxGroups, sandboxOptions } from '../sandbox-options.ts';

export const sandbox = command(
  {
    usage: 'sandbox',
    summary: 'Run a local workspace with the whole API, for rehearsals',
    options: sandboxOptions,
    groups: sandboxGroups,
    examples: [
      ['$0 sandbox --seed people.csv --processing 3', 'new contacts show up after 3 s'],
      ['$0 sandbox --host 0.0.0.0 --allow-host crm', 'for other containers, as http://crm:4600/v1'],
      ['$0 sandbox --faults 0.02 --log', 'some requests fail; every request is printed'],
    ],
  },
  async (flags, screen) => {
    assertWhole('port', flags.port, 0, 65_535);
    assertWhole('rate', flags.rate, 0);
    assertBetween('processing', flags.processing, 0);
    assertBetween('latency', flags.latency, 0);
    assertBetween('faults', flags.faults, 0, 0.1);
    assertWhole('fault-seed', flags.faultSeed, 0);
    return await (await import('../serve-sandbox.ts')).serveSandbox(flags, screen);
  },
);
