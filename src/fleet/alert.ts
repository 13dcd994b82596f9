import { hostname } from 'node:os';
import type { Invocation } from '../app/run/command-line.ts';
import type { EarlierFailures } from '../app/run/target.ts';
import { readEnvVariable } from '../app/run/variables.ts';
import { type Alert, sendAlert } from '../notify/index.ts';
import type { NotifySettings } from '../pipeline/index.ts';
import { systemClock, systemRandomness } from '../workspace/index.ts';

/** The fields of an alert about a failure without a run, such as a job that no machine can run. */
type FleetFailure = Pick<
  Alert,
  'pipeline' | 'kind' | 'outcome' | 'exitCode' | 'startedAt' | 'finishedAt' | 'message' | 'next'
>;

/** An alert about a failure without a run, or about several jobs. */
interface FleetAlert {
  readonly event?: 'failure' | 'recovery';
  readonly settings: NotifySettings | undefined;
  readonly failure: FleetFailure;
  /** The failures before this one. */
  readonly earlier: EarlierFailures;
  readonly invocation: Invocation;
  readonly log: (text: string) => void;
}

/**
 * Sends an alert to the URL of its settings, if they subscribe to its event; logs the result, and does
 * not throw for a failed delivery. Returns whether it was delivered; undefined if none was sent.
 */
export async function sendFleetAlert({
  event = 'failure',
  settings,
  failure,
  earlier: { failures, failingSince },
  invocation,
  log,
}: FleetAlert): Promise<boolean | undefined> {
  if (!settings?.on.includes(event)) return undefined;
  const alert: Alert = {
    event,
    ...failure,
    ...{ run: null, seconds: 0, failures: failures + 1, rehearsal: false },
    failingSince: failingSince === null ? failure.startedAt : new Date(failingSince).toISOString(),
    host: hostname(),
  };
  const { host } = new URL(settings.url);
  const delivery = await deliver(settings, alert, invocation);
  log(
    delivery.delivered
      ? `Alert sent to ${host} (${event}).`
      : `the alert (${event}) did not reach ${host}: ${delivery.reason}`,
  );
  return delivery.delivered;
}

/** Sends an alert; one whose secret this worker may not read is not delivered. */
async function deliver(
  { url, secretEnv }: NotifySettings,
  alert: Alert,
  invocation: Invocation,
): ReturnType<typeof sendAlert> {
  const { signal } = new AbortController();
  const ports = { clock: systemClock, randomness: systemRandomness, signal };
  try {
    const secret = readEnvVariable(secretEnv, invocation) || undefined;
    return await sendAlert({ url, secret, alert, ...ports });
  } catch (error) {
    return { delivered: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
