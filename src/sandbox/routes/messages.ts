import { keyset, pageRequest, readPage } from '../paging.ts';
import { invalid } from '../refusal.ts';
import { isIntegerText } from '../rules/shapes.ts';
import { messageOf } from '../store/messages.ts';
import { absent, contactOf, type Endpoint, linksOf } from './endpoint.ts';

const longestPage = 50;

const listMessages: Endpoint = {
  method: 'GET',
  template: '/contact/{identifier}/message/list',
  handle(call) {
    const request = pageRequest(call.query, longestPage);
    const row = contactOf(call);
    const listing = keyset(
      call.store.queries.messages,
      'SELECT * FROM messages WHERE contact = ?',
      [row.id],
      call.settings.messageOrder === 'newest' ? 'descending' : 'ascending',
    );
    return readPage(listing, request, linksOf(call, 'next'), messageOf);
  },
};

const readMessage: Endpoint = {
  method: 'GET',
  template: '/contact/{identifier}/message/{messageId}',
  documents: [449],
  handle(call) {
    const id = call.params.messageId ?? '';
    if (id.startsWith('-') || !isIntegerText(id)) throw invalid(`"${id}" is no message id`);
    const row = contactOf(call);
    const message = call.store.messages.byId(row.id, Number(id));
    if (message === undefined) throw absent(call, 'Message not found');
    return messageOf(message);
  },
};

export const messageRoutes: readonly Endpoint[] = [listMessages, readMessage];
