import type { Answer } from '../../src/model/answer.ts';
import type { Effected, Operation, Settled } from '../../src/steps/operation.ts';
import { type OperationName, operations } from '../../src/steps/registry.ts';
import type { Workspace } from '../../src/workspace/index.ts';
import { rules } from './drafts.ts';

/** An effect of an operation, how it goes over the wire, and what can be known of it when its answer is lost. */
export interface OperationExample {
  readonly operation: string;
  readonly effect: unknown;
  /** The request that makes the change. */
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly body: unknown;
  /** The endpoint that settling reads; none where nobody can read it back. */
  readonly reads: { readonly method: string; readonly template: string } | null;
  parse(intent: unknown): unknown;
  send(workspace: Workspace): Promise<Answer<Effected>>;
  settle(workspace: Workspace): Promise<Settled>;
}

const contact = { method: 'GET', template: '/contact/{identifier}' };

function example<E>(
  operation: Operation<E> | undefined,
  effect: E,
  request: Pick<OperationExample, 'method' | 'template' | 'path' | 'body'>,
  reads: OperationExample['reads'] = contact,
): OperationExample {
  if (operation === undefined) throw new Error('the operation was not made');
  return {
    operation: operation.name,
    effect,
    ...request,
    reads,
    parse: operation.parse,
    send: (workspace) => operation.send(workspace, effect),
    settle: (workspace) => operation.settle(workspace, effect),
  };
}

const parts = {
  rules,
  attachTags: { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' },
} as const;

/** One example of each operation, on the people of the shared seed; none of them stands there yet. */
export const examples: Readonly<Record<OperationName, OperationExample>> = {
  ensureField: example(
    operations.ensureField(),
    { name: 'Tier', dataType: 'list', slug: 'tier', description: 'How dear', allowedValues: ['a', 'b'] },
    {
      method: 'POST',
      template: '/space/custom_field',
      path: '/space/custom_field',
      body: {
        name: 'Tier',
        dataType: 'list',
        slug: 'tier',
        description: 'How dear',
        allowedValues: ['a', 'b'],
      },
    },
    { method: 'GET', template: '/space/custom_field' },
  ),
  ensureTag: example(
    operations.ensureTag(),
    { name: 'new', description: 'Just in', colorCode: '#ff0000', emoji: '🎉', overwrite: true },
    {
      method: 'POST',
      template: '/space/tag',
      path: '/space/tag',
      body: { name: 'new', description: 'Just in', colorCode: '#ff0000', emoji: '🎉' },
    },
    { method: 'PUT', template: '/space/tag' },
  ),
  create: example(
    operations.create(),
    {
      identifiers: [
        { kind: 'email', value: 'new@acme.test' },
        { kind: 'phone', value: '+60129999999' },
      ],
      body: {
        firstName: 'New',
        lastName: null,
        email: 'new@acme.test',
        phone: '+60129999999',
        custom_fields: [{ name: 'VIP', value: true }],
      },
    },
    {
      method: 'POST',
      template: '/contact/{identifier}',
      path: '/contact/email:new@acme.test',
      body: {
        firstName: 'New',
        lastName: null,
        email: 'new@acme.test',
        phone: '+60129999999',
        custom_fields: [{ name: 'VIP', value: true }],
      },
    },
  ),
  update: example(
    operations.update(parts),
    {
      contactId: 7,
      changes: [
        { kind: 'contact', name: 'lastName', from: null, to: 'Byron' },
        { kind: 'custom', name: 'Score', from: null, to: 5 },
      ],
      body: { firstName: 'Ada', lastName: 'Byron', custom_fields: [{ name: 'Score', value: 5 }] },
    },
    {
      method: 'PUT',
      template: '/contact/{identifier}',
      path: '/contact/id:7',
      body: { firstName: 'Ada', lastName: 'Byron', custom_fields: [{ name: 'Score', value: 5 }] },
    },
  ),
  merge: example(
    operations.merge(),
    {
      contactIds: [8, 7],
      body: { firstName: 'Ada', phone: null, custom_fields: [{ name: 'Note', value: 'met' }] },
    },
    {
      method: 'POST',
      template: '/contact/merge',
      path: '/contact/merge',
      body: {
        contactIds: [8, 7],
        firstName: 'Ada',
        phone: null,
        custom_fields: [{ name: 'Note', value: 'met' }],
      },
    },
  ),
  attachTags: example(
    operations.attachTags(parts),
    { contactId: 7, tags: ['a', 'b'] },
    {
      method: 'POST',
      template: '/contact/{identifier}/tag',
      path: '/contact/id:7/tag',
      body: ['a', 'b'],
    },
  ),
  lifecycle: example(
    operations.lifecycle(),
    { contactId: 7, name: null },
    {
      method: 'POST',
      template: '/contact/{identifier}/lifecycle/update',
      path: '/contact/id:7/lifecycle/update',
      body: { name: '' },
    },
  ),
  comment: example(
    operations.comment(),
    { contactId: 7, comment: 'notes:17', part: { number: 1, of: 2 }, text: '(1/2) Hello' },
    {
      method: 'POST',
      template: '/contact/{identifier}/comment',
      path: '/contact/id:7/comment',
      body: { text: '(1/2) Hello' },
    },
    null,
  ),
  assignee: example(
    operations.assignee(),
    { contactId: 7, userId: 2 },
    {
      method: 'POST',
      template: '/contact/{identifier}/conversation/assignee',
      path: '/contact/id:7/conversation/assignee',
      body: { assignee: '2' },
    },
  ),
  conversation: example(
    operations.conversation(),
    { contactId: 7, status: 'closed', category: 'Migrated', summary: 'Imported 7' },
    {
      method: 'POST',
      template: '/contact/{identifier}/conversation/status',
      path: '/contact/id:7/conversation/status',
      body: { status: 'close', category: 'Migrated', summary: 'Imported 7' },
    },
  ),
};
