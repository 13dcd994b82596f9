import { createHash } from 'node:crypto';

/** Returns a hash of an object of the interface (22 characters), the same for any order of its properties. */
export function hashContent(given: unknown): string {
  return createHash('sha256').update(toCanonicalJson(given)).digest('base64url').slice(0, 22);
}

/** Returns the JSON of a value, with the properties of every object sorted by name. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
