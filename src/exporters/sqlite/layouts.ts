import type { ExportKind } from '../../model/export-record.ts';
import { contactTable } from './contacts.ts';
import type { TableLayout } from './layout.ts';
import { messageTable } from './messages.ts';
import { objectTable } from './objects.ts';

/** How each kind stands in the database. */
export const layouts: { readonly [K in ExportKind]: TableLayout } = {
  contacts: contactTable,
  changes: objectTable('changes', 'changes'),
  messages: messageTable('messages', 'message_statuses'),
  messageUpdates: messageTable('message_updates', null),
  users: objectTable('users', 'users'),
  customFields: objectTable('customFields', 'custom_fields'),
  closingNotes: objectTable('closingNotes', 'closing_notes'),
  tags: objectTable('tags', 'tags'),
  templates: objectTable('templates', 'templates'),
};
