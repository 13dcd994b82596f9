import { waitSentence } from '../report/wait-words.ts';
import type { RunEvent } from '../runs/events.ts';
import { systemClock, type WorkspaceEvent } from '../workspace/index.ts';

type ClientEvent = Extract<RunEvent, { kind: 'waiting' | 'paused' | 'resumed' | 'note' }>;

/** What a client says of its workspace as an event of a run. */
export function runEvent(event: WorkspaceEvent): ClientEvent {
  switch (event.kind) {
    case 'waiting':
      return event;
    case 'paused':
      return { kind: 'paused', reason: event.message, until: event.until };
    case 'resumed':
      return { kind: 'resumed', afterSeconds: Math.round(event.silentMs / 1_000) };
    case 'warning':
      return { kind: 'note', text: event.text };
  }
}

/** Says what a client says of its workspace, for commands that show no progress. */
export function noteEvents(note: (text: string) => void): (event: WorkspaceEvent) => void {
  return (event) => {
    const said = runEvent(event);
    note(said.kind === 'note' ? said.text : waitSentence(said, systemClock.now()));
  };
}
