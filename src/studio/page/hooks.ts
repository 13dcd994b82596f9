import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Problem } from '../wire/problem.ts';
import type { AnswerOf, CallName, RequestOf, StreamName } from '../wire/routes.ts';
import { call, toProblem } from './call.ts';
import { listenToStream } from './events.ts';

/** The answer of a route, or the problem; both are undefined while the request is pending. */
export interface AnswerState<T> {
  readonly value: Signal<T | undefined>;
  readonly problem: Signal<Problem | undefined>;
  reload(): void;
}

/** Calls a route when the component is first shown and whenever the request changes; null calls nothing. */
export function useAnswer<N extends CallName>(
  name: N,
  request: RequestOf<N> | null,
): AnswerState<AnswerOf<N>> {
  const value = useSignal<AnswerOf<N> | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const round = useSignal(0);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    value.value = undefined;
    problem.value = undefined;
    if (request === null) return;
    const gone = new AbortController();
    call(name, request, gone.signal).then(
      (answer) => {
        value.value = answer;
      },
      (error: unknown) => {
        if (!gone.signal.aborted) problem.value = toProblem(error);
      },
    );
    return () => gone.abort();
  }, [name, key, round.value]);
  return { value, problem, reload: () => void round.value++ };
}

/** Returns the newest event of a stream, which is open while the component is shown; null opens none. */
export function useEvents<N extends StreamName>(
  name: N,
  request: RequestOf<N> | null,
): Omit<AnswerState<AnswerOf<N>>, 'reload'> {
  const value = useSignal<AnswerOf<N> | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    value.value = undefined;
    problem.value = undefined;
    if (request === null) return;
    return listenToStream(name, request, {
      event(event) {
        value.value = event;
        problem.value = undefined;
      },
      problem(why) {
        problem.value = why;
      },
    });
  }, [name, key]);
  return { value, problem };
}
