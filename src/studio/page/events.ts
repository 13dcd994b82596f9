import type { RequestProblem } from '../wire/problem.ts';
import { type RouteAnswer, type RouteRequest, routes, type StreamRouteName } from '../wire/routes.ts';
import {
  getLostAnswerProblem,
  isUnanswered,
  RequestError,
  sendRequest,
  toRequestProblem,
  translateProblem,
} from './call.ts';
import { RepeatedRequest } from './connection.ts';
import { t } from './language.ts';

interface Hearer<Event> {
  /** Called at the start of each connection, because each one sends all events from the beginning. */
  begin?(): void;
  event(event: Event): void;
  problem(problem: RequestProblem): void;
  end?(): void;
}

/** Listens to a stream until it ends, is refused, or the returned function is called; a lost stream is opened again. */
export function listenToStream<N extends StreamRouteName>(
  name: N,
  request: RouteRequest<N>,
  hearer: Hearer<RouteAnswer<N>>,
): () => void {
  const stop = new AbortController();
  void follow(name, request, hearer, stop.signal);
  return () => stop.abort();
}

async function follow<N extends StreamRouteName>(
  name: N,
  request: RouteRequest<N>,
  hearer: Hearer<RouteAnswer<N>>,
  signal: AbortSignal,
): Promise<void> {
  const repeated = new RepeatedRequest();
  try {
    while (!signal.aborted) {
      const { isOver, isHeard } = await heard(name, request, hearer, { repeated, signal });
      if (isOver) return;
      if (isHeard) repeated.startOver();
      await repeated.pause(signal);
    }
  } finally {
    repeated.end();
  }
}

/** Listens to one connection; `isOver`: do not reconnect; `isHeard`: an event came or the page was hidden. */
async function heard<N extends StreamRouteName>(
  name: N,
  request: RouteRequest<N>,
  hearer: Hearer<RouteAnswer<N>>,
  { repeated, signal }: { readonly repeated: RepeatedRequest; readonly signal: AbortSignal },
): Promise<{ readonly isOver: boolean; readonly isHeard: boolean }> {
  let isHeard = false;
  const attempt = new AbortController();
  const given = isEndless(name) ? await whileSeen(signal, attempt.signal) : signal;
  try {
    const response = await sendRequest(routes[name], request, given);
    repeated.note(response.status);
    hearer.begin?.();
    for await (const { kind, data } of linesOf(response)) {
      if (kind === 'problem') throw new RequestError(translateProblem(JSON.parse(data)), refusedLate);
      isHeard = true;
      hearer.event(JSON.parse(data));
    }
    hearer.end?.();
    return { isOver: true, isHeard };
  } catch (error) {
    if (given.aborted) return { isOver: signal.aborted, isHeard: true };
    repeated.note(error instanceof RequestError ? error.status : refusedLate);
    if (isUnanswered(error)) return { isOver: false, isHeard };
    // A stream that has sent events is opened again even after a 4xx: a file may be missing while an editor replaces
    // it.
    const isOver = isRefusal(error) && !isHeard;
    const problem = toRequestProblem(error);
    hearer.problem(isOver ? { next: t('Reload the page to try again.'), ...problem } : problem);
    return { isOver, isHeard };
  } finally {
    attempt.abort();
  }
}

/** Returns true for a GET stream, which may stay open for hours; a POST stream ends with its result. */
function isEndless(name: StreamRouteName): boolean {
  return routes[name].method === 'GET';
}

/**
 * Waits until the page is visible. The returned signal is aborted when the page is hidden, because a browser opens few
 * connections to one address and many pages may be open.
 */
async function whileSeen(signal: AbortSignal, attempt: AbortSignal): Promise<AbortSignal> {
  const changed = (work: () => void): void =>
    document.addEventListener('visibilitychange', work, { once: true, signal: attempt });
  while (document.hidden && !signal.aborted)
    await new Promise<void>((resolve) => {
      changed(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const hidden = new AbortController();
  changed(() => hidden.abort());
  return AbortSignal.any([signal, hidden.signal]);
}

/** The status assumed for a problem that arrives as an event, after the response has begun with a 200. */
const refusedLate = 422;

/** Returns true for a status of 4xx: the same request would be refused again. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof RequestError ? error.status : undefined;
  return status !== undefined && status >= 400 && status < 500;
}

async function* linesOf(
  response: Response,
): AsyncGenerator<{ readonly kind: string; readonly data: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = () =>
    reader?.read().catch(() => {
      throw new RequestError(getLostAnswerProblem({ changes: false }));
    });
  let text = '';
  for (let read = await next(); read !== undefined && !read.done; read = await next()) {
    const parts = (text + read.value).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) yield { kind: /^event: (.*)$/m.exec(part)?.[1] ?? 'event', data };
    }
  }
}
