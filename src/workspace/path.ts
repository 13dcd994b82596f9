import type { Identifier } from '../model/identifier.ts';

/** The path of a contact, `rest` following its identifier; null where the identifier cannot be sent. */
export function contactPath(identifier: Identifier, rest = ''): string | null {
  const segment = identifierSegment(identifier);
  return segment === null ? null : `/contact/${segment}${rest}`;
}

/**
 * An identifier as it stands in a path, percent-encoded but for the colon of its prefix, so that no value can climb or
 * cut the path; null where it holds half a surrogate pair and cannot be sent.
 */
export function identifierSegment(identifier: Identifier): string | null {
  try {
    return `${identifier.kind}:${encodeURIComponent(identifier.value)}`;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
