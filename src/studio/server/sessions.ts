import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The sessions of pages: each is opened with a one-time code, and all end with the process. */
export class PageSessions {
  readonly #codes = new Set<string>();
  readonly #tokens = new Set<string>();

  /** Returns a new one-time code for a URL. */
  newCode(): string {
    const code = secret();
    this.#codes.add(code);
    return code;
  }

  /** Returns the token of a new session; undefined for an unknown or used code. */
  exchange(code: string): string | undefined {
    const found = matching(this.#codes, code);
    if (found === undefined) return undefined;
    this.#codes.delete(found);
    const token = secret();
    this.#tokens.add(token);
    return token;
  }

  accepts(token: string | undefined): boolean {
    return token !== undefined && matching(this.#tokens, token) !== undefined;
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the secret that equals `sent`, compared in constant time; undefined for none. */
function matching(known: ReadonlySet<string>, sent: string): string | undefined {
  const wanted = digest(sent);
  return [...known].filter((each) => timingSafeEqual(digest(each), wanted))[0];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
