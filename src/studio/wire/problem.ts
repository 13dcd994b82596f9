/** Why something was not done, as every answer but a 2xx says it. */
export interface Problem {
  readonly message: string;
  /** What to do about it, where that is known. */
  readonly next?: string;
  /** The token of a workspace is asked for, and nothing was started. */
  readonly needsToken?: NeededToken;
}

/** A token that only its owner knows. */
export interface NeededToken {
  /** The environment variable that the process reads it from. */
  readonly variable: string;
  /** The base URL of the workspace that it is for. */
  readonly workspace: string;
}
