import { readVariable } from '../../app/run/variables.ts';
import type { NeededToken } from '../wire/problem.ts';

/** The tokens of workspaces that were typed into the page: in memory only, until the studio ends. */
export class Tokens {
  readonly #typed = new Map<string, string>();

  remember(needed: NeededToken, token: string): void {
    this.#typed.set(nameOf(needed), token);
  }

  /** Drops a token that the workspace has refused. */
  forget(needed: NeededToken): void {
    this.#typed.delete(nameOf(needed));
  }

  /** Returns the environment of a process; undefined where the token was neither typed nor exported. */
  environment(needed: NeededToken): Readonly<Record<string, string>> | undefined {
    const typed = this.#typed.get(nameOf(needed));
    if (typed !== undefined) return { [needed.variable]: typed };
    return readVariable(needed.variable) === '' ? undefined : {};
  }
}

/** Tells tokens apart by workspace, too: several workspaces may use one variable. */
function nameOf({ variable, workspace }: NeededToken): string {
  return `${variable} ${workspace}`;
}
