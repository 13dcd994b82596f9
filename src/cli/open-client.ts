import type { LoadedPipeline } from '../runs/pipeline/index.ts';
import {
  openWorkspace,
  systemClock,
  systemRandomness,
  type Workspace,
  type WorkspaceEvent,
} from '../workspace/index.ts';
import type { Target } from './target.ts';

/** Opens the client of a target with the pipeline's limits, the real clock and the real network. */
export function openClient(
  target: Target,
  pipeline: LoadedPipeline,
  signal: AbortSignal,
  onEvent: (event: WorkspaceEvent) => void,
): Workspace {
  const { concurrency, perPath, attempts, outage } = pipeline.import.limits;
  return openWorkspace({
    baseUrl: target.baseUrl,
    token: target.token,
    limits: { concurrency, perPath: { count: perPath, ms: 1_000 }, attempts, outageMs: outage },
    clock: systemClock,
    randomness: systemRandomness,
    signal,
    onEvent,
  });
}
