import { listClause } from '../filters/filter.ts';
import { keyset, pageRequest, readPage } from '../paging.ts';
import { type Endpoint, linksOf, shownContact } from './endpoint.ts';

export const listContacts: Endpoint = {
  method: 'POST',
  template: '/contact/list',
  writes: false,
  documents: [],
  handle(call) {
    const request = pageRequest(call.query, call.settings.listLimit);
    const { sql, params } = listClause(call.body, call.store, call.settings);
    const listing = keyset(
      call.store.queries.contacts,
      `SELECT * FROM contacts WHERE readyAt <= ? AND ${sql}`,
      [call.now, ...params],
    );
    return readPage(listing, request, linksOf(call), (row) => shownContact(call, row));
  },
};
