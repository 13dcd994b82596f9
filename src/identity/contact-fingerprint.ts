import { createHash } from 'node:crypto';
import { type Contact, contactFieldNames } from '../model/contact.ts';

/**
 * Returns a hash that changes when the contact's fields, custom fields, status, lifecycle stage, assignee, tags or
 * blocked state are edited.
 */
export function createContactFingerprint(contact: Contact): string {
  const { status, lifecycle, isBlocked, assignee, tags } = contact;
  const fields = contactFieldNames.map((name) => contact[name]);
  const custom = contact.custom_fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]));
  const lists = [custom.map((entry) => JSON.stringify(entry)).sort(), [...tags].sort()];
  const all = [...fields, status, lifecycle, isBlocked, assignee?.id, ...lists];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
