import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';

import { addControlRoutes } from './routes/control.ts';
import type { Endpoint, House } from './routes/endpoint.ts';
import { type Gate, serve } from './serve.ts';

export interface Server {
  readonly app: FastifyInstance;
  /** Resolves when no request is in work any more, or after `ms`. */
  idle(ms: number): Promise<void>;
}

/** The HTTP side: fastify matches the path and reads the body, everything else happens in `serve`. */
export function createServer(house: House, gate: Gate, endpoints: readonly Endpoint[]): Server {
  const inWork = new Set<Promise<void>>();
  const app = fastify({
    routerOptions: { maxParamLength: 2000 },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: 4 * 1024 * 1024,
    frameworkErrors: (_error, _request, reply) => sendPlain(reply, 400),
  });
  // Bodies stay text until the gate was passed: a bad token is told before a bad body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  const handlerFor =
    (endpoint: Endpoint | undefined) =>
    async (request: Parameters<typeof serve>[3], reply: Parameters<typeof serve>[4]): Promise<void> => {
      const work = serve(house, gate, endpoint, request, reply);
      inWork.add(work);
      try {
        await work;
      } finally {
        inWork.delete(work);
      }
    };
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: `/v1${endpoint.template.replace(/\{(\w+)\}/g, ':$1')}`,
      handler: handlerFor(endpoint),
    });
  }
  addControlRoutes(app, house, gate);
  app.setNotFoundHandler(handlerFor(undefined));
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Object && 'statusCode' in error ? Number(error.statusCode) : 500;
    sendPlain(reply, status);
  });
  return {
    app,
    async idle(ms) {
      const timeout = new AbortController();
      const settled = Promise.allSettled([...inWork]);
      await Promise.race([settled, delay(ms, undefined, { signal: timeout.signal })]);
      timeout.abort();
    },
  };
}

/** For what the framework refuses before a request is one of ours: a broken address, a body over the limit. */
function sendPlain(reply: { hijack(): unknown; readonly raw: ServerResponse }, status: number): void {
  reply.hijack();
  const message = status >= 500 ? 'Unexpected error occurred' : 'Validation error.';
  reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  reply.raw.end(JSON.stringify({ code: status, message }));
}
