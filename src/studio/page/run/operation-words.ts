import { t } from '../language.ts';

const conversation = '/contact/{identifier}/conversation';

const words: Readonly<Record<string, string>> = {
  'POST /contact/{identifier}': t('Create a contact'),
  'GET /contact/{identifier}': t('Read a contact'),
  'PUT /contact/{identifier}': t('Update a contact'),
  'POST /contact/merge': t('Merge two contacts'),
  'POST /contact/list': t('List the contacts'),
  'POST /contact/{identifier}/lifecycle/update': t('Set the lifecycle stage'),
  'POST /contact/{identifier}/comment': t('Add a comment'),
  [`POST ${conversation}/status`]: t('Open or close a conversation'),
  [`POST ${conversation}/assignee`]: t('Assign a contact'),
  'GET /contact/{identifier}/message/list': t('List the messages of a contact'),
  'GET /contact/{identifier}/message/{messageId}': t('Read a message'),
  'GET /space/custom_field': t('List the custom fields'),
  'POST /space/custom_field': t('Create a custom field'),
  'POST /space/tag': t('Create a tag'),
  'PUT /space/tag': t('Update a tag'),
  'DELETE /space/tag': t('Delete a tag'),
  'GET /space/user': t('List the users'),
  'GET /space/user/{id}': t('Read a user'),
  'GET /space/closing_notes': t('List the closing notes'),
};

/** Returns what an operation of the interface does, in words; its method and path where they are not known. */
export function formatOperation(operation: string): string {
  return words[operation] ?? operation;
}
