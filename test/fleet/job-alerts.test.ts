import pg from 'pg';
import { expect, it } from 'vitest';
import { faultOf, toAlertPorts } from '../../src/fleet/job/alerts.ts';
import type { JobMessage } from '../../src/fleet/job/messages.ts';
import { createLeaseLostError } from '../../src/fleet/lease/lease-end.ts';
import { describeJobError, MachineFaultError } from '../../src/fleet/machine-fault.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { usualInvocation } from '../invocation.ts';

/** The ports of a job whose database does not answer, and what it says. */
function portsWithoutDatabase() {
  const said: string[] = [];
  const alerts = { url: 'https://hooks.example.test/x', on: ['failure' as const], secretEnv: 'S' };
  const ports = toAlertPorts({
    order: {
      workspace: {
        ...{ name: 'acme', baseUrl: 'https://api.example.test/v1', token: { env: 'TOKEN' } },
        values: {},
      },
      ...{
        pipeline: 'load',
        file: 'load.yaml',
        kind: 'import',
        places: { inputs: undefined, outputs: undefined, results: undefined },
        keepResults: undefined,
      },
      ...{ asked: undefined, onChangedInput: 'delta', inputBy: undefined, calledAt: null, attempt: 1 },
      ...{ isLastTry: false, program: 'longshore', workDir: 'w', token: '1', leaseMs: 1_000, allowEnv: [] },
      ...{ notify: alerts, lease: { monotonic: 0, wall: 0 } },
      earlier: { failures: 0, failingSince: null, reported: null },
    },
    pool: new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }),
    invocation: usualInvocation,
    send: (message: JobMessage) => message.kind === 'note' && said.push(message.text),
  });
  return { ports, said };
}

const failure = { exitCode: 5, reason: 'the token was refused.', isFinal: true };

it.each([
  [true, 'the alert was sent'],
  [false, 'the alert was not sent'],
])(
  'a database that cannot save that an alert was delivered (%s) is in the log of the worker',
  async (delivered, what) => {
    const { ports, said } = portsWithoutDatabase();
    await ports.sent(delivered, failure);
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(`could not save that ${what}, so the next try may send it again: .*ECONN`),
      ),
    ]);
  },
);

it('an alert that a database cannot collect is sent alone', async () => {
  const { ports, said } = portsWithoutDatabase();
  expect(await ports.collect(failure, { message: 'refused.', next: null })).toBe(false);
  expect(said).toEqual([expect.stringMatching(/did not take the alert, which is sent alone: .*ECONN/)]);
});

it.each([
  [
    Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
    'the disk is full (SQLITE_FULL). (/work/fleet/acme)',
  ],
  [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    'the disk is full (ENOSPC). (/work/fleet/acme)',
  ],
  [
    Object.assign(new Error('EROFS'), { code: 'EROFS', path: '/out/acme' }),
    'the disk is read-only (EROFS). (/out/acme)',
  ],
  [
    new FatalError('unexpected', 'the journal could not be written.', {
      place: { file: '/work/journal.sqlite' },
      cause: Object.assign(new Error('full'), { code: 'SQLITE_FULL' }),
    }),
    'the journal could not be written. (/work/journal.sqlite)',
  ],
  [new MachineFaultError('usage', 'No token.'), 'No token.'],
  [new FatalError('guard', 'too few contacts.'), 'too few contacts.'],
])('a job that %o has ended says where on the machine that was', (error, says) => {
  expect(describeJobError(error, '/work/fleet/acme')).toBe(says);
});

it('a lost lease and a fault of the machine are no failures of the job: another machine continues, and no alert is sent', () => {
  const { ports } = portsWithoutDatabase();
  const lost = createLeaseLostError().with({ place: { file: 'load.yaml' } });
  expect(faultOf(lost)).toEqual({ fault: 'database' });
  expect(ports.outlook(6, lost)).toMatchObject({ isReported: true });
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  expect(ports.outlook(1, new FatalError('unexpected', 'the disk is full', { cause: full }))).toMatchObject({
    isReported: true,
  });
  expect(ports.outlook(5, new FatalError('unauthorized', 'refused'))).toMatchObject({ isReported: false });
});
