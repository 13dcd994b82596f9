import type { Problem } from '../wire/problem.ts';
import { sessionHeader } from '../wire/project.ts';
import type { AnyRoute } from '../wire/route.ts';
import { type AnswerOf, type BytesName, type CallName, type RequestOf, routes } from '../wire/routes.ts';
import { endSession, session } from './session.ts';

/** Why a request was not answered as it was asked. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Asks the studio; throws Refused with what to show. */
export async function call<N extends CallName>(
  name: N,
  request: RequestOf<N>,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  const response = await send(routes[name], request, { signal });
  return await response.json();
}

/** Sends a file. @public */
export async function sendBytes<N extends BytesName>(
  name: N,
  request: RequestOf<N>,
  bytes: Blob,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  const response = await send(routes[name], request, { signal, bytes });
  return await response.json();
}

interface How {
  readonly signal?: AbortSignal | undefined;
  readonly bytes?: Blob;
}

/** Sends a request, and gives the answer where it is a good one. */
export async function send(route: AnyRoute, request: object, { signal, bytes }: How): Promise<Response> {
  const { url, rest } = addressOf(route, request);
  const inQuery = route.method === 'GET' || bytes !== undefined;
  const query = inQuery
    ? new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString()
    : '';
  const body = inQuery ? bytes : JSON.stringify(Object.fromEntries(rest));
  const type = bytes === undefined ? 'application/json' : 'application/octet-stream';
  const response = await fetch(query === '' ? url : `${url}?${query}`, {
    method: route.method,
    headers: {
      ...(session.value !== null && { [sessionHeader]: session.value }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refused({
      message: 'The studio does not answer.',
      next: 'Was it stopped? What it started continues. Type longshore studio in a terminal to open it again.',
    });
  });
  if (response.ok) return response;
  if (response.status === 401) endSession();
  throw new Refused(await problemOf(response));
}

function addressOf(route: AnyRoute, request: object) {
  const fields = Object.entries(request).filter(([, value]) => value !== undefined);
  const inPath = new Set<string>();
  const url = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(fields.find(([each]) => each === name)?.[1]));
  });
  return { url, rest: fields.filter(([name]) => !inPath.has(name)) };
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    return await response.json();
  } catch {
    return { message: `The studio answered with ${response.status}.`, next: 'Reload the page.' };
  }
}

/** What to show of whatever was thrown. */
export function shownProblem(error: unknown): Problem {
  if (error instanceof Refused) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), next: 'Reload the page.' };
}
