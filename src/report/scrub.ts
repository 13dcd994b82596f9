import { escapeHtml } from './page/markup.ts';

/** The minimum length of a secret to replace: a shorter one may also be an ordinary word. */
const leastLength = 8;

/**
 * Returns a function that replaces each secret of at least 8 characters by `[secret]`, also where it is encoded in
 * JSON, CSV, HTML, a URL or Base64.
 */
export function createSecretScrubber(secrets: readonly string[]): (text: string) => string {
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
    escapeHtml(text),
    encodeURIComponent(text),
    encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  ]);
}

/**
 * Returns the Base64 spellings of a secret within longer data, such as `user:token`: for each of the three alignments,
 * the characters that depend on the secret alone, in Base64 and in Base64 URL.
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
