import {
  type ApiError,
  createNotFoundError,
  createQueuedError,
  createValidationError,
} from '../api-error.ts';
import { toContactView, toTypedContactView } from '../contact-view.ts';
import type { SandboxSettings } from '../options.ts';
import type { PageLinkOptions } from '../paging.ts';
import type { JsonObject } from '../rules/body.ts';
import { parseContactIdentifier } from '../rules/identifier.ts';
import type { ContactRow } from '../store/contacts.ts';
import type { SandboxStore } from '../store/store.ts';

/** The settings, the store and the base URL that every route uses. */
export interface SandboxContext {
  readonly settings: SandboxSettings;
  readonly store: SandboxStore;
  /** Ends in the version segment: `/v1`, or `/v2` for a request that came in under that. */
  readonly baseUrl: string;
}

/** One request, its path matched and its body parsed. */
export interface RouteCall extends SandboxContext {
  readonly endpoint: SandboxEndpoint;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Encoded, without `/v1` and the query. */
  readonly rawPath: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An operation of the specification or of an extension. */
export interface SandboxEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with its parameters (`/space/user/{id}`), relative to the base URL. */
  readonly template: string;
  /** Set if the operation changes nothing although its method is not GET. */
  readonly reads?: true;
  readonly creates?: true;
  /** Statuses that the specification's table lists for the operation besides 400, 401, 429 and 500; absent for none. */
  readonly documents?: readonly (404 | 449)[];
  /**
   * Converts a body from the form in which published clients send it to the specification's; not used under `strict`.
   */
  readonly fromClients?: (body: JsonObject) => JsonObject;
  /** The body that replaces `null`, which published clients send; not used under `strict`. */
  readonly fromNull?: JsonObject;
  /** Returns the JSON of a success, or throws an ApiError without having changed anything. */
  handle(call: RouteCall): object;
}

/**
 * Returns the contact of the path; throws the specification's refusal for one that is absent or still in processing.
 */
export function requireContact(call: RouteCall): ContactRow {
  const found = call.store.contacts.find(parseContactIdentifier(call.params.identifier ?? ''), call.now);
  if (found.kind === 'ready') return found.row;
  throw found.kind === 'absent' ? createMissingResourceError(call) : inProcessing(call);
}

/**
 * Returns the error for a missing resource: 404, or 400 where the specification's table lists no 404 and
 * `absentUndocumented` is 400.
 */
export function createMissingResourceError(call: RouteCall, message?: string): ApiError {
  if (call.endpoint.documents?.includes(404) || call.settings.absentUndocumented === 404) {
    return createNotFoundError(message);
  }
  return createValidationError(message ?? 'Contact not found');
}

/**
 * Returns true if an operation can return 449: the specification's table lists it, or `processingUndocumented` is
 * `queued`.
 */
export function canReturn449(
  { documents }: SandboxEndpoint,
  { processingUndocumented }: SandboxSettings,
): boolean {
  return documents?.includes(449) === true || processingUndocumented === 'queued';
}

function inProcessing(call: RouteCall): ApiError {
  if (call.settings.processingAnswer === 404 || !canReturn449(call.endpoint, call.settings))
    return createMissingResourceError(call);
  return createQueuedError();
}

/** Returns a contact as this sandbox shows it, with custom field values as text or typed. */
export function toContactResponse({ settings, store }: RouteCall, row: ContactRow): object {
  return settings.customFieldValues === 'typed' ? toTypedContactView(row, store) : toContactView(row, store);
}

export function toPageLinkOptions(
  call: RouteCall,
  cursor: PageLinkOptions['cursor'] = 'last',
): PageLinkOptions {
  return { url: `${call.baseUrl}${call.rawPath}`, absent: call.settings.lastNext, cursor };
}

export function getRequestUnixTime(call: RouteCall): number {
  return Math.floor(call.now / 1000);
}
