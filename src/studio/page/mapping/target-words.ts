import type { OutlinedTarget } from '../../wire/mapping.ts';

/** The fields of a contact, in the order of the list. */
export const contactFields: Readonly<Record<string, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  language: 'Language',
  countryCode: 'Country',
  profilePic: 'Picture',
};

/** The others that a column can fill. */
export const otherTargets: Readonly<Record<string, string>> = {
  tags: 'Tags',
  lifecycle: 'Lifecycle stage',
  assignee: 'Assignee',
  conversation: 'Conversation',
  comments: 'Comment',
};

/** A target in words, by its name in the mapping: `contact.email`, `customFields.Plan`, `tags`. */
export function targetWords(name: string, label: string | null = null): string {
  const [part = '', ...rest] = name.split('.');
  const own = rest.join('.');
  if (part === 'contact') return [contactFields[rest[0] ?? ''] ?? rest[0], ...rest.slice(1)].join(': ');
  if (part === 'customFields') return own;
  if (name === 'identity') return 'Identity';
  if (name === 'file') return 'File';
  const words = otherTargets[part] ?? name;
  return label === null ? words : `${words}: ${label}`;
}

/** The same with what kind of target it is. */
export function fullWords({ name, label }: Pick<OutlinedTarget, 'name' | 'label'>): string {
  const words = targetWords(name, label);
  return name.startsWith('customFields.') ? `Custom field: ${words}` : words;
}

/** What a problem does to its row. */
export const effectWords = {
  rejected: 'rejected',
  rejectedIfNew: 'rejected if new',
  dropped: 'value lost',
} as const;
