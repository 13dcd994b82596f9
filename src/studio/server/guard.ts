import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { sessionHeaderName } from '../wire/project.ts';
import { routes } from '../wire/routes.ts';
import { HttpError } from './http-error.ts';
import type { PageSessions } from './sessions.ts';

const self = ["'self'"];

/** The security headers, which allow nothing from other origins; the editor needs inline styles. */
const headers = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: self,
      styleSrc: [...self, "'unsafe-inline'"],
      connectSrc: self,
      imgSrc: self,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // The studio serves plain http on the local machine only.
  strictTransportSecurity: false,
  crossOriginEmbedderPolicy: true,
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
});

/**
 * Adds a hook that sets the security headers. It refuses requests from other hosts and sites (403), and requests
 * without a session (401), except those for the page's files and for the start of a session.
 */
export function addRequestGuard(app: FastifyInstance, sessions: PageSessions): void {
  app.addHook('onRequest', async (request, reply) => {
    await new Promise<void>((resolve, reject) =>
      headers(request.raw, reply.raw, (error?: unknown) => (error === undefined ? resolve() : reject(error))),
    );
    reply.header('cache-control', 'no-store');
    const elsewhere = fromElsewhere(request.headers, request.socket.localPort);
    if (elsewhere !== undefined) throw new HttpError(403, elsewhere);
    const [path = ''] = request.url.split('?', 1);
    const isOpen = path === routes.startSession.path || !isApi(path);
    if (!isOpen && !sessions.accepts(single(request.headers[sessionHeaderName])))
      throw new HttpError(401, 'The studio does not know this page.', {
        next: 'Open the URL that the terminal shows, or type longshore studio again.',
      });
  });
}

/** Returns false for `/` and the plain file names of the page, true for every other path. */
function isApi(path: string): boolean {
  return !/^\/(?:[\w-]+\.[a-z]+)?$/.test(path);
}

/**
 * Returns the reason to refuse a request as foreign; undefined for the studio's page and for programs of this machine.
 * Pages of other sites can also reach this port, under a host name of their own (seen in Host) or across sites (seen in
 * Origin and Sec-Fetch-Site).
 */
function fromElsewhere(sent: IncomingHttpHeaders, port: number | undefined): string | undefined {
  const { host = '', origin } = sent;
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!names.includes(host.toLowerCase())) return 'Only for this machine: 127.0.0.1 and localhost.';
  const site = sent['sec-fetch-site'];
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  const sameOrigin = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  return sameSite && sameOrigin ? undefined : 'Not for pages of other sites.';
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header;
}
