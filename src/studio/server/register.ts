import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteHandler } from './handler.ts';
import { HttpError, toErrorResponse } from './http-error.ts';
import { mappingHandlers } from './routes/mapping.ts';
import { planHandlers } from './routes/plans.ts';
import { projectHandlers } from './routes/project.ts';
import { runHandlers } from './routes/runs.ts';
import type { StudioContext } from './studio.ts';

/** Registers a route with the server; a changing route is refused (403) if the studio is read-only. */
export function registerRoute(
  app: FastifyInstance,
  handler: RouteHandler,
  studio: StudioContext,
  warn: (text: string) => void,
): void {
  const { method, path: url, changes } = handler.route;
  app.route({
    method,
    url,
    ...(handler.kind === 'bytes' && { bodyLimit: mostUploaded }),
    async handler(request, reply) {
      if (studio.readOnly && changes)
        throw new HttpError(403, 'The studio is read-only.', { next: 'Start it without --read-only.' });
      const sent = sentWith(request, handler);
      if (handler.kind === 'answer') return await handler.run(sent, studio);
      if (handler.kind === 'bytes') return await handler.run(sent, studio, bytesOf(request));
      if (handler.kind === 'file') return sendFile(reply, handler.run(sent, studio));
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return sendEvents(reply, handler.run(sent, studio, gone.signal), studio, gone.signal, warn);
    },
  });
}

/** The maximum size of an uploaded file (bytes). */
const mostUploaded = 20e9;

function bytesOf({ body }: FastifyRequest): Readable {
  if (body instanceof Readable) return body;
  throw new HttpError(415, 'A file is sent as application/octet-stream.');
}

/** Returns the fields of a request from its query or body; those of the path override them. */
function sentWith({ query, body, params }: FastifyRequest, { kind, route }: RouteHandler): unknown {
  const inQuery = route.method === 'GET' || kind === 'bytes';
  const fields = inQuery ? query : (body ?? {});
  if (!(fields instanceof Object) && typeof fields !== 'object')
    throw new HttpError(400, 'The request cannot be read.');
  return { ...fields, ...(params instanceof Object || typeof params === 'object' ? params : {}) };
}

/** Sends a file as a download: a browser that opens its address saves it and displays nothing. */
function sendFile(reply: FastifyReply, path: string): FastifyReply {
  return reply
    .type('application/octet-stream')
    .header('content-disposition', 'attachment')
    .send(createReadStream(path));
}

/** Sends events as server-sent events; an error is the last one. */
function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<unknown>,
  { invocation }: StudioContext,
  gone: AbortSignal,
  warn: (text: string) => void,
): FastifyReply {
  async function* lines(): AsyncGenerator<string> {
    try {
      // A comment line, so that the page receives the head of the response at once.
      yield ': here\n\n';
      for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
    } catch (error) {
      if (gone.aborted) return;
      yield `event: problem\ndata: ${JSON.stringify(toErrorResponse(error, invocation, warn).problem)}\n\n`;
    }
  }
  return reply.type('text/event-stream').send(Readable.from(lines()));
}

/** The handlers of all routes. */
export const allRouteHandlers: readonly RouteHandler[] = [
  ...projectHandlers,
  ...runHandlers,
  ...mappingHandlers,
  ...planHandlers,
];
