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
  const inBase64 = base64Of(secret);
  return [secret, ...inBase64].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    text.replaceAll('"', '""'),
    escaped(text),
    encodeURIComponent(text),
    encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  ]);
}

/**
 * What base64 makes of a secret, whatever bytes are before and behind it, as in `user:token`: of each of the three ways in
 * which its bytes can lie, those characters that depend on the secret alone.
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
