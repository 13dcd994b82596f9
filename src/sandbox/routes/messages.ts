import { createValidationError } from '../api-error.ts';
import { createKeysetListing, parsePageRequest, readPage } from '../paging.ts';
import { isIntegerText } from '../rules/shapes.ts';
import { toMessageView } from '../store/messages.ts';
import {
  createMissingResourceError,
  requireContact,
  type SandboxEndpoint,
  toPageLinkOptions,
} from './endpoint.ts';

const longestPage = 50;

const listMessages: SandboxEndpoint = {
  method: 'GET',
  template: '/contact/{identifier}/message/list',
  handle(call) {
    const request = parsePageRequest(call.query, longestPage);
    const row = requireContact(call);
    const listing = createKeysetListing(
      call.store.queries.messages,
      'SELECT * FROM messages WHERE contact = ?',
      [row.id],
      call.settings.messageOrder === 'newest' ? 'descending' : 'ascending',
    );
    return readPage(listing, request, toPageLinkOptions(call, 'next'), toMessageView);
  },
};

const readMessage: SandboxEndpoint = {
  method: 'GET',
  template: '/contact/{identifier}/message/{messageId}',
  documents: [449],
  handle(call) {
    const id = call.params.messageId ?? '';
    if (id.startsWith('-') || !isIntegerText(id)) throw createValidationError(`"${id}" is no message id`);
    const row = requireContact(call);
    const message = call.store.messages.byId(row.id, Number(id));
    if (message === undefined) throw createMissingResourceError(call, 'Message not found');
    return toMessageView(message);
  },
};

export const messageRoutes: readonly SandboxEndpoint[] = [listMessages, readMessage];
