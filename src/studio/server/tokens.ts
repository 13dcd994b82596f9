import { variable } from '../../app/run/variables.ts';
import type { NeededToken } from '../wire/problem.ts';

/** The tokens of workspaces that somebody has typed into the page: in memory only, until the studio ends. */
export class Tokens {
  readonly #typed = new Map<string, string>();

  remember(needed: NeededToken, token: string): void {
    this.#typed.set(nameOf(needed), token);
  }

  /** One that the workspace has refused is asked for again. */
  forget(needed: NeededToken): void {
    this.#typed.delete(nameOf(needed));
  }

  /** What a process needs in its environment; undefined where nobody has typed the token, and none was exported. */
  environment(needed: NeededToken): Readonly<Record<string, string>> | undefined {
    const typed = this.#typed.get(nameOf(needed));
    if (typed !== undefined) return { [needed.variable]: typed };
    return variable(needed.variable) === '' ? undefined : {};
  }
}

/** One variable can hold the tokens of several workspaces, one after the other: none goes to another's. */
function nameOf({ variable, workspace }: NeededToken): string {
  return `${variable} ${workspace}`;
}
