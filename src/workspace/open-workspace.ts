import { setMaxListeners } from 'node:events';
import type { Clock, Randomness, SendPermit, Transport } from '../model/ports.ts';
import { parseBaseUrl, parseToken } from './address.ts';
import { WorkspaceClient } from './client.ts';
import { type ConcurrencySetting, createConcurrencyLimit, toMaxConcurrency } from './concurrency.ts';
import type { PageQuery } from './endpoints/answers.ts';
import type { CallEndpoint } from './endpoints/endpoint.ts';
import { createOperations } from './endpoints/operations.ts';
import { type PageWithFlaws, paginate, type ReadListPage } from './paginate.ts';
import { createPoolTransport } from './pool-transport.ts';
import type { RequestCounts } from './request-counts.ts';
import { RequestQueue } from './request-queue.ts';
import { type RequestRate, Throttle } from './throttle.ts';
import { CurrentWaitTracker, type WorkspaceWait } from './wait-notices.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

/** The limits of the client. */
export interface WorkspaceLimits {
  /** The most requests in flight at once. */
  readonly concurrency: ConcurrencySetting;
  /** The rate limit of requests per method and path. */
  readonly perPath: RequestRate;
  /** The most attempts per request, not counting those during a silence of the whole workspace. */
  readonly attempts: number;
  /** Milliseconds of silence of the workspace after which the run stops. */
  readonly outageMs: number;
  /** The most milliseconds until a connection is established, and until the workspace's first answer. */
  readonly connectMs: number;
  /** Milliseconds that an answer may take, headers and body together. */
  readonly answerMs: number;
}

/** The limits of the client where the pipeline sets none. */
export const defaultWorkspaceLimits: WorkspaceLimits = {
  concurrency: 'auto',
  perPath: { count: 5, ms: 1_000 },
  attempts: 5,
  outageMs: 15 * 60_000,
  connectMs: 15_000,
  answerMs: 60_000,
};

export interface OpenWorkspaceOptions {
  readonly baseUrl: string;
  /** The Unix socket to connect to in place of the base URL's host. */
  readonly socketPath?: string | undefined;
  readonly token: string;
  readonly limits: WorkspaceLimits;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Once it is aborted, no request is sent, and waiting calls reject with its reason. */
  readonly signal: AbortSignal;
  /** The reaction if no answer comes within `connectMs`. Default `keep trying`, until `outageMs` are over. */
  readonly unanswered?: 'give up' | 'keep trying';
  /** Checked right before each request; once it throws, no other request is sent either. */
  readonly leave?: SendPermit | undefined;
  /** Sends the requests in place of a pool of HTTP connections. */
  readonly transport?: Transport;
  readonly onEvent?: (event: WorkspaceEvent) => void;
}

/** Every operation of the specification, and calls of extensions. */
export type WorkspaceOperations = ReturnType<typeof createOperations>;

/** The client of a workspace, with pacing and retries. */
export interface Workspace extends WorkspaceOperations {
  /** The normalised base URL: no slash at its end. */
  readonly baseUrl: string;
  /** Returns the same workspace with every call decorated, in addition to earlier decorators. */
  through(decorate: (call: CallEndpoint) => CallEndpoint): Workspace;
  /**
   * Yields the pages of a list, from a cursor on; throws a FatalError where one cannot be read or the list never ends.
   */
  paginate<T>(list: ReadListPage<T>, from?: PageQuery): AsyncGenerator<PageWithFlaws<T>, void, void>;
  /** Returns the counts of requests up to now, by `<METHOD> <path template>`. */
  requests(): Readonly<Record<string, Readonly<RequestCounts>>>;
  /**
   * Returns the error to stop with: that of an unreachable workspace if the job's time slice ends before the workspace
   * has answered at all, else `reason`.
   */
  whyStopped(reason: unknown): unknown;
  /** Returns the wait that holds back all requests at present; undefined if there is none. */
  waitsFor(): WorkspaceWait | undefined;
  /** The rate per method and path. */
  readonly perPath: RequestRate;
  /**
   * Returns the limit of concurrent requests found by adapting; null before that, and where the concurrency is fixed.
   */
  concurrencyFound(): number | null;
  /** Returns the most requests that may be in flight at present. */
  concurrencyLimit(): number;
  /** Sends nothing more, waits at most `graceMs` for requests in flight, then drops every connection. */
  close(graceMs: number): Promise<void>;
}

/** Opens a workspace without sending a request. Throws a FatalError 'usage' for an unusable base URL or token. */
export function openWorkspace(options: OpenWorkspaceOptions): Workspace {
  const { limits, clock, randomness, signal } = options;
  const address = parseBaseUrl(options.baseUrl);
  const token = parseToken(options.token);
  const stop = new AbortController();
  // Every wait listens to this signal, so thousands of listeners are not a leak.
  setMaxListeners(0, stop.signal);
  const transport =
    options.transport ??
    createPoolTransport({
      address,
      socketPath: options.socketPath,
      token,
      connections: toMaxConcurrency(limits.concurrency),
      connectMs: Math.min(limits.connectMs, limits.answerMs),
      clock,
      leave: options.leave && stopping(options.leave, stop),
    });
  const throttle = new Throttle(limits.perPath, clock, stop.signal);
  const { answerMs } = limits;
  const concurrency = createConcurrencyLimit(limits.concurrency, clock);
  const queue = new RequestQueue({ transport, concurrency, answerMs, clock, signal: stop.signal });
  const { onEvent = () => undefined, unanswered = 'keep trying' } = options;
  const name = address.origin + address.prefix;
  const wait = new CurrentWaitTracker();
  const client: WorkspaceClient = new WorkspaceClient({
    ...{ name, throttle, queue, clock, randomness, unanswered },
    onEvent(event) {
      wait.take(event, client.counter.ok);
      onEvent(event);
    },
    attempts: limits.attempts,
    outageMs: limits.outageMs,
    connectMs: limits.connectMs,
    signal: stop.signal,
    giveUp: (error) => stop.abort(error),
    secret: token,
  });
  const passOn = () => stop.abort(client.whyStopped(signal.reason));
  signal.addEventListener('abort', passOn, { once: true });
  if (signal.aborted) passOn();
  const call: CallEndpoint = (endpoint, request, callOptions) => client.call(endpoint, request, callOptions);
  const shared = {
    baseUrl: name,
    paginate: <T>(list: ReadListPage<T>, from?: PageQuery) => paginate(list, from, onEvent),
    requests: () => client.counter.snapshot(),
    whyStopped: (reason: unknown) => client.whyStopped(reason),
    waitsFor: () => wait.at(clock.now(), client.counter.ok),
    perPath: limits.perPath,
    concurrencyFound: () => concurrency.found,
    concurrencyLimit: () => concurrency.limit,
    close: async (graceMs: number) => {
      signal.removeEventListener('abort', passOn);
      stop.abort(new Error('The workspace was closed.'));
      await queue.close(graceMs);
    },
  };
  const over = (sends: CallEndpoint): Workspace => ({
    ...shared,
    ...createOperations(sends),
    through: (decorate) => over(decorate(sends)),
  });
  return over(call);
}

/** Returns a permit that rethrows an error of `leave` and stops all other calls with it. */
function stopping(leave: SendPermit, stop: AbortController): SendPermit {
  return {
    assertHeld() {
      try {
        leave.assertHeld();
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    },
  };
}
