import { createHash } from 'node:crypto';

/** Says whether two objects of the interface hold the same, in whatever order their properties come. */
export function contentHash(given: unknown): string {
  return createHash('sha256').update(canonicalJson(given)).digest('base64url').slice(0, 22);
}

/** JSON with the properties of every object in one order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
