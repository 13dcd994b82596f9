import {
  openWorkspace,
  systemClock,
  systemRandomness,
  type Workspace,
  type WorkspaceEvent,
} from '../workspace/index.ts';
import type { Target } from './target.ts';

/** What a pipeline says of its pace and patience. */
interface Limits {
  readonly concurrency: number;
  readonly perPath: number;
  readonly attempts: number;
  readonly outage: number;
}

/** Opens the client of a target with the pipeline's limits, the real clock and the real network. */
export function openClient(
  target: Target,
  { concurrency, perPath, attempts, outage }: Limits,
  signal: AbortSignal,
  onEvent: (event: WorkspaceEvent) => void,
): Workspace {
  return openWorkspace({
    baseUrl: target.baseUrl,
    socketPath: target.socketPath,
    token: target.token,
    limits: { concurrency, perPath: { count: perPath, ms: 1_000 }, attempts, outageMs: outage },
    clock: systemClock,
    randomness: systemRandomness,
    signal,
    onEvent,
  });
}
