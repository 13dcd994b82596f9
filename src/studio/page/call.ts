import type { RequestProblem } from '../wire/problem.ts';
import { sessionHeaderName } from '../wire/project.ts';
import type { AnyRoute } from '../wire/route.ts';
import { type JsonRouteName, type RouteAnswer, type RouteRequest, routes } from '../wire/routes.ts';
import { endSession, sessionToken } from './session.ts';

/** An error of a failed request, with the problem to show. */
export class RequestError extends Error {
  readonly problem: RequestProblem;
  /** The HTTP status; undefined if there was no response. */
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
  return await response.json();
}

/**
 * Sends a request and returns a response with a status of 2xx; throws a RequestError otherwise, or the error of an
 * aborted request.
 */
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
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestError(noAnswerProblem);
  });
  if (response.ok) return response;
  throw toRequestError(response.status, await response.text(), token);
}

export const noAnswerProblem: RequestProblem = {
  message: 'The studio does not answer.',
  next: 'Was it stopped? What it started continues. Type longshore studio in a terminal to open it again.',
};

/**
 * Returns the URL of a request, and as `rest` the fields that are not in its path: they are sent in the query or the
 * body.
 */
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
    return new RequestError(JSON.parse(text), status);
  } catch {
    return new RequestError(
      { message: `The studio answered with ${status}.`, next: 'Reload the page.' },
      status,
    );
  }
}

/** Converts a thrown value into the problem to show. */
export function toRequestProblem(error: unknown): RequestProblem {
  if (error instanceof RequestError) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), next: 'Reload the page.' };
}
