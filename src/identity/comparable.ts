import { trimmed } from '../datatypes/index.ts';
import type { Identifier } from '../model/identifier.ts';

/** An e-mail as two of them are compared, or null where there is none. */
export function comparableEmail(email: string | null): string | null {
  return email === null ? null : trimmed(email).normalize('NFC').toLowerCase() || null;
}

/** A phone as two of them are compared, its digits with the plus, or null where there is none. */
export function comparablePhone(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = phone.replace(/\D/g, '').replace(/^00/, '');
  return digits === '' ? null : `+${digits}`;
}

/** How an e-mail or a phone is compared with those of a list; null for what cannot be compared. */
export function comparableText({ kind, value }: Identifier): string | null {
  const comparable = kind === 'email' ? comparableEmail(value) : comparablePhone(value);
  return comparable === null ? null : `${kind}:${comparable}`;
}
