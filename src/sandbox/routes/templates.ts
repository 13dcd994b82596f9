import { keyset, pageRequest, readPage } from '../paging.ts';
import { invalid } from '../refusal.ts';
import { templateOf } from '../store/channels.ts';
import { absent, type Endpoint, linksOf } from './endpoint.ts';

export const listTemplates: Endpoint = {
  method: 'GET',
  template: '/space/channel/{id}/template',
  writes: false,
  documents: [],
  handle(call) {
    const id = call.params.id ?? '';
    if (!/^\d{1,15}$/.test(id)) throw invalid(`"${id}" is no channel id`);
    const request = pageRequest(call.query, 100);
    if (!call.store.channels.has(Number(id))) throw absent(call, 'Channel not found');
    const listing = keyset(call.store.queries.templates, 'SELECT * FROM templates WHERE channel = ?', [
      Number(id),
    ]);
    return readPage(listing, request, linksOf(call, 'next'), templateOf);
  },
};
