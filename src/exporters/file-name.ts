import type { ExportKind } from '../model/export-record.ts';

const names: { readonly [K in ExportKind]: string } = {
  contacts: 'contacts',
  changes: 'changes',
  messages: 'messages',
  messageUpdates: 'message-updates',
  users: 'users',
  customFields: 'custom-fields',
  closingNotes: 'closing-notes',
  tags: 'tags',
  templates: 'templates',
};

/** What the file of a kind is called. */
export function fileName(kind: ExportKind, extension: string): string {
  return `${names[kind]}.${extension}`;
}
