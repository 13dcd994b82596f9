import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InputEvent } from '../../wire/jobs.ts';
import type { Problem } from '../../wire/problem.ts';
import type { AnswerOf, RequestOf, StreamName } from '../../wire/routes.ts';
import { listenToStream } from '../events.ts';

type FoundName = { [N in StreamName]: AnswerOf<N> extends InputEvent ? N : never }[StreamName];

/** The latest value of a stream about the input, with the problem of the current request. */
export interface StreamedAnswer<T> {
  /** The latest value; that of an earlier request until the current one has sent one. */
  readonly value: Signal<T | undefined>;
  readonly problem: Signal<Problem | undefined>;
  readonly isOld: Signal<boolean>;
}

/** Requests a stream about the input; the earlier value is shown until a new one arrives. Null requests nothing. */
export function useStreamedAnswer<K extends InputEvent['kind'], N extends FoundName>(
  name: N,
  kind: K,
  request: RequestOf<N> | null,
): StreamedAnswer<Extract<InputEvent, { kind: K }>> {
  const value = useSignal<Extract<InputEvent, { kind: K }> | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isOld = useSignal(true);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    isOld.value = true;
    if (request === null) return;
    return listenToStream(name, request, {
      event(event: InputEvent) {
        isOld.value = false;
        if (isOf(event, kind)) {
          value.value = event;
          problem.value = undefined;
        } else if (event.kind === 'refused')
          problem.value = { message: event.message, ...(event.next !== null && { next: event.next }) };
      },
      problem(why) {
        problem.value = why;
      },
    });
  }, [name, key]);
  return { value, problem, isOld };
}

function isOf<K extends InputEvent['kind']>(
  event: InputEvent,
  kind: K,
): event is Extract<InputEvent, { kind: K }> {
  return event.kind === kind;
}
