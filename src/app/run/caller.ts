import type { RunRecord } from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import { systemClock, type WorkspaceEvent } from '../../workspace/index.ts';
import type { RunEvent } from './events.ts';
import { formatEventSentence } from './report/wait-words.ts';

/** The callbacks of the front end that starts the work: a command with its screen and signals, or a program. */
export interface CommandCallbacks {
  /** Reports a note about the work. */
  note(text: string): void;
  /** Reports a warning, which is shown even under --quiet and does not stop the work. */
  warn(text: string): void;
  /** Returns a controller that the front end aborts to stop the work, until `release` is called. */
  stoppable(): { readonly stop: AbortController; release(): void };
}

/** The callbacks of the front end that starts a run. */
export interface RunCallbacks<Event, Report> extends CommandCallbacks {
  listen(event: Event | ClientEvent): void;
  /** Called when the run sends no more requests; its files are written next. */
  ended?(): void;
  /** Called with the error that stopped a run after it began. */
  stopped?(error: FatalError, run: Pick<RunRecord, 'id' | 'state'>): void;
  /** Called when the files of the run have been written; alerts are sent next. */
  reported?(report: Report, error: FatalError | undefined): void;
  /**
   * Called with the error that ended the work before a run began, if alerts are configured: the error is then
   * part of the result, and not thrown.
   */
  failed?(error: unknown): void;
  /**
   * Throws the error that ended the work before a run began, with the command to type next if only the front
   * end knows it.
   */
  rethrow(error: unknown): never;
}

/** An event of a client about its workspace, as a run reports it. */
export type ClientEvent = Extract<RunEvent, { kind: 'waiting' | 'paused' | 'resumed' | 'note' }>;

/** Returns a client's event about its workspace as an event of a run. */
export function toClientEvent(event: WorkspaceEvent): ClientEvent {
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

/** Returns a listener that reports the events of a client as notes, for commands without a progress display. */
export function createNoteListener(note: (text: string) => void): (event: WorkspaceEvent) => void {
  return (event) => {
    const said = toClientEvent(event);
    note(formatEventSentence(said, systemClock.now()));
  };
}
