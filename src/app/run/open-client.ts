import type { SendPermit } from '../../model/ports.ts';
import {
  type ConcurrencySetting,
  openWorkspace,
  systemClock,
  systemRandomness,
  type Workspace,
  type WorkspaceEvent,
  type WorkspaceLimits,
} from '../../workspace/index.ts';
import type { WorkspaceTarget } from './target.ts';

/** The pipeline's settings for concurrency, rate and waits; `connect`, `answer` and `outage` are in ms. */
export interface ClientLimits {
  readonly concurrency: ConcurrencySetting;
  readonly perPath: number;
  readonly attempts: number;
  readonly connect: number;
  readonly answer: number;
  readonly outage: number;
}

/**
 * The longest outage (ms) that an interactive command waits out: shorter than for a nightly run, because a user at the
 * screen can try again.
 */
const patienceMs = 60_000;

/** Opens the client of an interactive command, which gives up where the workspace does not answer. */
export function openInteractiveClient(
  target: WorkspaceTarget,
  limits: ClientLimits,
  signal: AbortSignal,
  onEvent: (event: WorkspaceEvent) => void,
): Workspace {
  const outage = Math.min(limits.outage, patienceMs);
  return openClient(target, { ...limits, outage }, signal, onEvent, { unanswered: 'give up' });
}

/** The settings of a client that do not come from the pipeline. */
interface ClientChoices {
  readonly unanswered?: 'give up' | 'keep trying';
  readonly leave?: SendPermit | undefined;
}

/** Opens the client of a target with the pipeline's limits, the real clock and the real network. */
export function openClient(
  target: WorkspaceTarget,
  limits: ClientLimits,
  signal: AbortSignal,
  onEvent: (event: WorkspaceEvent) => void,
  { unanswered, leave }: ClientChoices = {},
): Workspace {
  return openWorkspace({
    baseUrl: target.baseUrl,
    socketPath: target.socketPath,
    token: target.token,
    limits: toWorkspaceLimits(limits),
    ...(unanswered && { unanswered }),
    leave,
    clock: systemClock,
    randomness: systemRandomness,
    signal,
    onEvent,
  });
}

/** Returns the limits of a pipeline in the form that a client takes. */
export function toWorkspaceLimits({
  concurrency,
  perPath,
  attempts,
  connect,
  answer,
  outage,
}: ClientLimits): WorkspaceLimits {
  return {
    ...{ concurrency, attempts },
    perPath: { count: perPath, ms: 1_000 },
    ...{ connectMs: connect, answerMs: answer, outageMs: outage },
  };
}
