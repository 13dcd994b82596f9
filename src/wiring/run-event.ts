import type { RunEvent } from '../runs/events.ts';
import type { WorkspaceEvent } from '../workspace/index.ts';

/** What a client says of its workspace as an event of a run. */
export function runEvent(event: WorkspaceEvent): Extract<RunEvent, { kind: 'paused' | 'resumed' }> {
  return event.kind === 'paused'
    ? { kind: 'paused', reason: event.message }
    : { kind: 'resumed', afterSeconds: Math.round(event.silentMs / 1_000) };
}
