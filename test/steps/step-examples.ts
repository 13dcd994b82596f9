import type { WorkspaceAnswer } from '../../src/model/answer.ts';
import { createAssigneeStep } from '../../src/steps/assignee.ts';
import { createCommentStep } from '../../src/steps/comments.ts';
import { createConversationStep } from '../../src/steps/conversation.ts';
import { contactCreateStep } from '../../src/steps/create-contact.ts';
import { tagDeleteStep } from '../../src/steps/delete-tag.ts';
import { customFieldEnsureStep } from '../../src/steps/ensure-field.ts';
import { tagEnsureStep } from '../../src/steps/ensure-tag.ts';
import { createLifecycleStep } from '../../src/steps/lifecycle.ts';
import { contactMergeStep } from '../../src/steps/merge-contacts.ts';
import type { WorkspacePort } from '../../src/steps/port.ts';
import type { EffectResult, SettleResult, Step } from '../../src/steps/step.ts';
import { createAttachTagsStep } from '../../src/steps/tags.ts';
import { createContactUpdateStep } from '../../src/steps/update-contact.ts';
import type { EndpointCallOptions } from '../../src/workspace/index.ts';
import { rules } from './drafts.ts';

/** An effect of a step, how it goes over the wire, and what can be known of it when its answer is lost. */
export interface StepExample {
  readonly step: string;
  readonly effect: unknown;
  /** The request that makes the change. */
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly body: unknown;
  /** The endpoint that settling reads; none where nobody can read it back. */
  readonly reads: { readonly method: string; readonly template: string } | null;
  parse(intent: unknown): unknown;
  send(workspace: WorkspacePort, options?: EndpointCallOptions): Promise<WorkspaceAnswer<EffectResult>>;
  settle(workspace: WorkspacePort, options?: EndpointCallOptions): Promise<SettleResult>;
}

const contact = { method: 'GET', template: '/contact/{identifier}' };

function example<E>(
  step: Step<E>,
  effect: E,
  request: Pick<StepExample, 'method' | 'template' | 'path' | 'body'>,
  reads: StepExample['reads'] = contact,
): StepExample {
  return {
    step: step.name,
    effect,
    ...request,
    reads,
    parse: (intent) => step.parse(intent),
    send: (workspace, options) => step.send(workspace, effect, options),
    settle: (workspace, options) => step.settle(workspace, effect, options),
  };
}

/** Tags where the user declares the call that attaches them. */
function attachTags() {
  const step = createAttachTagsStep({
    mapping: { tags: { from: 'Tags', attach: 'extension' } },
    attachTags: { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' },
  });
  if (step.kind !== 'state') throw new Error('tags are listed, not attached');
  return step;
}

const noRules = { mapping: {} };

/** One example of each step, on the people of the shared seed; none of them stands there yet. */
export const examples: Readonly<Record<string, StepExample>> = {
  ensureField: example(
    customFieldEnsureStep,
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
    tagEnsureStep,
    { name: 'new', description: 'Just in', colorCode: '#ff0000', emoji: '🎉', overwrite: true },
    {
      method: 'POST',
      template: '/space/tag',
      path: '/space/tag',
      body: { name: 'new', description: 'Just in', colorCode: '#ff0000', emoji: '🎉' },
    },
    { method: 'PUT', template: '/space/tag' },
  ),
  deleteTag: example(
    tagDeleteStep,
    { name: 'vip' },
    { method: 'DELETE', template: '/space/tag', path: '/space/tag', body: { name: 'vip' } },
    { method: 'PUT', template: '/space/tag' },
  ),
  create: example(
    contactCreateStep,
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
    createContactUpdateStep(rules),
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
    contactMergeStep,
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
    attachTags(),
    { contactId: 7, tags: ['a', 'b'] },
    {
      method: 'POST',
      template: '/contact/{identifier}/tag',
      path: '/contact/id:7/tag',
      body: ['a', 'b'],
    },
  ),
  lifecycle: example(
    createLifecycleStep(noRules),
    { contactId: 7, name: null },
    {
      method: 'POST',
      template: '/contact/{identifier}/lifecycle/update',
      path: '/contact/id:7/lifecycle/update',
      body: { name: '' },
    },
  ),
  comment: example(
    createCommentStep(noRules),
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
    createAssigneeStep(),
    { contactId: 7, userId: 2 },
    {
      method: 'POST',
      template: '/contact/{identifier}/conversation/assignee',
      path: '/contact/id:7/conversation/assignee',
      body: { assignee: '2' },
    },
  ),
  conversation: example(
    createConversationStep(noRules),
    { contactId: 7, status: 'closed', category: 'Migrated', summary: 'Imported 7' },
    {
      method: 'POST',
      template: '/contact/{identifier}/conversation/status',
      path: '/contact/id:7/conversation/status',
      body: { status: 'close', category: 'Migrated', summary: 'Imported 7' },
    },
  ),
};
