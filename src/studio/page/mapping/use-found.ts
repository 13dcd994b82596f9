import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InputEvent } from '../../wire/jobs.ts';
import type { Problem } from '../../wire/problem.ts';
import type { AnswerOf, RequestOf, StreamName } from '../../wire/routes.ts';
import { listen } from '../events.ts';

type FoundName = { [N in StreamName]: AnswerOf<N> extends InputEvent ? N : never }[StreamName];

/** What was found out of the input so far. */
export interface StreamedAnswer<T> {
  /** Of an earlier request where nothing of this one is known yet. */
  readonly value: Signal<T | undefined>;
  readonly problem: Signal<Problem | undefined>;
  readonly isOld: Signal<boolean>;
}

/** Asks what is in the input; what was found before is shown until there is something new. With null nothing is asked. */
export function useFound<K extends InputEvent['kind'], N extends FoundName>(
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
    return listen(name, request, {
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
