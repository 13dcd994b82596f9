import { ada, fresh, nobody, nonsense, type OperationRow } from './operation-row.ts';

const contact = '/contact/{identifier}';

export const contactRows: readonly OperationRow[] = [
  {
    operation: 'contacts.create',
    method: 'POST',
    template: contact,
    again: false,
    documents: [400],
    call: (workspace, n) => workspace.contacts.create(fresh(n), { firstName: 'Fresh', countryCode: 'MY' }),
    value: () => ({ code: '201' }),
    invalid: (workspace) => workspace.contacts.create(nonsense, { firstName: 'Fresh' }),
  },
  {
    operation: 'contacts.read',
    method: 'GET',
    template: contact,
    again: true,
    documents: [400, 404],
    call: (workspace) => workspace.contacts.read({ kind: 'phone', value: '+60123456789' }),
    value: () => ({
      id: 1,
      firstName: 'Ada',
      email: 'ada@acme.test',
      tags: ['vip'],
      assignee: { id: 1, email: 'olive@acme.test' },
      custom_fields: [
        { name: 'Plan', value: 'gold' },
        { name: 'Score', value: null },
      ],
    }),
    invalid: (workspace) => workspace.contacts.read(nonsense),
    absent: (workspace) => workspace.contacts.read(nobody),
  },
  {
    operation: 'contacts.update',
    method: 'PUT',
    template: contact,
    again: true,
    documents: [400, 449],
    call: (workspace, n) => workspace.contacts.update(ada, { firstName: 'Ada', lastName: `L${n}` }),
    value: () => ({ contactId: 1 }),
    invalid: (workspace) => workspace.contacts.update(ada, { firstName: 'Ada', countryCode: 'Malaysia' }),
    absent: (workspace) => workspace.contacts.update(nobody, { firstName: 'Nobody' }),
  },
  {
    operation: 'contacts.merge',
    method: 'POST',
    template: '/contact/merge',
    again: false,
    documents: [400],
    prepare: (sandbox, n) =>
      sandbox.add({
        contacts: [
          { id: 10_000 + n, firstName: 'Older', created_at: 1 },
          { id: 20_000 + n, firstName: 'Younger', created_at: 2 },
        ],
      }),
    call: (workspace, n) =>
      workspace.contacts.merge({ contactIds: [20_000 + n, 10_000 + n], firstName: 'Merged' }),
    value: (n) => ({ contactId: 10_000 + n }),
    invalid: (workspace) => workspace.contacts.merge({ contactIds: [1, 1], firstName: 'Same' }),
  },
  {
    operation: 'contacts.list',
    method: 'POST',
    template: '/contact/list',
    again: true,
    documents: [400],
    call: (workspace) =>
      workspace.contacts.list({
        limit: 5,
        search: 'ada@acme.test',
        timezone: 'Asia/Kuala_Lumpur',
        filter: {
          $and: [{ category: 'lifecycle', field: 'lifecycle', operator: 'isEqualTo', value: 'Customer' }],
        },
      }),
    value: () => ({ items: [{ id: 1, firstName: 'Ada' }], next: null }),
    invalid: (workspace) => workspace.contacts.list({ limit: 1_000 }),
  },
  {
    operation: 'contacts.setLifecycle',
    method: 'POST',
    template: `${contact}/lifecycle/update`,
    again: false,
    documents: [],
    call: (workspace, n) => workspace.contacts.setLifecycle(ada, n % 2 === 0 ? 'Customer' : null),
    value: () => ({ code: 200 }),
    absent: (workspace) => workspace.contacts.setLifecycle(nobody, 'Customer'),
  },
  {
    operation: 'contacts.comment',
    method: 'POST',
    template: `${contact}/comment`,
    again: false,
    documents: [400, 404, 449],
    call: (workspace, n) => workspace.contacts.comment(ada, `Comment ${n}`),
    value: (n) => ({ contactId: 1, text: `Comment ${n}` }),
    invalid: (workspace) => workspace.contacts.comment(ada, ''),
    absent: (workspace) => workspace.contacts.comment(nobody, 'Hello?'),
  },
];

export const conversationRows: readonly OperationRow[] = [
  {
    operation: 'conversations.setStatus',
    method: 'POST',
    template: `${contact}/conversation/status`,
    again: false,
    documents: [400, 404, 449],
    call: (workspace) =>
      workspace.conversations.setStatus(ada, { status: 'close', category: 'Migrated', summary: 'Done' }),
    value: () => ({ contactId: 1 }),
    invalid: (workspace) =>
      workspace.conversations.setStatus(ada, { status: 'close', category: 'No such note' }),
    absent: (workspace) => workspace.conversations.setStatus(nobody, { status: 'open' }),
  },
  {
    operation: 'conversations.assign',
    method: 'POST',
    template: `${contact}/conversation/assignee`,
    again: false,
    documents: [400, 404, 449],
    call: (workspace, n) => workspace.conversations.assign(ada, n % 2 === 0 ? 'olive@acme.test' : null),
    value: () => ({ contactId: 1 }),
    invalid: (workspace) => workspace.conversations.assign(ada, 'nobody@acme.test'),
    absent: (workspace) => workspace.conversations.assign(nobody, null),
  },
];

export const messageRows: readonly OperationRow[] = [
  {
    operation: 'messages.list',
    method: 'GET',
    template: `${contact}/message/list`,
    again: true,
    documents: [400],
    call: (workspace) => workspace.messages.list(ada, {}),
    value: () => ({ items: [{ messageId: 7, traffic: 'incoming' }], next: null }),
    invalid: (workspace) => workspace.messages.list(ada, { limit: 51 }),
    absent: (workspace) => workspace.messages.list(nobody, {}),
  },
  {
    operation: 'messages.read',
    method: 'GET',
    template: `${contact}/message/{messageId}`,
    again: true,
    documents: [400, 449],
    call: (workspace) => workspace.messages.read(ada, 7),
    value: () => ({ messageId: 7, message: { type: 'text', text: 'Hi' } }),
    invalid: (workspace) => workspace.messages.read(nonsense, 7),
    absent: (workspace) => workspace.messages.read(ada, 8),
  },
];
