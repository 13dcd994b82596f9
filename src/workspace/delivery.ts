import type { TransportRequest } from '../model/ports.ts';
import type { CallOptions, Endpoint } from './endpoints/endpoint.ts';
import type { Permission } from './permissions.ts';
import type { RequestCounts } from './request-counts.ts';
import type { AttemptResult, Verdict } from './verdict.ts';

/** One attempt that has left, and what came of it. */
export interface ExchangeResult<T> {
  readonly received: AttemptResult;
  readonly verdict: Verdict<T>;
  /** When it left (ms since 1970). */
  readonly sentAt: number;
}

/**
 * Makes one attempt. `beforeSend` is asked at the last moment: where it says no, nothing leaves, and there is nothing to
 * give.
 */
export type Exchange = <T>(
  delivery: Delivery<T>,
  beforeSend: () => boolean,
) => Promise<ExchangeResult<T> | undefined>;

/** Delivers a request until its verdict is one of these. */
export type Deliver<Kind extends Verdict<unknown>['kind']> = <T>(
  delivery: Delivery<T>,
) => Promise<Extract<Verdict<T>, { readonly kind: Kind }>>;

/** The options of a call; a probe asks whether an outage is over, and is sent in spite of it. */
export type DeliveryOptions = CallOptions & { readonly probe?: boolean };

/** One request on its way, with what all of its attempts share. */
export interface Delivery<T> {
  readonly endpoint: Endpoint<T>;
  readonly request: TransportRequest;
  readonly bucket: string;
  readonly options: DeliveryOptions;
  readonly counts: RequestCounts;
  readonly permission: Permission;
  /** Sent before: goes to the front of its bucket. */
  again: boolean;
}
