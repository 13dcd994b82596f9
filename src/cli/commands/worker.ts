import { defineCommandWithArgument } from '../command.ts';
import { assertWholeNumber } from '../number-flags.ts';

/** The options that a worker and `fleet up` share. */
export const workerCommandOptions = {
  concurrency: {
    type: 'number',
    requiresArg: true,
    describe: 'Jobs at once (default: limits.perMachine of the fleet file)',
  },
  port: {
    type: 'number',
    requiresArg: true,
    describe: 'Port for /healthz, /readyz and /metrics; 0 for any free one (default: none)',
  },
  host: {
    type: 'string',
    default: '127.0.0.1',
    requiresArg: true,
    describe: 'Address to listen on for these',
  },
} as const;

/** Throws a FatalError (usage) where a flag of a worker is out of range. */
export function assertWorkerFlags(flags: {
  readonly concurrency: number | undefined;
  readonly port: number | undefined;
}): void {
  assertWholeNumber('concurrency', flags.concurrency, 1, 256);
  assertWholeNumber('port', flags.port, 0, 65_535);
}

export const workerCommand = defineCommandWithArgument(
  {
    usage: 'worker [file]',
    summary: 'Work for a fleet: take jobs of many workspaces, until stopped',
    argument: ['file', { type: 'string', describe: 'The fleet file (default: fleet.yaml)' }],
    options: workerCommandOptions,
    examples: [['$0 worker fleet.yaml --port 9464', 'with probes and metrics; Ctrl-C gives its jobs back']],
  },
  async (flags, screen) => {
    assertWorkerFlags(flags);
    return await (await import('../serve-worker.ts')).runFleetWorker(flags, screen);
  },
);
