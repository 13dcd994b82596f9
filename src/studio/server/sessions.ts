import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who may ask: whoever has come with a code that was printed, which is good once. All ends with the process. */
export class Sessions {
  readonly #codes = new Set<string>();
  readonly #tokens = new Set<string>();

  /** A code for a URL. */
  newCode(): string {
    const code = secret();
    this.#codes.add(code);
    return code;
  }

  /** The token of a new session; undefined for a code that is not good, or not any more. */
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

/** The one that is the same; how long this takes says nothing of any. */
function matching(known: ReadonlySet<string>, sent: string): string | undefined {
  const wanted = digest(sent);
  return [...known].filter((each) => timingSafeEqual(digest(each), wanted))[0];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
