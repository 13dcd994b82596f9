import { keyset, pageRequest, readPage } from '../paging.ts';
import { invalid } from '../refusal.ts';
import { userOf } from '../store/users.ts';
import { absent, type Endpoint, linksOf } from './endpoint.ts';

export const listUsers: Endpoint = {
  method: 'GET',
  template: '/space/user',
  writes: false,
  documents: [],
  handle(call) {
    const listing = keyset(call.store.queries.users, 'SELECT id, body FROM users WHERE pending = 0', []);
    return readPage(listing, pageRequest(call.query, 100), linksOf(call), userOf);
  },
};

export const readUser: Endpoint = {
  method: 'GET',
  template: '/space/user/{id}',
  writes: false,
  documents: [],
  handle(call) {
    const id = call.params.id ?? '';
    if (!/^\d{1,15}$/.test(id)) throw invalid(`"${id}" is no user id`);
    const user = call.store.users.byId(Number(id));
    if (user === undefined) throw absent(call, 'User not found');
    return user;
  },
};
