import type { Invocation } from '../../app/run/command-line.ts';
import { readVariable } from '../../app/run/variables.ts';
import type { RequiredToken } from '../wire/problem.ts';

/** The workspace tokens that were typed into the page, in memory only. */
export class EnteredTokenStore {
  readonly #typed = new Map<string, string>();
  readonly #invocation: Invocation;

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
  }

  remember(needed: RequiredToken, token: string): void {
    this.#typed.set(nameOf(needed), token);
  }

  /** Removes a token that the workspace has refused. */
  forget(needed: RequiredToken): void {
    this.#typed.delete(nameOf(needed));
  }

  /**
   * Returns the environment variable that passes a typed token to a process; an empty object if the studio's
   * environment has the token already; undefined if the token is not known.
   */
  environment(needed: RequiredToken): Readonly<Record<string, string>> | undefined {
    const typed = this.#typed.get(nameOf(needed));
    if (typed !== undefined) return { [needed.variable]: typed };
    return readVariable(needed.variable, this.#invocation) === '' ? undefined : {};
  }
}

/** Returns the key of a token, with its workspace: several workspaces may use one variable. */
function nameOf({ variable, workspace }: RequiredToken): string {
  return `${variable} ${workspace}`;
}
