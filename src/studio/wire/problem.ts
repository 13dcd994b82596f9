/** The body of every response that is not a 2xx. */
export interface RequestProblem {
  readonly message: string;
  /** The next step, if one is known. */
  readonly next?: string;
  /** The token that the user must type before the command is started. */
  readonly needsToken?: RequiredToken;
}

/** The token of a workspace that a command needs. */
export interface RequiredToken {
  /** The environment variable that the process reads it from. */
  readonly variable: string;
  /** The base URL of the workspace. */
  readonly workspace: string;
}
