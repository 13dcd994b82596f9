import type { Problem } from '../wire/problem.ts';
import { sessionHeader } from '../wire/project.ts';
import type { AnyRoute } from '../wire/route.ts';
import { type AnswerOf, type CallName, type RequestOf, routes } from '../wire/routes.ts';
import { endSession, session } from './session.ts';

/** Why a request was not answered as it was asked. */
export class Refused extends Error {
  readonly problem: Problem;
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined;

  constructor(problem: Problem, status?: number) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

/** Asks the studio; throws Refused with what to show. */
export async function call<N extends CallName>(
  name: N,
  request: RequestOf<N>,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  const response = await send(routes[name], request, signal);
  return await response.json();
}

/** Sends a request, and gives the answer where it is a good one. */
export async function send(
  route: AnyRoute,
  request: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { url, rest } = addressOf(route, request);
  const body = route.method === 'GET' ? undefined : JSON.stringify(Object.fromEntries(rest));
  const response = await fetch(url, {
    method: route.method,
    headers: {
      ...(session.value !== null && { [sessionHeader]: session.value }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refused(noAnswer);
  });
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text());
}

export const noAnswer: Problem = {
  message: 'The studio does not answer.',
  next: 'Was it stopped? What it started continues. Type longshore studio in a terminal to open it again.',
};

/** The address of a request: what is not in its body is in it. */
export function addressOf(route: AnyRoute, request: object) {
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

/** What was answered in place of a good answer. */
export function refusalOf(status: number, text: string): Refused {
  if (status === 401) endSession();
  try {
    return new Refused(JSON.parse(text), status);
  } catch {
    return new Refused({ message: `The studio answered with ${status}.`, next: 'Reload the page.' }, status);
  }
}

/** What to show of whatever was thrown. */
export function shownProblem(error: unknown): Problem {
  if (error instanceof Refused) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), next: 'Reload the page.' };
}
