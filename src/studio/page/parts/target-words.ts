import type { TargetOutline } from '../../wire/mapping.ts';
import { t } from '../language.ts';

/** Labels of the contact fields, in the order of the list. */
export const contactFieldLabels: Readonly<Record<string, string>> = {
  firstName: t('First name'),
  lastName: t('Last name'),
  email: t('E-mail'),
  phone: t('Phone'),
  language: t('Language'),
  countryCode: t('Country'),
  profilePic: t('Picture'),
};

/** Labels of the other targets of a column. */
export const otherTargetLabels: Readonly<Record<string, string>> = {
  tags: t('Tags'),
  lifecycle: t('Lifecycle stage'),
  assignee: t('Assignee'),
  conversation: t('Conversation'),
  comments: t('Comment'),
};

/** Labels of the other properties of a contact, by their names in the workspace. */
const propertyLabels: Readonly<Record<string, string>> = {
  status: t('Conversation'),
  closing: t('Closing note'),
  category: t('Closing note: category'),
  summary: t('Closing note: summary'),
};

const ownLabels = { ...propertyLabels, ...otherTargetLabels, ...contactFieldLabels };
const labelsInUse = new Set(Object.values(ownLabels));

/**
 * Returns the label of a field of a contact, by its name in a plan, a run or a proposal: `email`, `customFields.Plan`. A
 * custom field with the label of another field says what it is.
 */
export function formatFieldLabel(field: string): string {
  const own = ownLabels[field];
  if (own !== undefined) return own;
  const name = field.replace(/^customFields\./, '');
  return labelsInUse.has(name) ? t('{name} (custom field)', { name }) : name;
}

/** Returns the label of a target, by its name in the mapping: `contact.email`, `customFields.Plan`, `tags`. */
export function formatTargetLabel(name: string, label: string | null = null): string {
  const [part = '', ...rest] = name.split('.');
  const own = rest.join('.');
  if (part === 'contact') return [contactFieldLabels[rest[0] ?? ''] ?? rest[0], ...rest.slice(1)].join(': ');
  if (part === 'customFields') return own;
  if (name === 'identity') return t('Identity');
  if (name === 'file') return t('File');
  const words = otherTargetLabels[part] ?? name;
  return label === null ? words : `${words}: ${label}`;
}

/** Returns the label of a target with its kind. */
export function formatTargetWithKind({ name, label }: Pick<TargetOutline, 'name' | 'label'>): string {
  const words = formatTargetLabel(name, label);
  return name.startsWith('customFields.') ? t('Custom field: {name}', { name: words }) : words;
}
