import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { findCrossSiteReason, listHostNames } from './names.ts';
import { splitApiVersion, splitUrl } from './request-path.ts';
import { addControlRoutes } from './routes/control.ts';
import type { SandboxContext, SandboxEndpoint } from './routes/endpoint.ts';
import { type RequestGateState, serveRequest } from './serve.ts';

export interface SandboxServer {
  readonly app: FastifyInstance;
  /** Resolves when the requests now in progress have ended, or after `ms`. */
  idle(ms: number): Promise<void>;
}

const largestBody = 4 * 1024 * 1024;

type Request = Parameters<typeof serveRequest>[3];
type Reply = Parameters<typeof serveRequest>[4];

/** Creates the HTTP server: fastify matches the path and reads the body, and `serveRequest` does everything else. */
export function createSandboxServer(
  context: SandboxContext,
  gate: RequestGateState,
  endpoints: readonly SandboxEndpoint[],
): SandboxServer {
  const inWork = new Set<Promise<void>>();
  const app = fastify({
    routerOptions: { maxParamLength: 2000 },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: largestBody,
    // The router would answer a URL with a broken percent sequence itself, without a token check and a log entry.
    // Routed as `/`, it reaches `serveRequest`.
    rewriteUrl: ({ url = '/' }) => (splitUrl(url).decoded === undefined ? '/' : routedUrl(url, context)),
  });
  const names = listHostNames(context.settings);
  app.addHook('onRequest', async (request, reply) => {
    const reason = findCrossSiteReason(names, request.headers);
    if (reason !== undefined) await reply.code(403).send({ code: 403, message: reason });
  });
  // Bodies are not parsed here: a bad token must be reported before a bad body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const answer = async (
    endpoint: SandboxEndpoint | undefined,
    request: Request,
    reply: Reply,
    unread?: string,
  ): Promise<void> => {
    const work = serveRequest(context, gate, endpoint, request, reply, unread);
    inWork.add(work);
    try {
      await work;
    } finally {
      inWork.delete(work);
    }
  };
  /**
   * Lets `serveRequest` answer a request whose body fastify refuses to read; answers an error of the sandbox itself
   * with 500.
   */
  const answerUnread = async (
    endpoint: SandboxEndpoint | undefined,
    error: unknown,
    request: Request,
    reply: Reply,
  ): Promise<void> => {
    const status = error instanceof Object && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 500) return sendPlain(reply);
    await readOut(request.raw);
    await answer(endpoint, request, reply, error instanceof Error ? error.message : String(error));
  };
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: `/v1${endpoint.template.replace(/\{(\w+)\}/g, ':$1')}`,
      handler: (request, reply) => answer(endpoint, request, reply),
      errorHandler: (error, request, reply) => answerUnread(endpoint, error, request, reply),
    });
  }
  addControlRoutes(app, context, gate);
  app.setNotFoundHandler((request, reply) => answer(undefined, request, reply));
  app.setErrorHandler((error, request, reply) => answerUnread(undefined, error, request, reply));
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

/** Returns the URL that is routed: `/v2`, which published clients use for the same operations, becomes `/v1`. */
function routedUrl(url: string, { settings }: SandboxContext): string {
  return settings.strict || splitApiVersion(url).version !== 'v2' ? url : `/v1${splitApiVersion(url).rest}`;
}

/**
 * Reads and discards the rest of a request. Otherwise a client that is still sending would get a connection reset
 * before it reads the answer.
 */
async function readOut(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    request.once('end', resolve);
    request.once('close', resolve);
    request.resume();
  });
}

/** Answers an error of the sandbox itself with 500. */
function sendPlain(reply: { hijack(): unknown; readonly raw: ServerResponse }): void {
  reply.hijack();
  reply.raw.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
  reply.raw.end(JSON.stringify({ code: 500, message: 'Unexpected error occurred' }));
}
