import { createServer } from 'node:http';
import { FatalError } from '../../model/fatal-error.ts';
import type { Figures, WorkerNow } from './figures.ts';

/** What answers probes and Prometheus. */
export interface Health {
  /** The port that it listens on. */
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Answers `/healthz` (the process works: a database that is away is no reason to restart it), `/readyz` (it takes jobs) and
 * `/metrics`. Nothing in it is secret, and nothing can be changed through it.
 */
export async function serveHealth(
  { host, port }: { readonly host: string; readonly port: number },
  now: () => WorkerNow,
  figures: Figures,
): Promise<Health> {
  const server = createServer((request, response) => {
    const { status, type, body } = answer(request.url ?? '/', now(), figures);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(notOpened(error, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: address === null || typeof address === 'string' ? port : address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(path: string, now: WorkerNow, figures: Figures) {
  switch (path.split('?', 1)[0]) {
    case '/healthz':
      return text(200, 'ok');
    case '/readyz': {
      const why = now.draining
        ? 'draining'
        : now.database
          ? (now.notReady ?? undefined)
          : 'the database does not answer';
      return text(why === undefined ? 200 : 503, why ?? 'ok');
    }
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4', body: figures.text(now) };
    default:
      return text(404, 'not found: /healthz, /readyz and /metrics are here');
  }
}

function text(status: number, body: string) {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}

function notOpened(error: Error, port: number): FatalError {
  return new FatalError('usage', `the worker cannot answer on port ${port}: ${error.message}`, {
    next: 'Choose another with --port, or any free one with --port 0.',
    cause: error,
  });
}
