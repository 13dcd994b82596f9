import { hostname } from 'node:os';
import type { Invocation } from '../app/run/command-line.ts';
import { readEnvVariable } from '../app/run/variables.ts';
import { type Alert, sendAlert } from '../notify/index.ts';
import type { NotifySettings } from '../pipeline/index.ts';
import { systemClock, systemRandomness } from '../workspace/index.ts';

/** The fields of an alert about a failure without a run, such as a job that no machine can run. */
type FleetFailure = Pick<
  Alert,
  'pipeline' | 'kind' | 'outcome' | 'exitCode' | 'startedAt' | 'finishedAt' | 'message' | 'next'
>;

/**
 * Sends an alert about a failure to the URL of `settings`, if they subscribe to failures; logs the result,
 * and does not throw for a failed delivery.
 */
export async function sendFleetAlert(
  settings: NotifySettings | undefined,
  failure: FleetFailure,
  invocation: Invocation,
  log: (text: string) => void,
): Promise<void> {
  if (!settings?.on.includes('failure')) return;
  const alert: Alert = {
    event: 'failure',
    ...failure,
    ...{ run: null, seconds: 0, failures: 1, failingSince: failure.startedAt, rehearsal: false },
    host: hostname(),
  };
  const secret = readEnvVariable(settings.secretEnv, invocation) || undefined;
  const { signal } = new AbortController();
  const ports = { clock: systemClock, randomness: systemRandomness, signal };
  const delivery = await sendAlert({ url: settings.url, secret, alert, ...ports });
  const { host } = new URL(settings.url);
  log(
    delivery.delivered
      ? `Alert sent to ${host} (failure).`
      : `the alert (failure) did not reach ${host}: ${delivery.reason}`,
  );
}
