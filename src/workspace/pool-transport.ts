import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import {
  type CancelToken,
  type Clock,
  type SendPermit,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../model/ports.ts';
import type { BaseUrlParts } from './address.ts';

/**
 * The time (ms) for which an idle connection is kept: shorter than the five seconds of a Node server, because a
 * connection that the server drops during a request loses the answer.
 */
const keepAliveMs = 4_000;
const maxResponseBytes = 64 * 1024 * 1024;

interface PoolTransportOptions {
  readonly address: BaseUrlParts;
  /** A Unix socket to connect to, in place of the address's host and port. */
  readonly socketPath?: string | undefined;
  readonly token: string;
  readonly connections: number;
  /** The most milliseconds until a connection is established. */
  readonly connectMs: number;
  readonly clock: Clock;
  /** Checked right before each request; where the check throws, the request is not sent. */
  readonly leave?: SendPermit | undefined;
}

/** Creates a transport over an undici pool to one origin; it sends the token and follows no redirects. */
export function createPoolTransport(options: PoolTransportOptions): Transport {
  const { address, socketPath, token, connections, connectMs, clock, leave } = options;
  const neverLeft = new WeakSet<object>();
  const pool = new Pool(address.origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: 60_000,
    // The request queue cancels slow requests as a whole; these limits would only count from one byte to the next.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxResponseBytes,
    connect: markingConnector(neverLeft, socketPath, connectMs),
  });
  const authorization = `Bearer ${token}`;
  const bare = { authorization, accept: 'application/json' };
  const withBody = { ...bare, 'content-type': 'application/json' };

  function assertMayLeave(): void {
    try {
      leave?.assertHeld();
    } catch (error) {
      const notSent = new Error(`not sent: ${error instanceof Error ? error.message : error}`);
      neverLeft.add(notSent);
      throw notSent;
    }
  }

  function send(request: TransportRequest, wanted?: CancelToken): Promise<TransportResponse> {
    const { method, query, body } = request;
    const path = address.prefix + request.path;
    const options = {
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: body === undefined ? bare : withBody,
      body: body ?? null,
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(failure(error, neverLeft, token));
      pool.dispatch(options, new ReceivedAnswer({ assertMayLeave, wanted, clock, resolve, reject: fail }));
    });
  }

  return { send, close: () => pool.destroy() };
}

interface Receiving {
  readonly assertMayLeave: () => void;
  readonly wanted: CancelToken | undefined;
  readonly clock: Clock;
  readonly resolve: (answer: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects one answer in memory: undici's own `request` builds a stream for each, which is much slower. */
class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #of: Receiving;
  readonly #parts: Buffer[] = [];
  #status = 0;
  #retryAfter: number | undefined;

  constructor(of: Receiving) {
    this.#of = of;
  }

  /** Runs right before the request is written; where it throws, nothing is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#of.assertMayLeave();
    this.#of.wanted?.onCancelled((reason) => controller.abort(reason));
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    // Called again after an interim answer (1xx): the final one overwrites it.
    this.#status = status;
    this.#retryAfter = retryAfterSeconds(headers, this.#of.clock);
  }

  onResponseData(_controller: unknown, part: Buffer): void {
    this.#parts.push(part);
  }

  onResponseEnd(): void {
    const [only, ...more] = this.#parts;
    const bytes = only === undefined || more.length > 0 ? Buffer.concat(this.#parts) : only;
    this.#of.resolve({ status: this.#status, retryAfter: this.#retryAfter, ...textOf(bytes) });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#of.reject(error);
  }
}

/**
 * Returns a connector that adds errors of failed connections to `neverLeft`: requests with such an error were never
 * sent.
 */
function markingConnector(
  neverLeft: WeakSet<object>,
  socketPath: string | undefined,
  timeout: number,
): buildConnector.connector {
  const connect = buildConnector({ timeout, socketPath: socketPath ?? null });
  return (options, callback) => {
    connect(options, (...outcome) => {
      if (outcome[0] !== null) neverLeft.add(outcome[0]);
      callback(...outcome);
    });
  };
}

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

function textOf(bytes: Uint8Array): Pick<TransportResponse, 'body' | 'damaged'> {
  try {
    return { body: strict.decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { body: lenient.decode(bytes), damaged: true };
  }
}

function failure(error: unknown, neverLeft: WeakSet<object>, token: string): TransportError {
  const known = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in known && typeof known.code === 'string' ? known.code : undefined;
  // The error of a host whose addresses all failed has an empty message.
  const words = known.message || code || known.name;
  const message = code === undefined || words.includes(code) ? words : `${words} (${code})`;
  // The cause is left out on purpose: a library may put anything into it, and the token must stay out of every log.
  return new TransportError(message.replaceAll(token, '***'), !neverLeft.has(known));
}

type Headers = Record<string, string | string[] | undefined>;

function retryAfterSeconds(headers: Headers, clock: Clock): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  // Measured from the server's own date, where it sends one: this machine's clock may be wrong.
  const said = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
  return Math.max(0, until - (Number.isNaN(said) ? clock.now() : said)) / 1000;
}
