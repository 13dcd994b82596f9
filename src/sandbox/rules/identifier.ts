import { invalid } from '../refusal.ts';
import { isEmail, isPhone } from './shapes.ts';

/** Who a path is about (specification: Contact identifier); an e-mail is lower-cased in `key`. */
export type Identifier =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'email'; readonly text: string; readonly key: string }
  | { readonly kind: 'phone'; readonly text: string };

/** Reads a decoded path segment; throws a 400 where it is none of the three forms. */
export function identifierOf(segment: string): Identifier {
  const colon = segment.indexOf(':');
  const kind = segment.slice(0, Math.max(colon, 0));
  const text = segment.slice(colon + 1);
  if (kind === 'id' && /^[1-9]\d{0,14}$/.test(text)) return { kind, id: Number(text) };
  if (kind === 'email' && isEmail(text)) return { kind, text, key: emailKey(text) };
  if (kind === 'phone' && isPhone(text)) return { kind, text };
  throw invalid(`"${segment}" is no contact identifier: id:<number>, email:<address> or phone:+<digits>`);
}

/** E-mails are the same without regard to case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
