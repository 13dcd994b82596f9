/** How a server counts: true where a request at that instant is within the limit. Instants never go back. */
export type Window = (at: number) => boolean;

/** Windows that begin at whole multiples of their length, from an offset on. */
function fixedWindow(count: number, ms: number, offset: number): Window {
  let current = Number.NaN;
  let used = 0;
  return (at) => {
    const window = Math.floor((at + offset) / ms);
    if (window !== current) used = 0;
    current = window;
    used += 1;
    return used <= count;
  };
}

/** Everything counted in the window that ends now, both of its ends included, what was refused as well. */
function slidingWindow(count: number, ms: number): Window {
  let log: number[] = [];
  return (at) => {
    log = log.filter((earlier) => earlier >= at - ms);
    log.push(at);
    return log.length <= count;
  };
}

/** Begins full and is refilled steadily. */
function tokenBucket(count: number, ms: number): Window {
  let tokens = count;
  let last = Number.NaN;
  return (at) => {
    if (!Number.isNaN(last)) tokens = Math.min(count, tokens + ((at - last) * count) / ms);
    last = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export const windows: Readonly<Record<string, (count: number, ms: number, offset: number) => Window>> = {
  'fixed window': fixedWindow,
  'sliding window': slidingWindow,
  'token bucket': tokenBucket,
};
