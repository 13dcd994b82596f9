import type { TransportRequest } from '../model/ports.ts';
import type { CallOptions, CallWaits, Endpoint } from './endpoints/endpoint.ts';
import type { Permission } from './permissions.ts';
import type { RequestCounts } from './request-counts.ts';
import type { Reading, Received, Verdict } from './verdict.ts';
import { isListOfWorkspace } from './wrong-address.ts';

/** One attempt that has left, and what came of it. */
export interface Exchanged<T> {
  readonly received: Received;
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
) => Promise<Exchanged<T> | undefined>;

/** Delivers a request until its verdict is one of these. */
export type Deliver<Kind extends Verdict<unknown>['kind']> = <T>(
  delivery: Delivery<T>,
) => Promise<Extract<Verdict<T>, { readonly kind: Kind }>>;

/** One request on its way, with what all of its attempts share. */
export interface Delivery<T> {
  readonly request: TransportRequest;
  readonly bucket: string;
  readonly idempotent: boolean;
  readonly urgent: boolean;
  readonly readOnly: boolean;
  /** It asks whether an outage is over, and leaves in spite of it. */
  readonly probe: boolean;
  readonly waits: CallWaits;
  /** Every workspace has it: where it is not there, the base URL is wrong. */
  readonly everywhere: boolean;
  readonly reading: Reading<T>;
  readonly counts: RequestCounts;
  readonly permission: Permission;
  /** Left before: goes to the front of its bucket. */
  again: boolean;
}

/** A request of an endpoint that has not left yet. */
export function deliveryOf<T>(
  endpoint: Endpoint<T>,
  { path, query = '', body }: { readonly path: string; readonly query?: string; readonly body?: unknown },
  options: CallOptions & { readonly probe?: boolean },
  shared: Pick<Delivery<T>, 'counts' | 'permission'>,
): Delivery<T> {
  const { method } = endpoint;
  return {
    request: { method, path, query, body: body === undefined ? undefined : JSON.stringify(body) },
    bucket: `${method} ${path}`,
    idempotent: options.idempotent ?? endpoint.idempotent,
    urgent: options.urgent ?? false,
    readOnly: method === 'GET' || endpoint.readOnly === true,
    probe: options.probe ?? false,
    waits: options.waits ?? noWaits,
    everywhere: options.probe !== true && isListOfWorkspace(endpoint),
    reading: readingOf(endpoint),
    ...shared,
    again: false,
  };
}

const noWaits: CallWaits = {};

/** Checks a body against the endpoint's schema, and says in a sentence what does not fit. */
function readingOf<T>(endpoint: Endpoint<T>): Reading<T> {
  return {
    emptyPasses: endpoint.emptyPasses ?? false,
    exact: endpoint.exact ?? false,
    read: (body) => {
      const result = endpoint.response.safeParse(body);
      if (result.success) return { value: result.data };
      const issue = result.error.issues[0];
      const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
      return { misfit: `${where}: ${issue?.message ?? 'unknown'}` };
    },
  };
}
