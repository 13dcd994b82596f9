import { createRequestMatcher, type RequestMatcher, type RequestPattern } from './pattern.ts';

/**
 * The kinds of faults; `…After`, `dropAfter` and `brokenBody` happen after the change was applied, the others
 * before.
 */
export const faultKinds = [
  '429',
  '449',
  '500',
  '502',
  '503',
  '504',
  'dropBefore',
  'dropAfter',
  'brokenBody',
  '500After',
  '502After',
  '503After',
  '504After',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/**
 * Random faults for the requests that match the pattern; of several rules, the first that matches a request
 * applies.
 */
export interface FaultRule extends RequestPattern {
  /** The share of requests (0 to 1) that get a fault, by its kind; together at most 1. */
  readonly rates?: { readonly [K in FaultKind]?: number | undefined } | undefined;
  /**
   * The added time of a request (ms): half before it counts for the rate limit, half before its answer is
   * sent.
   */
  readonly latency?: { readonly min: number; readonly max: number } | undefined;
}

/** A fault for the next requests that match the pattern. */
export interface ScriptedFault extends RequestPattern {
  readonly kind: FaultKind;
  /** The number of requests that get the fault; default 1. */
  readonly times?: number | undefined;
  /** The number of matching requests that pass before the first one gets the fault; default 0. */
  readonly skip?: number | undefined;
}

export interface FaultDecision {
  readonly kind: FaultKind | undefined;
  readonly latencyMs: number;
  /** A number in [0, 1) that selects the variant of a broken body. */
  readonly shape: number;
}

export type FaultInjector = ReturnType<typeof createFaultInjector>;

const calm: FaultDecision = { kind: undefined, latencyMs: 0, shape: 0 };

// Requests are counted by method and path in a table of fixed size, so that memory does not grow with the paths.
const slots = 1 << 20;

/**
 * Creates the fault injector of a sandbox. The random fault of a request depends on the seed, its method and path, and
 * the number of earlier requests to that path: parallel requests to other paths do not change it.
 */
export function createFaultInjector(seed: number, first: readonly FaultRule[]) {
  let rules: { readonly rule: FaultRule; readonly matches: RequestMatcher }[] = [];
  let scripted: {
    readonly kind: FaultKind;
    readonly matches: RequestMatcher;
    skip: number;
    times: number;
  }[] = [];
  let asked: Uint16Array | undefined;

  const draw = (method: string, path: string): (() => number) => {
    asked ??= new Uint16Array(slots);
    const key = hash(`${method} ${path}`, seed);
    const slot = key % slots;
    const nth = (asked[slot] ?? 0) + 1;
    asked[slot] = nth;
    return randomFrom(hash(String(nth), key));
  };

  const fromScript = (method: string, path: string, template: string): FaultKind | undefined => {
    const found = scripted.find((fault) => fault.matches(method, path, template));
    if (found === undefined) return undefined;
    if (found.skip > 0) {
      found.skip -= 1;
      return undefined;
    }
    found.times -= 1;
    if (found.times <= 0) scripted = scripted.filter((fault) => fault !== found);
    return found.kind;
  };

  const faults = {
    set(next: readonly FaultRule[]): void {
      rules = next.map((rule) => ({ rule, matches: createRequestMatcher(rule) }));
      asked = undefined;
    },
    script(fault: ScriptedFault): void {
      scripted.push({
        kind: fault.kind,
        matches: createRequestMatcher(fault),
        skip: fault.skip ?? 0,
        times: fault.times ?? 1,
      });
    },
    /** Decides the fault of a request. With `mayQueue: false` it gets no random 449; a scripted 449 still applies. */
    decide(method: string, path: string, template: string, mayQueue = true): FaultDecision {
      const ordered = scripted.length > 0 ? fromScript(method, path, template) : undefined;
      const found = rules.find((candidate) => candidate.matches(method, path, template));
      if (found === undefined) return ordered === undefined ? calm : { ...calm, kind: ordered };
      const random = draw(method, path);
      const drawn = kindAt(found.rule, random());
      const kind = ordered ?? (drawn === '449' && !mayQueue ? undefined : drawn);
      const { min, max } = found.rule.latency ?? { min: 0, max: 0 };
      return { kind, latencyMs: Math.round(min + random() * (max - min)), shape: random() };
    },
  };
  faults.set(first);
  return faults;
}

function kindAt(rule: FaultRule, point: number): FaultKind | undefined {
  let edge = 0;
  for (const kind of faultKinds) {
    edge += rule.rates?.[kind] ?? 0;
    if (point < edge) return kind;
  }
  return undefined;
}

/** Returns the FNV-1a hash of a text, started from `from`. */
function hash(text: string, from: number): number {
  let value = (0x811c9dc5 ^ from) >>> 0;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** Returns a mulberry32 generator of numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
