import { invalid } from '../refusal.ts';
import { objectBody } from '../rules/body.ts';
import { contactOf, type Endpoint } from './endpoint.ts';

export const updateLifecycle: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/lifecycle/update',
  writes: true,
  documents: [],
  fromClients: ({ name, ...rest }) => ({ ...rest, name: name === null ? '' : name }),
  handle(call) {
    const row = contactOf(call);
    const { name } = objectBody(call.body, ['name'], call.settings.unknownProperties);
    if (typeof name !== 'string') throw invalid('name is required and must be text; "" removes the stage');
    call.store.contacts.save({ ...row, lifecycle: name === '' ? null : name });
    return { code: 200, message: 'Lifecycle updated successfully' };
  },
};
