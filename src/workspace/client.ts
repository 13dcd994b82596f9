import type { WorkspaceAnswer } from '../model/answer.ts';
import { type FatalError, TimeSliceEndedError } from '../model/fatal-error.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import type { DeliverRequest, DeliveryOptions, RequestInDelivery } from './delivery.ts';
import type { CallRequest, Endpoint, EndpointCallOptions } from './endpoints/endpoint.ts';
import { probeEndpoint } from './endpoints/operations.ts';
import {
  createTransmitter,
  type InterceptorContext,
  withBackoffRetry,
  withBaseUrlCheck,
  withOutageHold,
  withPacing,
  withPermissionCheck,
  withRateLimitRetry,
  withReadinessWait,
} from './interceptors.ts';
import { OutageMonitor } from './outage.ts';
import { PermissionGateMap } from './permissions.ts';
import { RequestCounter } from './request-counts.ts';
import type { RequestQueue } from './request-queue.ts';
import type { Throttle } from './throttle.ts';
import type { Verdict } from './verdict.ts';
import { WaitReporter } from './wait-notices.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

export interface WorkspaceClientOptions {
  /** The name of the workspace in messages: its base URL. */
  readonly name: string;
  readonly throttle: Throttle;
  readonly queue: RequestQueue;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The most attempts per request, not counting those during a silence of the whole workspace. */
  readonly attempts: number;
  readonly outageMs: number;
  /** The most milliseconds until the first answer of the workspace; `unanswered` is the reaction if none comes. */
  readonly connectMs: number;
  readonly unanswered: 'give up' | 'keep trying';
  readonly signal: AbortSignal;
  /** Ends all waiting calls with this error. */
  readonly giveUp: (error: FatalError) => void;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** The token, which is replaced by *** in every text that leaves the client. */
  readonly secret: string;
}

/** Sends requests to a workspace: paced, retried where that is safe, and held back in an outage. */
export class WorkspaceClient {
  readonly counter = new RequestCounter();
  readonly #options: WorkspaceClientOptions;
  readonly #outage: OutageMonitor;
  readonly #permissions: PermissionGateMap;
  /** Makes one attempt of a request, paced and held back during an outage, but without retries. */
  readonly #attempt: DeliverRequest<Verdict<unknown>['kind']>;
  readonly #deliver: DeliverRequest<'settled'>;
  /** The time (ms since 1970) when the first call began. */
  #askedSince: number | undefined;

  constructor(options: WorkspaceClientOptions) {
    this.#options = options;
    const outage = new OutageMonitor({ ...options, probe: () => this.#probe() });
    const notices = new WaitReporter({
      ...options,
      problem: () => outage.problem,
      noFirstAnswer: () => {
        if (options.unanswered === 'keep trying') return 'still waiting';
        outage.neverAnswered(options.connectMs);
        return 'given up';
      },
    });
    const parts: InterceptorContext = { ...options, outage, notices, scrub: (text) => this.#scrub(text) };
    this.#outage = outage;
    this.#permissions = new PermissionGateMap(options.signal);
    const exchange = withBaseUrlCheck(withPacing(createTransmitter(parts), parts), parts);
    this.#attempt = withOutageHold(exchange, parts);
    const answered = withRateLimitRetry(withPermissionCheck(this.#attempt, parts), parts);
    this.#deliver = withReadinessWait(withBackoffRetry(answered, parts), parts);
  }

  /**
   * Calls an endpoint; a path of null is refused unsent. Rejects with a FatalError where the token is refused or lacks
   * the permission, the base URL is wrong or the workspace stays unreachable, and with the signal's reason after a
   * stop.
   */
  call<T>(
    endpoint: Endpoint<T>,
    request: CallRequest,
    options?: EndpointCallOptions,
  ): Promise<WorkspaceAnswer<T>> {
    const { path } = request;
    if (path === null) return Promise.resolve(unsendable);
    this.#askedSince ??= this.#options.clock.now();
    return this.#deliver(this.#delivery(endpoint, path, request, options)).then(({ answer }) =>
      answer.kind === 'ok' ? answer : { ...answer, message: this.#scrub(answer.message) },
    );
  }

  /**
   * Returns the error to stop with: that of an unreachable workspace if the job's time slice ends before the workspace
   * has answered at all, else `reason`.
   */
  whyStopped(reason: unknown): unknown {
    const since = this.#askedSince;
    if (!(reason instanceof TimeSliceEndedError) || since === undefined || this.#outage.answers > 0)
      return reason;
    // If the first request was sent only just now, its answer may still come.
    const isSilent = this.#outage.problem !== undefined || this.#options.clock.now() - since >= longMs;
    return isSilent ? this.#outage.unheard(since) : reason;
  }

  #delivery<T>(
    endpoint: Endpoint<T>,
    path: string,
    { query = '', body }: Omit<CallRequest, 'path'>,
    options: DeliveryOptions = {},
  ): RequestInDelivery<T> {
    const { method } = endpoint;
    return {
      endpoint,
      request: { method, path, query, body: body === undefined ? undefined : JSON.stringify(body) },
      bucket: `${method} ${path}`,
      options,
      counts: this.counter.of(endpoint),
      permission: this.#permissions.of(endpoint),
      again: false,
    };
  }

  async #probe(): Promise<boolean> {
    const { template } = probeEndpoint;
    const probe = this.#delivery(probeEndpoint, template, { query: 'limit=1' }, { probe: true });
    const result = await this.#attempt(probe);
    return result.reached && result.kind !== 'limited';
  }

  #scrub(text: string): string {
    return text.replaceAll(this.#options.secret, '***');
  }
}

/**
 * At the end of a time slice, a workspace that has not answered counts as silent once this time (ms) has passed since
 * the first request.
 */
const longMs = 10_000;

const unsendable: WorkspaceAnswer<never> = {
  kind: 'refused',
  status: 400,
  message: 'The identifier has half of a character (a lone surrogate) and cannot be sent. Nothing was sent.',
};
