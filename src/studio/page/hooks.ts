import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PreviewJobEvent } from '../wire/jobs.ts';
import type { RequestProblem } from '../wire/problem.ts';
import type { JsonRouteName, RouteAnswer, RouteRequest, StreamRouteName } from '../wire/routes.ts';
import { callUntilAnswered, toRequestProblem, translateProblem } from './call.ts';
import { listenToStream } from './events.ts';
import { t } from './language.ts';
import { project } from './project.ts';

/** The answer of a route, or the problem; both are undefined while a request is pending, and if none is made. */
export interface RouteAnswerState<T> {
  readonly value: Signal<T | undefined>;
  readonly problem: Signal<RequestProblem | undefined>;
  reload(): void;
}

/**
 * Calls a route when the component is first shown, when the request changes, and after `reload()`; a null request calls
 * nothing. `dependsOn` is a value outside of the request whose change also repeats the call.
 */
export function useRouteAnswer<N extends JsonRouteName>(
  name: N,
  request: RouteRequest<N> | null,
  dependsOn?: string | null,
): RouteAnswerState<RouteAnswer<N>> {
  const value = useSignal<RouteAnswer<N> | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const round = useSignal(0);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    value.value = undefined;
    problem.value = undefined;
    if (request === null) return;
    const gone = new AbortController();
    callUntilAnswered(name, request, gone.signal).then(
      (answer) => (value.value = answer),
      (error: unknown) => {
        if (!gone.signal.aborted) problem.value = toRequestProblem(error);
      },
    );
    return () => gone.abort();
  }, [name, key, dependsOn, round.value]);
  return { value, problem, reload: () => void round.value++ };
}

/** Returns a function that runs asynchronous work, whether some is running, and the problem of the latest work. */
export function useAsyncAction(onProblem?: (problem: RequestProblem) => void) {
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const busy = useSignal(false);
  const attempt = (work: () => Promise<unknown>): void => {
    problem.value = undefined;
    busy.value = true;
    work()
      .catch((error: unknown) => {
        problem.value = toRequestProblem(error);
        onProblem?.(problem.value);
      })
      .finally(() => (busy.value = false));
  };
  return { problem, busy, attempt };
}

/** Returns a function that saves a value after the save before it, unless a newer one has come. */
export function useOrderedSaves<T>(send: (value: T) => Promise<unknown>) {
  const isSaved = useSignal(true);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const newest = useRef<T | undefined>(undefined);
  const last = useRef(Promise.resolve());
  const save = (value: T): void => {
    newest.current = value;
    isSaved.value = false;
    last.current = last.current.then(async () => {
      if (newest.current !== value) return;
      let why: RequestProblem | undefined;
      await send(value).catch((error: unknown) => {
        why = toRequestProblem(error);
      });
      problem.value = why;
      isSaved.value = why === undefined && newest.current === value;
    });
  };
  const again = (): void => {
    if (newest.current !== undefined) save(newest.current);
  };
  return { isSaved, problem, save, again };
}

/** Returns the newest event of a stream, which is open while the component is shown; null opens none. */
export function useLatestStreamEvent<N extends StreamRouteName>(
  name: N,
  request: RouteRequest<N> | null,
): Omit<RouteAnswerState<RouteAnswer<N>>, 'reload'> {
  const value = useSignal<RouteAnswer<N> | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
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
      problem: (why) => (problem.value = why),
    });
  }, [name, key]);
  return { value, problem };
}

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

/** Names the window by what it shows, while it is shown. */
export function useWindowTitle(view: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = t('{view} – {project} – Longshore studio', { view, project: project.value.name });
    return () => {
      document.title = before;
    };
  }, [view]);
}

/** Returns a function that runs the work of its latest call, once `ms` have passed without another call. */
export function useDebouncedWork(ms: number): (work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  return (work) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, ms);
  };
}
