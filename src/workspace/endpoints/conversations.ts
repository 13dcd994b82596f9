import type { Answer } from '../../model/answer.ts';
import type { Identifier } from '../../model/identifier.ts';
import { contactPath } from '../path.ts';
import { type ContactReference, contactReference } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

/** The body of a status change; `summary` counts only beside a `category`. */
export interface ConversationStatus {
  readonly status: 'open' | 'close';
  readonly category?: string;
  readonly summary?: string;
}

const setStatus: Endpoint<ContactReference> = {
  operation: 'conversations.setStatus',
  method: 'POST',
  template: '/contact/{identifier}/conversation/status',
  idempotent: false,
  response: contactReference,
};

const assign: Endpoint<ContactReference> = {
  operation: 'conversations.assign',
  method: 'POST',
  template: '/contact/{identifier}/conversation/assignee',
  idempotent: false,
  response: contactReference,
};

export const conversationEndpoints = [setStatus, assign] as const;

/** The operations on conversations (specification: Endpoints, Conversations). */
export interface ConversationCalls {
  setStatus(
    identifier: Identifier,
    body: ConversationStatus,
    options?: CallOptions,
  ): Promise<Answer<ContactReference>>;
  /** Assigns to a user, by id or e-mail; null unassigns. */
  assign(
    identifier: Identifier,
    assignee: string | null,
    options?: CallOptions,
  ): Promise<Answer<ContactReference>>;
}

export function conversationCalls(call: Call): ConversationCalls {
  return {
    setStatus: (identifier, body, options) =>
      call(setStatus, { path: contactPath(identifier, '/conversation/status'), body }, options),
    assign: (identifier, assignee, options) =>
      call(assign, { path: contactPath(identifier, '/conversation/assignee'), body: { assignee } }, options),
  };
}
