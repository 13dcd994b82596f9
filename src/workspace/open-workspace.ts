import { setMaxListeners } from 'node:events';
import type { Answer } from '../model/answer.ts';
import type { Clock, Randomness, Transport } from '../model/ports.ts';
import { parseBaseUrl, parseToken } from './address.ts';
import { Client } from './client.ts';
import { type ClosingNoteCalls, closingNoteCalls } from './endpoints/closing-notes.ts';
import { type ContactCalls, contactCalls } from './endpoints/contacts.ts';
import { type ConversationCalls, conversationCalls } from './endpoints/conversations.ts';
import { type CustomFieldCalls, customFieldCalls } from './endpoints/custom-fields.ts';
import type { Call } from './endpoints/endpoint.ts';
import { type ExtensionCalls, extensionCalls } from './endpoints/extensions.ts';
import { type MessageCalls, messageCalls } from './endpoints/messages.ts';
import type { Page, PageQuery } from './endpoints/page.ts';
import { type TagCalls, tagCalls } from './endpoints/tags.ts';
import { type TemplateCalls, templateCalls } from './endpoints/templates.ts';
import { type UserCalls, userCalls } from './endpoints/users.ts';
import type { WorkspaceEvent } from './outage.ts';
import { paginate } from './paginate.ts';
import { poolTransport } from './pool-transport.ts';
import type { RequestCounts } from './request-counts.ts';
import { type Rate, Throttle } from './throttle.ts';
import { Wire } from './wire.ts';

/** How hard the client may press. */
export interface WorkspaceLimits {
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Requests per method and path, counted as the workspace counts them. */
  readonly perPath: Rate;
  /** Attempts per request, while the workspace answers others. */
  readonly attempts: number;
  /** Milliseconds of silence after which the run stops. */
  readonly outageMs: number;
}

/** 64 at once, 5 per second and path, 5 attempts, a quarter of an hour of silence. */
export const defaultLimits: WorkspaceLimits = {
  concurrency: 64,
  perPath: { count: 5, ms: 1_000 },
  attempts: 5,
  outageMs: 15 * 60_000,
};

export interface WorkspaceOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly limits: WorkspaceLimits;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Once it is aborted no request leaves any more; calls that wait reject with its reason. */
  readonly signal: AbortSignal;
  /** In place of the network. */
  readonly transport?: Transport;
  readonly onEvent?: (event: WorkspaceEvent) => void;
}

/** A workspace that can be called: every operation of the specification, paced and retried. */
export interface Workspace {
  /** The base URL as it was understood: no slash at its end. */
  readonly baseUrl: string;
  readonly contacts: ContactCalls;
  readonly conversations: ConversationCalls;
  readonly messages: MessageCalls;
  readonly customFields: CustomFieldCalls;
  readonly tags: TagCalls;
  readonly users: UserCalls;
  readonly closingNotes: ClosingNoteCalls;
  readonly templates: TemplateCalls;
  /** What this workspace offers beyond the specification. */
  readonly extensions: ExtensionCalls;
  /** The pages of a list, from a cursor on; throws a FatalError where one cannot be read. */
  paginate<T>(
    list: (page: PageQuery) => Promise<Answer<Page<T>>>,
    from?: PageQuery,
  ): AsyncGenerator<Page<T>, void, void>;
  /** Requests so far, by `<METHOD> <path template>`. */
  requests(): Readonly<Record<string, Readonly<RequestCounts>>>;
  /** Lets nothing leave any more, waits at most that long for what is under way, then drops every connection. */
  close(graceMs: number): Promise<void>;
}

/** Opens a workspace; nothing is sent yet. Throws a FatalError 'usage' where the base URL or the token cannot be used. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  const { limits, clock, randomness, signal } = options;
  const address = parseBaseUrl(options.baseUrl);
  const token = parseToken(options.token);
  const transport =
    options.transport ?? poolTransport({ address, token, connections: limits.concurrency, clock });

  const stop = new AbortController();
  // Every wait listens to it: thousands of them are no leak.
  setMaxListeners(0, stop.signal);
  const passOn = () => stop.abort(signal.reason);
  signal.addEventListener('abort', passOn, { once: true });
  if (signal.aborted) passOn();

  const throttle = new Throttle(limits.perPath, clock, stop.signal);
  const wire = new Wire({ transport, concurrency: limits.concurrency, clock, signal: stop.signal });
  const client = new Client({
    baseUrl: address.origin + address.prefix,
    throttle,
    wire,
    clock,
    randomness,
    attempts: limits.attempts,
    outageMs: limits.outageMs,
    signal: stop.signal,
    onEvent: options.onEvent ?? (() => undefined),
    secret: token,
  });
  const call: Call = (endpoint, request, callOptions) => client.call(endpoint, request, callOptions);

  return {
    baseUrl: address.origin + address.prefix,
    contacts: contactCalls(call),
    conversations: conversationCalls(call),
    messages: messageCalls(call),
    customFields: customFieldCalls(call),
    tags: tagCalls(call),
    users: userCalls(call),
    closingNotes: closingNoteCalls(call),
    templates: templateCalls(call),
    extensions: extensionCalls(call),
    paginate,
    requests: () => client.counter.snapshot(),
    close: async (graceMs) => {
      signal.removeEventListener('abort', passOn);
      stop.abort(new Error('The workspace was closed.'));
      await wire.close(graceMs);
    },
  };
}
