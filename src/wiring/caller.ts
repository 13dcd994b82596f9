import type { RunRecord } from '../journal/index.ts';
import type { FatalError } from '../model/fatal-error.ts';
import type { RowCounts } from '../model/outcome.ts';
import { sentenceOf } from '../report/wait-words.ts';
import type { RunEvent } from '../runs/events.ts';
import { systemClock, type WorkspaceEvent } from '../workspace/index.ts';

/** Whoever asked for a run: a command with its screen and its signals, or a program with its callbacks. */
export interface Caller {
  /** Something to know meanwhile. */
  note(text: string): void;
  /** Something to know whatever was asked to be shown, and that changes nothing. */
  warn(text: string): void;
  /** What ended the work before a run began, where alerts are sent before the error is thrown. */
  failed(error: unknown): void;
  /** Does work that the caller may stop meanwhile. */
  stoppable<T>(work: (stop: AbortController) => Promise<T>): Promise<T>;
}

/** What a caller hears of one run. */
export interface RunView<Event> {
  listen(event: Event): void;
  /** Nothing is sent any more; the files of the run come next. */
  ended(run: Pick<RunRecord, 'id' | 'state'>, error: FatalError | undefined): void;
}

/** A run that a command carried to its end, as its summary has it. */
interface EndedRun {
  readonly run: string;
  readonly outcome: 'finished' | 'stopped' | 'interrupted' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly seconds: number;
  /** Of an import. */
  readonly rows?: RowCounts;
  /** Of an export; null where it did not come to its end. */
  readonly counts?: Readonly<Record<string, number>> | null;
  /** Of an export: contacts whose messages could not be read. */
  readonly unreadable?: number;
}

/** What a command over a pipeline came to, once its run had begun. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly run: EndedRun;
  /** What stopped the run. */
  readonly error: FatalError | undefined;
  /** The command to type next. */
  readonly next: string | undefined;
}

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
    note(sentenceOf(said, systemClock.now()));
  };
}
