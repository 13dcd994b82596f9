import type { Readable } from 'node:stream';
import type * as z from 'zod';
import { computePauseAfterRead } from '../../app/status/look-at-run.ts';
import { systemClock } from '../../workspace/index.ts';
import type { AnyRoute, FileRoute, Route, StreamRoute, UploadRoute } from '../wire/route.ts';
import { HttpError } from './http-error.ts';
import type { StudioContext } from './studio.ts';

type Run =
  | { readonly kind: 'answer'; run(sent: unknown, studio: StudioContext): Promise<unknown> }
  | {
      readonly kind: 'stream';
      run(sent: unknown, studio: StudioContext, given: AbortSignal): AsyncIterable<unknown>;
    }
  | { readonly kind: 'file'; run(sent: unknown, studio: StudioContext): string }
  | { readonly kind: 'bytes'; run(sent: unknown, studio: StudioContext, bytes: Readable): Promise<unknown> };

/** A route with the function that answers it. */
export type RouteHandler = Run & { readonly route: AnyRoute };

/**
 * Binds a route to a function that answers it, called with a validated request whose paths are in the project or its
 * work dir.
 */
export function createRouteHandler<Request, Answer>(
  route: Route<Request, Answer>,
  schema: z.ZodType<Request>,
  answer: (request: Request, studio: StudioContext) => Answer | Promise<Answer>,
): RouteHandler {
  return {
    kind: 'answer',
    route,
    run: async (sent, studio) => await answer(checked(route, schema, sent, studio), studio),
  };
}

/** Binds a route to a generator of events; `gone` is aborted when the page closes the stream. */
export function createStreamHandler<Request, Event>(
  route: StreamRoute<Request, Event>,
  schema: z.ZodType<Request>,
  events: (request: Request, studio: StudioContext, gone: AbortSignal) => AsyncIterable<Event>,
): RouteHandler {
  return {
    kind: 'stream',
    route,
    run: (sent, studio, gone) => events(checked(route, schema, sent, studio), studio, gone),
  };
}

/** Binds a file route to a function that returns the absolute path of the file. */
export function createFileHandler<Request>(
  route: FileRoute<Request>,
  schema: z.ZodType<Request>,
  path: (request: Request, studio: StudioContext) => string,
): RouteHandler {
  return {
    kind: 'file',
    route,
    run: (sent, studio) => path(checked(route, schema, sent, studio), studio),
  };
}

/** Binds an upload route to a function that reads the file. */
export function createUploadHandler<Request, Answer>(
  route: UploadRoute<Request, Answer>,
  schema: z.ZodType<Request>,
  answer: (request: Request, studio: StudioContext, bytes: Readable) => Promise<Answer>,
): RouteHandler {
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
  { files }: StudioContext,
): Request {
  const parsed = schema.safeParse(sent);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HttpError(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}`, {
      next: 'Reload the page: it may be older than the studio.',
    });
  }
  for (const name of paths) {
    const path = fieldOf(parsed.data, name);
    if (typeof path === 'string') files.place(path);
  }
  return parsed.data;
}

/** Returns a field by its dotted name. */
function fieldOf(value: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (found, key) =>
        found instanceof Object ? Object.entries(found).find(([each]) => each === key)?.[1] : undefined,
      value,
    );
}

/** The shortest pause between two calls of `look` (ms); it is longer if they are slow. */
const pace = 1_000;

/** Yields the result of `look` whenever it changes. Once `gone` is aborted, it ends or throws the reason of the abort. */
export async function* watchChanges<T>(look: () => T | Promise<T>, gone: AbortSignal): AsyncGenerator<T> {
  for (let last = ''; !gone.aborted; ) {
    const at = systemClock.now();
    const seen = await look();
    const text = JSON.stringify(seen);
    if (text !== last) yield seen;
    last = text;
    await systemClock.sleep(computePauseAfterRead(systemClock.now() - at, pace), gone);
  }
}
