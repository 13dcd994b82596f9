import { z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Identifier } from '../../model/identifier.ts';
import { contactPath } from '../path.ts';
import { type Lossless, lossless, type Page, type PageQuery, pageOf, pageQuery } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

const status = z.looseObject({
  value: z.string(),
  timestamp: z.number().nullish(),
  message: z.string().nullish(),
});

/** Variants of message and sender other than those the specification shows are kept as they are. */
export const messageSchema = z.looseObject({
  messageId: z.int({ error: 'messageId is not an integer below 2^53 and cannot be read exactly' }),
  channelMessageId: z.union([z.string(), z.number()]).nullish(),
  contactId: z.int(),
  channelId: z.int(),
  traffic: z.string(),
  message: z.looseObject({ type: z.string().nullish(), text: z.string().nullish() }).nullish(),
  status: z
    .array(status)
    .nullish()
    .transform((states) => states ?? []),
  sender: z.looseObject({ source: z.string().nullish() }).nullish(),
});

/** A message as the interface gives it (specification: Message); unknown properties are kept. */
export type Message = z.output<typeof messageSchema>;

const pageSize = 50;

const list: Endpoint<Page<Message>> = {
  operation: 'messages.list',
  method: 'GET',
  template: '/contact/{identifier}/message/list',
  idempotent: true,
  response: pageOf(messageSchema),
};

const listLossless: Endpoint<Page<Lossless<Message>>> = {
  ...list,
  response: pageOf(lossless(messageSchema)),
};

const read: Endpoint<Message> = {
  operation: 'messages.read',
  method: 'GET',
  template: '/contact/{identifier}/message/{messageId}',
  idempotent: true,
  response: messageSchema,
};

export const messageEndpoints = [list, read] as const;

/** The operations on messages (specification: Endpoints, Messages). */
export interface MessageCalls {
  listLossless(
    identifier: Identifier,
    page: PageQuery,
    options?: CallOptions,
  ): Promise<Answer<Page<Lossless<Message>>>>;
  list(identifier: Identifier, page: PageQuery, options?: CallOptions): Promise<Answer<Page<Message>>>;
  read(identifier: Identifier, messageId: number, options?: CallOptions): Promise<Answer<Message>>;
}

export function messageCalls(call: Call): MessageCalls {
  const request = (identifier: Identifier, page: PageQuery) => ({
    path: contactPath(identifier, '/message/list'),
    query: pageQuery(page, pageSize),
  });
  return {
    list: (identifier, page, options) => call(list, request(identifier, page), options),
    listLossless: (identifier, page, options) => call(listLossless, request(identifier, page), options),
    read: (identifier, messageId, options) =>
      call(read, { path: contactPath(identifier, `/message/${messageId}`) }, options),
  };
}
