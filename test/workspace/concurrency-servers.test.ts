import { describe, expect, it } from 'vitest';
import { createFixedConcurrencyLimit, GradientConcurrencyLimit } from '../../src/workspace/concurrency.ts';
import { type CreateBound, play, type Server } from './simulated-load.ts';

const jittered = (ms: number, random: number) => ms * (0.5 + random);

const seeds = [1, 7_919, 104_729, 1_299_709];

const adaptive: CreateBound = (now) => new GradientConcurrencyLimit({ now, sleep: () => Promise.resolve() });
const fixed =
  (limit: number): CreateBound =>
  () =>
    createFixedConcurrencyLimit(limit);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

interface Trial {
  readonly requests: number;
  readonly create: () => Server;
  /** The numbers among which the best one is, or the best bound of a server that changes. */
  readonly best: readonly CreateBound[];
}

/** Returns the speed of `auto` as a part of the best one, and the part of the requests that were refused. */
function compare({ requests, create, best }: Trial): { readonly speed: number; readonly refused: number } {
  const shortest = Math.min(...best.map((bound) => play(requests, create(), bound).ms));
  const played = seeds.map((seed) => play(requests, create(), adaptive, seed));
  return {
    speed: mean(played.map(({ ms }) => shortest / ms)),
    refused: Math.max(...played.map(({ limited }) => limited)) / requests,
  };
}

const steady: Server = { answer: (random) => jittered(200, random) };
const queueing = (workers: number): Server => ({ ...steady, workers: () => workers });
const refusing = (most: (now: number) => number, ms = 200): Server => ({
  answer: (random, n, now) => (n > most(now) ? undefined : jittered(ms, random)),
});
/** Gets less done with more than `at`. */
const collapsing = (at: number): Server => ({
  answer: (random, n) => jittered(200, random) * Math.max(1, n / at) ** 2,
});
/** Takes so many times as long while `isSlow`. */
const slowed = (times: number, isSlow: (now: number) => boolean): Server => ({
  answer: (random, _, now) => jittered(isSlow(now) ? 200 * times : 200, random),
});

/** Refuses what a bucket of 60 tokens, filled again at 300 a second, has none for. */
function createRateLimited(): Server {
  let [tokens, at] = [60, 0];
  return {
    answer(random, _, now) {
      tokens = Math.min(60, tokens + (now - at) * 0.3);
      at = now;
      if (tokens < 1) return undefined;
      tokens -= 1;
      return jittered(200, random);
    },
  };
}

/** A bound that follows a server whose best number changes. */
const following =
  (best: (now: number) => number): CreateBound =>
  (now) => ({
    get limit() {
      return best(now());
    },
    note: () => undefined,
  });

const fortyThenHundred = (now: number) => (now < 10_000 ? 40 : 100);
const hundredThenForty = (now: number) => (now < 10_000 ? 100 : 40);
const fortyThenTwoHundred = (now: number) => (now < 10_000 ? 40 : 200);

interface Kind extends Trial {
  /** The least speed of `auto`, as a part of the best one. */
  readonly speed: number;
  /** The greatest part of the requests that may be refused. */
  readonly refused?: number;
}

