import { contactView, typedContactView } from '../contact-view.ts';
import type { Settings } from '../options.ts';
import type { PageLinks } from '../paging.ts';
import { invalid, notFound, queued, type Refusal } from '../refusal.ts';
import type { JsonObject } from '../rules/body.ts';
import { identifierOf } from '../rules/identifier.ts';
import type { ContactRow } from '../store/contacts.ts';
import type { Store } from '../store/store.ts';

/** The context of a route. */
export interface Context {
  readonly settings: Settings;
  readonly store: Store;
  /** Ends in the version segment: `/v1`, or `/v2` for a request that came in under that. */
  readonly baseUrl: string;
}

/** One request, its path matched and its body parsed. */
export interface Call extends Context {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Encoded, without `/v1` and the query. */
  readonly rawPath: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An operation of the specification. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the specification writes it, relative to the base address. */
  readonly template: string;
  /** It changes nothing although its method could; no GET does. */
  readonly reads?: true;
  readonly creates?: true;
  /** Statuses that the specification's table lists for it besides 400, 401, 429 and 500; none unless stated. */
  readonly documents?: readonly (404 | 449)[];
  /** A body as published clients send it, rewritten as the specification has it; not asked under `strict`. */
  readonly fromClients?: (body: JsonObject) => JsonObject;
  /** The body that `null` stands for, as published clients send it; not used under `strict`. */
  readonly fromNull?: JsonObject;
  /** The JSON of a success; throws a Refusal otherwise. Changes are whole or none. */
  handle(call: Call): object;
}

/** Returns the contact of the path; throws the specification's refusal for one that is absent or still in processing. */
export function contactOf(call: Call): ContactRow {
  const found = call.store.contacts.find(identifierOf(call.params.identifier ?? ''), call.now);
  if (found.kind === 'ready') return found.row;
  throw found.kind === 'absent' ? absent(call) : inProcessing(call);
}

/** Returns the refusal for an absent resource: 404, or 400 where the table has none and the sandbox keeps to the table. */
export function absent(call: Call, message?: string): Refusal {
  if (call.endpoint.documents?.includes(404) || call.settings.absentUndocumented === 404) {
    return notFound(message);
  }
  return invalid(message ?? 'Contact not found');
}

/** Returns true if an operation can answer 449: by the specification's table, or because the sandbox does so everywhere. */
export function canQueue({ documents }: Endpoint, { processingUndocumented }: Settings): boolean {
  return documents?.includes(449) === true || processingUndocumented === 'queued';
}

function inProcessing(call: Call): Refusal {
  if (call.settings.processingAnswer === 404 || !canQueue(call.endpoint, call.settings)) return absent(call);
  return queued();
}

/** Returns a contact as this sandbox shows it, with custom field values as text or typed. */
export function shownContact({ settings, store }: Call, row: ContactRow): object {
  return settings.customFieldValues === 'typed' ? typedContactView(row, store) : contactView(row, store);
}

export function linksOf(call: Call, cursor: PageLinks['cursor'] = 'last'): PageLinks {
  return { url: `${call.baseUrl}${call.rawPath}`, absent: call.settings.lastNext, cursor };
}

export function secondsOf(call: Call): number {
  return Math.floor(call.now / 1000);
}
