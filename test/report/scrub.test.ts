import { expect, test } from 'vitest';
import { createSecretScrubber } from '../../src/report/scrub.ts';

const tokens = ['a-secret-token-of-this-test', 'eyJhbGciOi.J9/+=="\\ü~?', 'abcdefgh'];
const clean = createSecretScrubber(tokens);

/** Ways in which a program between us and a person may write a text that holds the token. */
const spellings: Readonly<Record<string, (token: string, before: string, behind: string) => string>> = {
  'as it is': (token, before, behind) => before + token + behind,
  'in JSON': (token, before, behind) => JSON.stringify({ token: before + token + behind }),
  'in JSON with escaped slashes': (token) => JSON.stringify(token).replaceAll('/', '\\/'),
  'percent-encoded': (token) => encodeURIComponent(token),
  'percent-encoded in lower case': (token) =>
    encodeURIComponent(token).replace(/%../g, (byte) => byte.toLowerCase()),
  'in base64': (token, before, behind) => Buffer.from(before + token + behind).toString('base64'),
  'in base64url': (token, before, behind) => Buffer.from(before + token + behind).toString('base64url'),
  'in base64 within an address': (token, before, behind) =>
    encodeURIComponent(Buffer.from(before + token + behind).toString('base64')),
};

test.each(Object.entries(spellings))(
  'a token %s is masked, whatever is before and behind it',
  (_, spelled) => {
    for (const token of tokens) {
      for (const before of ['', ':', 'me:', 'user:', 'Bearer '])
        for (const behind of ['', '!', '!!', '@host']) {
          const shown = clean(`<${spelled(token, before, behind)}>`);
          expect(shown).toContain('[secret]');
          // Of what the token alone decides nothing is left: two characters at the seams hold bits of its neighbours.
          expect(shown.replaceAll('[secret]', '').length).toBeLessThan(
            before.length * 4 + behind.length * 4 + 20,
          );
        }
    }
  },
);

test('other texts stay as they are', () => {
  const text = Buffer.from('Ada Lovelace, 12 St James Square').toString('base64');
  expect(clean(text)).toBe(text);
});
