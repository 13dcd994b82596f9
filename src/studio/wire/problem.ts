/** The body of every response that is not a 2xx. */
export interface Problem {
  readonly message: string;
  /** What to do about it, where that is known. */
  readonly next?: string;
  /** The token that has to be typed; nothing was started. */
  readonly needsToken?: RequiredToken;
}

/** A workspace's token that a command needs. */
export interface RequiredToken {
  /** The environment variable that the process reads it from. */
  readonly variable: string;
  /** The base URL of the workspace that it is for. */
  readonly workspace: string;
}
