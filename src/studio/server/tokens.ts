import type { Invocation } from '../../app/run/command-line.ts';
import { readEnvVariable } from '../../app/run/variables.ts';
import type { RequiredToken } from '../wire/problem.ts';

/** The workspace and the tokens that were typed into the page, in memory only. */
export class EnteredTokenStore {
  readonly #typed = new Map<string, string>();
  readonly #invocation: Invocation;
  #workspace: string | undefined;

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
  }

  /** The base URL of the workspace that the page is connected to; undefined for none. */
  get workspace(): string | undefined {
    return this.#workspace;
  }

  /** Connects the page to a workspace, for the pipelines that name none. */
  connect(workspace: string, token: string): void {
    this.#workspace = workspace;
    this.#typed.set(workspace, token);
  }

  remember({ workspace }: RequiredToken, token: string): void {
    this.#typed.set(workspace, token);
  }

  /** Removes a token that the workspace has refused. */
  forget({ workspace }: RequiredToken): void {
    this.#typed.delete(workspace);
  }

  /**
   * Returns the environment variable that passes a typed token to a process; an empty object if the studio's
   * environment has the token already; undefined if the token is not known.
   */
  environment({ variable, workspace }: RequiredToken): Readonly<Record<string, string>> | undefined {
    const typed = this.#typed.get(workspace);
    if (typed !== undefined) return { [variable]: typed };
    return readEnvVariable(variable, this.#invocation) === '' ? undefined : {};
  }
}
