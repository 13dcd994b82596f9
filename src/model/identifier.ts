/** The identifier of a contact in a path (specification: Contact identifier); an e-mail or phone here is normalised. */
export interface Identifier {
  readonly kind: 'id' | 'email' | 'phone';
  readonly value: string;
}

export function idToIdentifier(id: number): Identifier {
  return { kind: 'id', value: String(id) };
}

/** Returns the identifier as the specification writes it, not percent-encoded: `email:ada@example.com`. */
export function formatIdentifier(identifier: Identifier): string {
  return `${identifier.kind}:${identifier.value}`;
}

/** Parses the text that `formatIdentifier` returns; throws an Error for any other kind of identifier. */
export function parseIdentifier(text: string): Identifier {
  const colon = text.indexOf(':');
  const kind = text.slice(0, colon);
  if (kind !== 'id' && kind !== 'email' && kind !== 'phone') {
    throw new Error(`${JSON.stringify(text)} is not an identifier`);
  }
  return { kind, value: text.slice(colon + 1) };
}
