import { computed, effect, signal } from '@preact/signals';
import { project } from './project.ts';

/** The requests without an answer that are being sent again. */
const unanswered = signal<ReadonlySet<symbol>>(new Set());

/** True while the studio does not answer. */
export const isStudioUnreachable = computed(() => unanswered.value.size > 0);

/** The number of requests that were answered after an attempt without an answer. */
const answeredLate = signal(0);

/** The first and the longest pause before a request is sent again (ms); the pause doubles with each attempt. */
const [firstPause, longestPause] = [1_000, 30_000];

/** A request that changes nothing and is sent again until it is answered in a valid session. */
export class RepeatedRequest {
  readonly #id = Symbol('request');
  #pause = firstPause;
  #isSessionOver = false;

  note(status: number | undefined): void {
    this.#isSessionOver = status === 401;
    if (status !== undefined && unanswered.value.has(this.#id)) answeredLate.value += 1;
    this.#mark(status === undefined);
  }

  startOver(): void {
    this.#pause = firstPause;
  }

  /** Waits for a pause, a new session or the late answer of another request, before the next attempt. */
  async pause(signal?: AbortSignal): Promise<void> {
    const ms = this.#isSessionOver ? undefined : this.#pause;
    this.#pause = Math.min(2 * this.#pause, longestPause);
    await pauseUntilConnected(ms, signal);
  }

  end(): void {
    this.#mark(false);
  }

  #mark(isUnanswered: boolean): void {
    const marked = new Set(unanswered.value);
    if (isUnanswered) marked.add(this.#id);
    else marked.delete(this.#id);
    if (marked.size !== unanswered.value.size) unanswered.value = marked;
  }
}

async function pauseUntilConnected(ms: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return;
  const [before, known] = [answeredLate.value, project.value];
  const over = new AbortController();
  await new Promise<void>((resolve) => {
    if (ms !== undefined) {
      const timer = setTimeout(resolve, ms);
      over.signal.addEventListener('abort', () => clearTimeout(timer));
    }
    signal?.addEventListener('abort', () => resolve(), { signal: over.signal });
    // A new session reads the project again, so a change of `project` ends the wait, too.
    const stop = effect(() => {
      if (answeredLate.value !== before || project.value !== known) resolve();
    });
    over.signal.addEventListener('abort', stop);
  });
  over.abort();
}
