/** One request in the log of the sandbox. */
export interface RequestLogEntry {
  /** 1 for the first request of this sandbox. */
  readonly n: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  /** Decoded, without `/v1` and without the query. */
  readonly path: string;
  /** As it came over the wire, without `/v1` and without the query. */
  readonly rawPath: string;
  /** As the specification writes it; `(none)` if no operation has this path. */
  readonly template: string;
  readonly query: string;
  /** 0 where no answer was sent. */
  status: number;
  ms: number;
  /** True if a request that may change the workspace succeeded. */
  applied: boolean;
  fault?: string;
  /** The reason of a refusal, in more detail than the answer has. */
  reason?: string;
  /** The parsed body, with `logBodies`. */
  body?: unknown;
}

export interface EndpointCounts {
  requests: number;
  applied: number;
  /** By status; `0` where no answer was sent. */
  statuses: Record<string, number>;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Creates a log that keeps the last `size` finished requests, and counts all finished ones. */
export function createRequestLog(size: number, onRequest: ((entry: RequestLogEntry) => void) | undefined) {
  let ring: RequestLogEntry[] = [];
  let oldest = 0;
  let n = 0;
  const counts = new Map<string, EndpointCounts>();

  const keep = (entry: RequestLogEntry): void => {
    if (ring.length < size) {
      ring.push(entry);
      return;
    }
    if (size === 0) return;
    ring[oldest] = entry;
    oldest = (oldest + 1) % size;
  };

  const count = (entry: RequestLogEntry): void => {
    const key = `${entry.method} ${entry.template}`;
    const found = counts.get(key) ?? { requests: 0, applied: 0, statuses: {} };
    found.requests += 1;
    if (entry.applied) found.applied += 1;
    found.statuses[entry.status] = (found.statuses[entry.status] ?? 0) + 1;
    counts.set(key, found);
  };

  return {
    /** Returns a new entry with the next number; the log has it once it is finished. */
    begin(entry: Omit<RequestLogEntry, 'n' | 'status' | 'ms' | 'applied'>): RequestLogEntry {
      n += 1;
      return { n, ...entry, status: 0, ms: 0, applied: false };
    },
    finish(entry: RequestLogEntry, now: number): void {
      entry.ms = now - entry.at;
      keep(entry);
      count(entry);
      onRequest?.(entry);
    },
    /** In the order they finished. */
    entries: (): readonly RequestLogEntry[] => [...ring.slice(oldest), ...ring.slice(0, oldest)],
    /** By `METHOD template`, over all requests finished since the last reset. */
    counts: (): Record<string, EndpointCounts> =>
      Object.fromEntries(
        [...counts].map(([key, found]) => [key, { ...found, statuses: { ...found.statuses } }]),
      ),
    reset(): void {
      ring = [];
      oldest = 0;
      counts.clear();
    },
  };
}
