/** The time the sandbox lives in, handed in so that a test can hold it. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; only latency waits on it. Default: a real timer. */
  sleep?(ms: number): Promise<void>;
}

export const systemClock: Required<SandboxClock> = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
