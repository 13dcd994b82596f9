import { createValidationError } from '../api-error.ts';
import { isEmail, isPhone } from './shapes.ts';

/** The contact identifier of a path (specification: Contact identifier); `key` is the e-mail in lower case. */
export type ContactPathIdentifier =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'email'; readonly text: string; readonly key: string }
  | { readonly kind: 'phone'; readonly text: string };

/** Parses the identifier of a decoded path segment; throws a 400 for any other text. */
export function parseContactIdentifier(segment: string): ContactPathIdentifier {
  const colon = segment.indexOf(':');
  const kind = segment.slice(0, Math.max(colon, 0));
  const text = segment.slice(colon + 1);
  if (kind === 'id' && /^[1-9]\d{0,14}$/.test(text)) return { kind, id: Number(text) };
  if (kind === 'email' && isEmail(text)) return { kind, text, key: toEmailKey(text) };
  if (kind === 'phone' && isPhone(text)) return { kind, text };
  throw createValidationError(
    `"${segment}" is no contact identifier: id:<number>, email:<address> or phone:+<digits>`,
  );
}

/** Returns the form in which e-mails are compared: lower case. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
