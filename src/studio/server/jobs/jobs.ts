import { fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import { formatHint, type Invocation } from '../../../app/run/command-line.ts';
import type { Hint } from '../../../model/command.ts';
import type { PreviewJob, PreviewJobEvent } from '../../wire/jobs.ts';

/** The heap limit of a job (MiB); a fixed one is enough, because its memory does not grow with the input. */
const mostMemory = 256;

/** The number of characters that are kept from the end of standard error, for the warning after a crash. */
const mostStderr = 10_000;

/** Runs jobs on inputs, each in a process of its own, so that no input blocks the server or uses up its memory. */
export class PreviewJobRunner {
  readonly #entry: string;
  readonly #invocation: Invocation;
  readonly #warn: (text: string) => void;

  /** `main` is the path of the compiled CLI script; the script that runs a job is in the same folder. */
  constructor(main: string, invocation: Invocation, warn: (text: string) => void) {
    this.#invocation = invocation;
    this.#entry = join(dirname(main), 'input-process.js');
    this.#warn = warn;
  }

  /**
   * Yields the events of a job until it ends, or `gone` is aborted, which kills its process. Of events that
   * arrive faster than they are consumed, only the newest is yielded, because each has the whole state. A
   * crash is yielded as a `refused` event.
   */
  async *run(job: PreviewJob, gone: AbortSignal): AsyncGenerator<PreviewJobEvent> {
    if (gone.aborted) return;
    const child = fork(this.#entry, [], {
      execArgv: [`--max-old-space-size=${mostMemory}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-mostStderr);
    });
    const ended = new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, by) => resolve({ code, by }));
    });
    const end = (): void => void child.kill('SIGKILL');
    gone.addEventListener('abort', end, { once: true });
    try {
      yield* yieldLatestEvents<PreviewJobEvent>((send) => {
        child.on('message', (text) => send(this.#typed(JSON.parse(String(text)))));
        child.send(JSON.stringify(job), () => {
          // The exit of the process reports the error.
        });
        return ended.then(() => {});
      });
      const { code, by } = await ended;
      if (code === 0 || gone.aborted) return;
      if (by === 'SIGABRT' || code === 134)
        yield refused(
          'This input needs more memory than a preview may have.',
          'The commands read it all the same: draft it or check it in a terminal.',
        );
      else {
        this.#warn(stderr === '' ? `The process of a preview ended by ${by ?? code}.` : stderr);
        yield refused('The preview ended unexpectedly.', 'The terminal in which the studio runs says more.');
      }
    } finally {
      gone.removeEventListener('abort', end);
      end();
    }
  }

  /** Returns an event with the commands of its next step as they are typed in the project folder. */
  #typed(event: PreviewJobEvent<Hint>): PreviewJobEvent {
    if (event.kind !== 'refused') return event;
    return { ...event, next: event.next && formatHint(event.next, this.#invocation) };
  }
}

function refused(message: string, next: string): PreviewJobEvent {
  return { kind: 'refused', message, place: null, next };
}

/** The newest event that is not consumed yet, and the end of the sender; both null until they come. */
interface Pending<T> {
  newest: { readonly event: T } | null;
  end: { readonly error?: unknown } | null;
  wake(): void;
}

/**
 * Yields the events that `begin` sends until its promise resolves; an event that is not consumed before the next one is
 * skipped. Throws if the promise rejects.
 */
export async function* yieldLatestEvents<T>(
  begin: (send: (event: T) => void) => Promise<void>,
): AsyncGenerator<T> {
  const pending: Pending<T> = { newest: null, end: null, wake: () => {} };
  const end = (how: NonNullable<Pending<T>['end']>): void => {
    pending.end = how;
    pending.wake();
  };
  begin((event) => {
    pending.newest = { event };
    pending.wake();
  }).then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  for (;;) {
    const { newest, end: ended } = pending;
    pending.newest = null;
    if (newest !== null) yield newest.event;
    else if (ended === null)
      await new Promise<void>((resolve) => {
        pending.wake = resolve;
      });
    else if ('error' in ended) throw ended.error;
    else return;
  }
}
