import type { Problem } from '../wire/problem.ts';
import { type AnswerOf, type RequestOf, routes, type StreamName } from '../wire/routes.ts';
import { Refused, send, shownProblem } from './call.ts';

interface Hearer<Event> {
  event(event: Event): void;
  problem(problem: Problem): void;
  /** Nothing more will come. */
  end?(): void;
}

/** ms until it is tried again where the studio does not answer. */
const patience = 2_000;

/** Hears the events of a stream until it ends or the function that is given back is called; a lost one is taken up again. */
export function listen<N extends StreamName>(
  name: N,
  request: RequestOf<N>,
  hearer: Hearer<AnswerOf<N>>,
): () => void {
  const stop = new AbortController();
  void follow(name, request, hearer, stop.signal);
  return () => stop.abort();
}

async function follow<N extends StreamName>(
  name: N,
  request: RequestOf<N>,
  hearer: Hearer<AnswerOf<N>>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send(routes[name], request, { signal });
      for await (const { kind, data } of linesOf(response)) {
        if (kind === 'problem') throw new Refused(JSON.parse(data));
        hearer.event(JSON.parse(data));
      }
      hearer.end?.();
      return;
    } catch (error) {
      if (signal.aborted) return;
      hearer.problem(shownProblem(error));
      await new Promise((resolve) => setTimeout(resolve, patience));
    }
  }
}

/** The events of an answer, each as it comes. */
async function* linesOf(
  response: Response,
): AsyncGenerator<{ readonly kind: string; readonly data: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    const parts = (text + read.value).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) yield { kind: /^event: (.*)$/m.exec(part)?.[1] ?? 'event', data };
    }
  }
}
