import type { TransportRequest } from '../model/ports.ts';
import type { Endpoint, EndpointCallOptions } from './endpoints/endpoint.ts';
import type { PermissionGate } from './permissions.ts';
import type { RequestCounts } from './request-counts.ts';
import type { AttemptResult, Verdict } from './verdict.ts';

/** The result of one attempt that was sent: the answer or the error where none came, and its verdict. */
export interface AttemptWithVerdict<T> {
  readonly received: AttemptResult;
  readonly verdict: Verdict<T>;
  /** The time when it was sent (ms since 1970). */
  readonly sentAt: number;
}

/**
 * Makes one attempt to send a request. `beforeSend` is called at the last moment; where it returns false, nothing is
 * sent and the result is undefined.
 */
export type SendOnce = <T>(
  delivery: RequestInDelivery<T>,
  beforeSend: () => boolean,
) => Promise<AttemptWithVerdict<T> | undefined>;

/** Sends a request, repeatedly where needed, until its verdict is of one of these kinds. */
export type DeliverRequest<Kind extends Verdict<unknown>['kind']> = <T>(
  delivery: RequestInDelivery<T>,
) => Promise<Extract<Verdict<T>, { readonly kind: Kind }>>;

/** The options of a call; a probe tests whether an outage is over, and is sent in spite of it. */
export type DeliveryOptions = EndpointCallOptions & { readonly probe?: boolean };

/** A request that is being delivered, with the state that all of its attempts share. */
export interface RequestInDelivery<T> {
  readonly endpoint: Endpoint<T>;
  readonly request: TransportRequest;
  readonly bucket: string;
  readonly options: DeliveryOptions;
  readonly counts: RequestCounts;
  readonly permission: PermissionGate;
  /** True once an attempt is repeated after a 429 or a failure: the next attempt goes to the front of its bucket. */
  again: boolean;
}
