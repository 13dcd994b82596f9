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
import type { Target } from './target.ts';

/** The pipeline's settings of concurrency, rate and waiting. */
export interface Limits {
  readonly concurrency: ConcurrencySetting;
  readonly perPath: number;
  readonly attempts: number;
  readonly connect: number;
  readonly answer: number;
  readonly outage: number;
}

/** A user waits at the screen, and will retry sooner than a nightly run does. */
const patienceMs = 60_000;

/**
 * Opens the client of an interactive command: where the workspace does not answer, the command says so at once and
 * ends.
 */
export function openImpatiently(
  target: Target,
  limits: Limits,
  signal: AbortSignal,
  onEvent: (event: WorkspaceEvent) => void,
): Workspace {
  const outage = Math.min(limits.outage, patienceMs);
  return openClient(target, { ...limits, outage }, signal, onEvent, { unanswered: 'give up' });
}

interface ClientChoices {
  readonly unanswered?: 'give up' | 'keep trying';
  readonly leave?: SendPermit | undefined;
}

/** Opens the client of a target with the pipeline's limits, the real clock and the real network. */
export function openClient(
  target: Target,
  limits: Limits,
  signal: AbortSignal,
  onEvent: (event: WorkspaceEvent) => void,
  { unanswered, leave }: ClientChoices = {},
): Workspace {
  return openWorkspace({
    baseUrl: target.baseUrl,
    socketPath: target.socketPath,
    token: target.token,
    limits: workspaceLimits(limits),
    ...(unanswered && { unanswered }),
    leave,
    clock: systemClock,
    randomness: systemRandomness,
    signal,
    onEvent,
  });
}

/** Returns the limits of a pipeline in the form that a client takes. */
export function workspaceLimits({
  concurrency,
  perPath,
  attempts,
  connect,
  answer,
  outage,
}: Limits): WorkspaceLimits {
  return {
    ...{ concurrency, attempts },
    perPath: { count: perPath, ms: 1_000 },
    ...{ connectMs: connect, answerMs: answer, outageMs: outage },
  };
}
