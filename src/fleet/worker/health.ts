import { createServer } from 'node:http';
import { FatalError } from '../../model/fatal-error.ts';
import { systemClock } from '../../workspace/index.ts';
import type { WorkerMetrics, WorkerState } from './worker-metrics.ts';

/** The HTTP server of probes and metrics. */
export interface HealthServer {
  /** The port that it listens on. */
  readonly port: number;
  close(): Promise<void>;
}

/** The time that the fleet's metrics are cached (ms). */
const fleetMs = 10_000;

/**
 * Serves `/healthz` (the process runs; an unreachable database is no reason to restart it), `/readyz` (it takes jobs),
 * and Prometheus metrics of the worker (`/metrics`) and the fleet (`/metrics/fleet`). The routes change nothing and
 * show neither tokens nor personal data, so the Host header is not checked: probes use the pod's address. Throws a
 * FatalError (usage) if it cannot listen on the port.
 */
export async function startHealthServer(
  { host, port }: { readonly host: string; readonly port: number },
  now: () => WorkerState,
  workerMetrics: WorkerMetrics,
  fleet: () => Promise<string>,
): Promise<HealthServer> {
  const metricsOfFleet = cached(fleet);
  const server = createServer(async (request, response) => {
    const { method = '', url = '/' } = request;
    const sources = () => ({ now: now(), workerMetrics, fleet: metricsOfFleet });
    const { status, type, body } = await answer(method, url, sources);
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

/** Caches the metrics of the fleet for `fleetMs`. */
function cached(fleet: () => Promise<string>) {
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

/** The data that responses are built from. */
interface Sources {
  readonly now: WorkerState;
  readonly workerMetrics: WorkerMetrics;
  readonly fleet: () => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The handler of each path. */
export const healthRoutes: Readonly<Record<string, (sources: Sources) => Answer | Promise<Answer>>> = {
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

async function answer(method: string, url: string, sources: () => Sources): Promise<Answer> {
  const path = url.split('?', 1)[0] ?? '/';
  const found = Object.hasOwn(healthRoutes, path) ? healthRoutes[path] : undefined;
  if (found === undefined) return text(404, `not found: ${Object.keys(healthRoutes).join(', ')} are here`);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'only GET is answered here');
  return await found(sources());
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
