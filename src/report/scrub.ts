import { escaped } from './page/markup.ts';

/** Shorter ones are no secrets, and would eat ordinary words. */
const leastLength = 8;

/** Returns what replaces each secret, however a file of ours or an address would spell it, by `[secret]`. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const spellings = new Set(
    secrets
      .flatMap((secret) => [secret, secret.trim()])
      .filter((secret) => secret.length >= leastLength)
      .flatMap(spellingsOf),
  );
  // The longest first: a secret may begin with another one.
  const ordered = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
}

function spellingsOf(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('"', '""'),
    escaped(secret),
    encodeURIComponent(secret),
  ];
}
