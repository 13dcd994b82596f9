import type { RunRecord } from '../journal/index.ts';
import type { FatalError } from '../model/fatal-error.ts';

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
