import type { RunRecord } from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import { systemClock, type WorkspaceEvent } from '../../workspace/index.ts';
import type { RunEvent } from './events.ts';
import { sentenceOf } from './report/wait-words.ts';

/** Whoever asked for work: a command with its screen and its signals, or a program with its callbacks. */
export interface Caller {
  /** Something to know meanwhile. */
  note(text: string): void;
  /** Something to know whatever was asked to be shown, and that changes nothing. */
  warn(text: string): void;
  /** Begins work that the caller may stop, until it is released. */
  stoppable(): { readonly stop: AbortController; release(): void };
}

/** Whoever asked for a run, and what they hear of it. */
export interface RunCaller<Event, Report> extends Caller {
  listen(event: Event | ClientEvent): void;
  /** Nothing is sent any more; the files of the run come next. */
  ended?(): void;
  /** What stopped a run that had begun. */
  stopped?(error: FatalError, run: Pick<RunRecord, 'id' | 'state'>): void;
  /** The files of the run are written; alerts come next. */
  reported?(report: Report, error: FatalError | undefined): void;
  /** What ended the work before a run began, where alerts are sent before the error is thrown. */
  failed?(error: unknown): void;
  /** Throws what ended the work before a run began, with the command to type next where only the caller knows it. */
  rethrow(error: unknown): never;
}

/** What a client says of its workspace, as a run tells it. */
export type ClientEvent = Extract<RunEvent, { kind: 'waiting' | 'paused' | 'resumed' | 'note' }>;

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
    note(sentenceOf(said, systemClock.now()));
  };
}