const kinds: Readonly<Record<string, Kind>> = {
  'takes as many as come': { requests: 40_000, create: () => steady, best: [fixed(512)], speed: 0.94 },
  'answers at once': {
    requests: 40_000,
    create: () => ({ answer: (random) => jittered(20, random) }),
    best: [fixed(512)],
    speed: 0.94,
  },
  'takes one and a half seconds': {
    requests: 10_000,
    create: () => ({ answer: (random) => jittered(1_500, random) }),
    best: [fixed(512)],
    speed: 0.82,
  },
  'works on 40 at once': { requests: 8_000, create: () => queueing(40), best: [fixed(64)], speed: 0.97 },
  'works on 200 at once': { requests: 40_000, create: () => queueing(200), best: [fixed(256)], speed: 0.97 },
  'slows down with each request': {
    requests: 10_000,
    create: () => ({ answer: (random, n) => jittered(100, random) * (1 + (n / 80) ** 2) }),
    best: [fixed(64), fixed(80), fixed(100)],
    speed: 0.89,
  },
  'gets less done with more than 40': {
    requests: 4_000,
    create: () => collapsing(40),
    best: [fixed(36), fixed(40), fixed(44)],
    speed: 0.86,
  },
  'gets less done with more than 100': {
    requests: 40_000,
    create: () => collapsing(100),
    best: [fixed(90), fixed(100), fixed(110)],
    speed: 0.93,
  },
  'refuses more than 40': {
    requests: 40_000,
    create: () => refusing(() => 40),
    best: [fixed(40)],
    speed: 0.94,
    refused: 0.005,
  },
  'refuses more than 200': {
    requests: 40_000,
    create: () => refusing(() => 200),
    best: [fixed(200)],
    speed: 0.92,
    refused: 0.005,
  },
  'refuses more than 100, then more than 40': {
    requests: 7_000,
    create: () => refusing(hundredThenForty),
    best: [following(hundredThenForty)],
    speed: 0.88,
    refused: 0.017,
  },
  'refuses more than 40, then more than 100': {
    requests: 10_000,
    create: () => refusing(fortyThenHundred),
    best: [following(fortyThenHundred)],
    speed: 0.68,
    refused: 0.003,
  },
  'works on 40 at once, then on 200': {
    requests: 20_000,
    create: () => ({ ...steady, workers: fortyThenTwoHundred }),
    best: [following(fortyThenTwoHundred)],
    speed: 0.87,
  },
  'answers one in fifty after two seconds': {
    requests: 30_000,
    create: () => ({ answer: (random) => (random < 0.02 ? 2_000 : 60 / Math.sqrt(1.02 - random)) }),
    best: [fixed(512)],
    speed: 0.95,
  },
  'takes 300 a second': {
    requests: 6_000,
    create: createRateLimited,
    best: [fixed(56), fixed(64), fixed(80)],
    speed: 0.95,
    refused: 0.02,
  },
  'is slow for its first five seconds': {
    requests: 30_000,
    create: () => ({
      answer: (random, _, now) => jittered(200 * (1 + 2 * Math.max(0, 1 - now / 5_000)), random),
    }),
    best: [fixed(512)],
    speed: 0.93,
  },
  'is three times slower for ten seconds': {
    requests: 40_000,
    create: () => slowed(3, (now) => now > 10_000 && now < 20_000),
    best: [fixed(512)],
    speed: 0.91,
  },
  'becomes three times slower': {
    requests: 60_000,
    create: () => slowed(3, (now) => now > 20_000),
    best: [fixed(512)],
    speed: 0.86,
  },
  'has slow and fast operations': {
    requests: 40_000,
    create: () => ({ answer: (random, _, __, request) => jittered(request % 3 === 0 ? 300 : 60, random) }),
    best: [fixed(512)],
    speed: 0.95,
  },
};

describe.each(Object.entries(kinds))('a server that %s', (_, { speed, refused = 0, ...trial }) => {
  it(`is used to ${speed} of what the best number gets out of it, and refuses no more than ${refused}`, () => {
    const found = compare(trial);
    expect(found.speed).toBeGreaterThanOrEqual(speed);
    expect(found.refused).toBeLessThanOrEqual(refused);
  });
});

/** The bound of an import, which sends five requests alone, until one of them shows that the token may make them. */
const fiveFirst =
  (create: CreateBound): CreateBound =>
  (now) => {
    const bound = create(now);
    let isOpen = false;
    return {
      get limit() {
        return isOpen ? bound.limit : Math.min(5, bound.limit);
      },
      note(request) {
        isOpen ||= request.burden === 'answered';
        bound.note(request);
      },
    };
  };

/** The servers of the benchmark `adaptive`: what they take in a second, and the numbers that it tries. */
const measured = {
  'takes 40 at once': { server: queueing(40), perSecond: 200, tried: [32, 40, 64] },
  'takes 200 at once': { server: queueing(200), perSecond: 1_000, tried: [128, 200, 256] },
  'slows down with more than 100': { server: collapsing(100), perSecond: 500, tried: [64, 90, 100, 110] },
  'refuses more than 40 with 429': { server: refusing(() => 40), perSecond: 200, tried: [32, 40, 48] },
};

describe.each(Object.entries(measured))('as the benchmark measures it, a server that %s', (_, measuring) => {
  const { server, perSecond, tried } = measuring;
  const perSecondOf = (seconds: number, bound: CreateBound, seed?: number) =>
    (seconds * perSecond * 1_000) / play(seconds * perSecond, server, fiveFirst(bound), seed).ms;

  it('is used in twenty seconds to 0.95 of the best of the numbers in four seconds', () => {
    const best = Math.max(
      ...tried.map((limit) => mean(seeds.map((seed) => perSecondOf(4, fixed(limit), seed)))),
    );
    const found = mean(seeds.map((seed) => perSecondOf(20, adaptive, seed)));
    expect(found / best).toBeGreaterThanOrEqual(0.95);
  });
});

it('a server that refuses more than 40 refuses less than 1 % of 3,000 requests', () => {
  const refused = seeds.map(
    (seed) =>
      play(
        2_000,
        refusing(() => 40),
        fiveFirst(adaptive),
        seed,
      ).limited,
  );
  expect(Math.max(...refused) / 3_000).toBeLessThan(0.01);
});
