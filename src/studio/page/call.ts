import type { RequestProblem } from '../wire/problem.ts';
import { sessionHeaderName } from '../wire/project.ts';
import type { AnyRoute } from '../wire/route.ts';
import {
  type JsonRouteName,
  type RouteAnswer,
  type RouteRequest,
  routes,
  type UploadRouteName,
} from '../wire/routes.ts';
import { RepeatedRequest } from './connection.ts';
import { t, translateEngineText } from './language.ts';
import { endSession, sessionToken } from './session.ts';

/** An error of a failed request, with the problem to show. */
export class RequestError extends Error {
  readonly problem: RequestProblem;
  readonly status: number | undefined;

  constructor(problem: RequestProblem, status?: number) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

/** Calls a route and returns its answer; throws a RequestError, or the error of an aborted request. */
export async function callRoute<N extends JsonRouteName>(
  name: N,
  request: RouteRequest<N>,
  signal?: AbortSignal,
): Promise<RouteAnswer<N>> {
  const response = await sendRequest(routes[name], request, signal);
  return await response.json().catch(toLostAnswer(routes[name], signal));
}

/** Calls a route until the studio answers in a valid session; one that changes something only once. */
export async function callUntilAnswered<N extends JsonRouteName>(
  name: N,
  request: RouteRequest<N>,
  signal?: AbortSignal,
): Promise<RouteAnswer<N>> {
  const repeated = new RepeatedRequest();
  try {
    for (;;) {
      try {
        return await callRoute(name, request, signal);
      } catch (error) {
        if (routes[name].changes || !isUnanswered(error)) throw error;
        repeated.note(error.status);
      }
      await repeated.pause(signal);
    }
  } finally {
    repeated.end();
  }
}

/** Returns true for a request without a response, or without a valid session. */
export function isUnanswered(error: unknown): error is RequestError {
  return error instanceof RequestError && (error.status === undefined || error.status === 401);
}

/** Sends a request and returns a response with a status of 2xx; throws a RequestError otherwise. */
export async function sendRequest(
  route: AnyRoute,
  request: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { url, rest } = buildRequestUrl(route, request);
  const token = sessionToken.value;
  const body = route.method === 'GET' ? undefined : JSON.stringify(Object.fromEntries(rest));
  const response = await fetch(url, {
    method: route.method,
    headers: {
      ...(token !== null && { [sessionHeaderName]: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  }).catch(toLostAnswer(route, signal));
  if (response.ok) return response;
  throw toRequestError(response.status, await response.text(), token);
}

/** Returns a function that throws the error of a request without a complete response. */
function toLostAnswer(route: AnyRoute, signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    if (signal?.aborted) throw error;
    throw new RequestError(getLostAnswerProblem(route));
  };
}

export function getLostAnswerProblem({ changes }: Pick<AnyRoute, 'changes'>): RequestProblem {
  if (changes)
    return {
      message: t('The studio did not answer: it is not known whether this was done.'),
      next: t('It is not sent again by itself. See in History if it was done when the studio answers again.'),
    };
  return {
    message: t('The studio does not answer.'),
    next: t('Anything it started keeps running. If it was stopped, type longshore studio in a terminal.'),
  };
}

/** Returns the URL of a request, and as `rest` the fields that are not in its path. */
export function buildRequestUrl(route: AnyRoute, request: object) {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  const inPath = new Set<string>();
  const url = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(fields.find(([each]) => each === name)?.[1]));
  });
  const rest = fields.filter(([name]) => !inPath.has(name));
  const hasQuery = (route.method === 'GET' || route.kind === 'bytes') && rest.length > 0;
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)]));
  return { url: hasQuery ? `${url}?${query}` : url, rest };
}

/** Converts an unsuccessful response into an error; a 401 ends the session of the token that the request had. */
export function toRequestError(status: number, text: string, token: string | null): RequestError {
  if (status === 401) endSession(token);
  try {
    return new RequestError(translateProblem(JSON.parse(text)), status);
  } catch {
    return new RequestError(
      { message: t('The studio answered with {status}.', { status }), next: t('Reload the page.') },
      status,
    );
  }
}

/** Returns a problem of the studio in the page's language, as far as its texts are known. */
export function translateProblem(problem: RequestProblem): RequestProblem {
  const { message, next } = problem;
  return {
    ...problem,
    message: translateEngineText(message),
    ...(next !== undefined && { next: translateEngineText(next) }),
  };
}

/** Converts a thrown value into the problem to show. */
export function toRequestProblem(error: unknown): RequestProblem {
  if (error instanceof RequestError) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), next: t('Reload the page.') };
}

interface Sending {
  readonly signal: AbortSignal;
  progress(bytes: number): void;
}

/** Uploads a file and returns the answer; throws a RequestError, or the reason of an abort. */
export async function uploadFile<N extends UploadRouteName>(
  name: N,
  request: RouteRequest<N>,
  bytes: Blob,
  { signal, progress }: Sending,
): Promise<RouteAnswer<N>> {
  const route = routes[name];
  return await new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open(route.method, buildRequestUrl(route, request).url);
    const token = sessionToken.value;
    if (token !== null) sent.setRequestHeader(sessionHeaderName, token);
    sent.setRequestHeader('content-type', 'application/octet-stream');
    sent.upload.addEventListener('progress', ({ loaded }) => progress(loaded));
    sent.addEventListener('load', () => {
      if (sent.status >= 200 && sent.status < 300) resolve(JSON.parse(sent.responseText));
      else reject(toRequestError(sent.status, sent.responseText, token));
    });
    sent.addEventListener('error', () => reject(new RequestError(getLostAnswerProblem(route))));
    sent.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => sent.abort(), { once: true });
    sent.send(bytes);
  });
}
