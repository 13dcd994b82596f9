import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PreviewJobEvent } from '../../wire/jobs.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { RouteAnswer, RouteRequest, StreamRouteName } from '../../wire/routes.ts';
import { translateProblem } from '../call.ts';
import { listenToStream } from '../events.ts';

type FoundName = {
  [N in StreamRouteName]: RouteAnswer<N> extends PreviewJobEvent ? N : never;
}[StreamRouteName];

/** The latest value of a stream about the input, with the problem of the current request. */
export interface StreamedAnswer<T> {
  /** The latest value; until the current request has sent one, that of an earlier request. */
  readonly value: Signal<T | undefined>;
  readonly problem: Signal<RequestProblem | undefined>;
  readonly isOld: Signal<boolean>;
}

/**
 * Requests a stream about the input; the earlier value is shown until a new one arrives. Null requests nothing.
 * `dependsOn` is a value outside of the request whose change also repeats it.
 */
export function useStreamedAnswer<K extends PreviewJobEvent['kind'], N extends FoundName>(
  name: N,
  kind: K,
  request: RouteRequest<N> | null,
  dependsOn = 0,
): StreamedAnswer<Extract<PreviewJobEvent, { kind: K }>> {
  const value = useSignal<Extract<PreviewJobEvent, { kind: K }> | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const isOld = useSignal(true);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    isOld.value = true;
    if (request === null) return;
    return listenToStream(name, request, {
      event(event: PreviewJobEvent) {
        isOld.value = false;
        if (isOf(event, kind)) {
          value.value = event;
          problem.value = undefined;
        } else if (event.kind === 'refused')
          problem.value = translateProblem({
            message: event.message,
            ...(event.next !== null && { next: event.next }),
          });
      },
      problem: (why) => (problem.value = why),
    });
  }, [name, key, dependsOn]);
  return { value, problem, isOld };
}

function isOf<K extends PreviewJobEvent['kind']>(
  event: PreviewJobEvent,
  kind: K,
): event is Extract<PreviewJobEvent, { kind: K }> {
  return event.kind === kind;
}
