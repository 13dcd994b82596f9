import { pageRequest, readPage, shortListing } from '../paging.ts';
import { type Endpoint, linksOf } from './endpoint.ts';

export const listClosingNotes: Endpoint = {
  method: 'GET',
  template: '/space/closing_notes',
  writes: false,
  documents: [],
  handle(call) {
    const listing = shortListing(call.store.closingNotes.all());
    return readPage(listing, pageRequest(call.query, 100), linksOf(call), ({ category, description }) =>
      description === null ? { category } : { category, description },
    );
  },
};
