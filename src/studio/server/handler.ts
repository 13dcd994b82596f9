import type { Readable } from 'node:stream';
import type * as z from 'zod';
import { pauseAfterRead } from '../../app/status/look-at-run.ts';
import { systemClock } from '../../workspace/index.ts';
import type { AnyRoute, BytesRoute, Route, StreamRoute } from '../wire/route.ts';
import { RequestRefusal } from './refusal.ts';
import type { Studio } from './studio.ts';

type Run =
  | { readonly kind: 'answer'; run(sent: unknown, studio: Studio): Promise<unknown> }
  | {
      readonly kind: 'stream';
      run(sent: unknown, studio: Studio, given: AbortSignal): AsyncIterable<unknown>;
    }
  | { readonly kind: 'bytes'; run(sent: unknown, studio: Studio, bytes: Readable): Promise<unknown> };

/** A route with what answers it. */
export type Handler = Run & { readonly route: AnyRoute };

/** Answers a route; the request has passed the schema, and its paths are in the project. */
export function handle<Request, Answer>(
  route: Route<Request, Answer>,
  schema: z.ZodType<Request>,
  answer: (request: Request, studio: Studio) => Answer | Promise<Answer>,
): Handler {
  return {
    kind: 'answer',
    route,
    run: async (sent, studio) => await answer(checked(route, schema, sent, studio), studio),
  };
}

/** Answers a route with events, until they end or the page has gone. */
export function handleStream<Request, Event>(
  route: StreamRoute<Request, Event>,
  schema: z.ZodType<Request>,
  events: (request: Request, studio: Studio, gone: AbortSignal) => AsyncIterable<Event>,
): Handler {
  return {
    kind: 'stream',
    route,
    run: (sent, studio, gone) => events(checked(route, schema, sent, studio), studio, gone),
  };
}

/** Answers a route that sends a file. */
export function handleBytes<Request, Answer>(
  route: BytesRoute<Request, Answer>,
  schema: z.ZodType<Request>,
  answer: (request: Request, studio: Studio, bytes: Readable) => Promise<Answer>,
): Handler {
  return {
    kind: 'bytes',
    route,
    run: async (sent, studio, bytes) => await answer(checked(route, schema, sent, studio), studio, bytes),
  };
}

function checked<Request>(
  { paths }: AnyRoute,
  schema: z.ZodType<Request>,
  sent: unknown,
  { files }: Studio,
): Request {
  const parsed = schema.safeParse(sent);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RequestRefusal(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}`, {
      next: 'Reload the page: it may be older than the studio.',
    });
  }
  for (const name of paths) {
    const path = fieldOf(parsed.data, name);
    if (typeof path === 'string') files.place(path);
  }
  return parsed.data;
}

/** A field by its dotted name. */
function fieldOf(value: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (found, key) =>
        found instanceof Object ? Object.entries(found).find(([each]) => each === key)?.[1] : undefined,
      value,
    );
}

/** ms between two looks, where they are quick. */
const pace = 1_000;

/** Yields the result of `look` whenever it differs from the last one; ends behind one that `isLast`, or when the page has gone. */
export async function* changesOf<T>(
  look: () => T | Promise<T>,
  gone: AbortSignal,
  isLast: (seen: T) => boolean = () => false,
): AsyncGenerator<T> {
  for (let last = ''; !gone.aborted; ) {
    const at = systemClock.now();
    const seen = await look();
    const text = JSON.stringify(seen);
    if (text !== last) yield seen;
    if (isLast(seen)) return;
    last = text;
    await systemClock.sleep(pauseAfterRead(systemClock.now() - at, pace), gone);
  }
}
