import type { Identifier } from '../model/identifier.ts';

/**
 * The path of a contact, `rest` following its identifier. The identifier is percent-encoded but for the colon of its
 * prefix, so that no value can climb or cut the path; null where it holds half a surrogate pair and cannot be sent.
 */
export function contactPath(identifier: Identifier, rest = ''): string | null {
  try {
    return `/contact/${identifier.kind}:${encodeURIComponent(identifier.value)}${rest}`;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
