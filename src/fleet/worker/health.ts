import { createServer } from 'node:http';
import { FatalError } from '../../model/fatal-error.ts';
import { systemClock } from '../../workspace/index.ts';
import type { WorkerMetrics, WorkerState } from './worker-metrics.ts';

/** What answers probes and Prometheus. */
export interface Health {
  /** The port that it listens on. */
  readonly port: number;
  close(): Promise<void>;
}

/** How long what was read of the fleet serves further requests (ms). */
const fleetMs = 10_000;

/**
 * Answers `/healthz` (the process works: a database that is away is no reason to restart it), `/readyz` (it takes jobs),
 * `/metrics` of the worker and `/metrics/fleet` of the fleet. No token or data of people is in it, and nothing can be changed through it:
 * probes come by the pod's address and Prometheus by any name, so the Host header is not looked at.
 */
export async function serveHealth(
  { host, port }: { readonly host: string; readonly port: number },
  now: () => WorkerState,
  workerMetrics: WorkerMetrics,
  fleet: () => Promise<string>,
): Promise<Health> {
  const metricsOfFleet = kept(fleet);
  const server = createServer(async (request, response) => {
    const { method = '', url = '/' } = request;
    const known = () => ({ now: now(), workerMetrics, fleet: metricsOfFleet });
    const { status, type, body } = await answer(method, url, known);
    response
      .writeHead(status, { 'content-type': type, ...(status === 405 && { allow: 'GET, HEAD' }) })
      .end(body);
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

/** What is read at most once in a while, however many ask. */
function kept(fleet: () => Promise<string>) {
  let read: { readonly at: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    if (read === undefined || systemClock.now() - read.at > fleetMs) {
      const found = fleet().then(
        (body) => ({ status: 200, type: metricsType, body }),
        () => text(503, 'the database does not answer'),
      );
      read = { at: systemClock.now(), answer: found };
    }
    return read.answer;
  };
}

const metricsType = 'text/plain; version=0.0.4';

/** What a path is answered from. */
interface Known {
  readonly now: WorkerState;
  readonly workerMetrics: WorkerMetrics;
  readonly fleet: () => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** All that is answered. */
export const healthPaths: Readonly<Record<string, (known: Known) => Answer | Promise<Answer>>> = {
  '/healthz': () => text(200, 'ok'),
  '/readyz'({ now }) {
    const why = now.draining
      ? 'draining'
      : now.database
        ? (now.notReady ?? undefined)
        : 'the database does not answer';
    return text(why === undefined ? 200 : 503, why ?? 'ok');
  },
  '/metrics': ({ now, workerMetrics }) => ({ status: 200, type: metricsType, body: workerMetrics.text(now) }),
  '/metrics/fleet': ({ fleet }) => fleet(),
};

async function answer(method: string, url: string, known: () => Known): Promise<Answer> {
  const path = url.split('?', 1)[0] ?? '/';
  const found = Object.hasOwn(healthPaths, path) ? healthPaths[path] : undefined;
  if (found === undefined) return text(404, `not found: ${Object.keys(healthPaths).join(', ')} are here`);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'only GET is answered here');
  return await found(known());
}

function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}

function notOpened(error: Error, port: number): FatalError {
  return new FatalError('usage', `the worker cannot answer on port ${port}: ${error.message}`, {
    next: 'Choose another with --port, or any free one with --port 0.',
    cause: error,
  });
}
