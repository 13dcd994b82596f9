import { describe, expect, it } from 'vitest';
import {
  type ConcurrencyLimit,
  createFixedConcurrencyLimit,
  estimateDurationOfRequests,
  GradientConcurrencyLimit,
  type LoadFeedback,
  toMaxConcurrency,
} from '../../src/workspace/concurrency.ts';

/** How a server answers: what a request takes (ms) with so many under way at a time, or how many it takes at once. */
interface Server {
  /** Of `random` between 0 and 1; undefined where it refuses with 429. */
  answer(random: number, underWay: number, now: number, request: number): number | undefined;
  /** How many it works on at once; the others wait in a line. */
  readonly workers?: number;
}

const jittered = (ms: number, random: number) => ms * (0.5 + random);

const servers: Readonly<Record<string, Server>> = {
  'takes as many as come': { answer: (random) => jittered(200, random) },
  'works on 40 at once': { answer: (random) => jittered(200, random), workers: 40 },
  'works on 200 at once': { answer: (random) => jittered(200, random), workers: 200 },
  'slows down under load': { answer: (random, n) => jittered(100, random) * (1 + (n / 80) ** 2) },
  'gets less done with more than 100': {
    answer: (random, n) => jittered(200, random) * Math.max(1, n / 100) ** 2,
  },
  'refuses more than 40 with 429': {
    answer: (random, n) => (n > 40 ? undefined : jittered(200, random)),
  },
  'refuses more than 200 with 429': {
    answer: (random, n) => (n > 200 ? undefined : jittered(200, random)),
  },
  'becomes three times slower for everybody': {
    answer: (random, _, now) => jittered(now > 20_000 ? 600 : 200, random),
  },
  'has slow and fast operations': {
    answer: (random, _, __, request) => jittered(request % 3 === 0 ? 300 : 60, random),
  },
};

interface Event {
  readonly at: number;
  readonly fire: () => void;
}

/** Events by their time: a binary heap. */
class Agenda {
  readonly #heap: Event[] = [];

  add(event: Event): void {
    const heap = this.#heap;
    let n = heap.push(event) - 1;
    while (n > 0) {
      const above = (n - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.at <= event.at) break;
      heap[n] = parent;
      n = above;
    }
    heap[n] = event;
  }

  next(): Event | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || last === top) return top;
    let n = 0;
    for (;;) {
      const [left, right] = [2 * n + 1, 2 * n + 2];
      const child = (heap[right]?.at ?? Number.POSITIVE_INFINITY) < (heap[left]?.at ?? 0) ? right : left;
      const smaller = heap[child];
      if (smaller === undefined || smaller.at >= last.at) break;
      heap[n] = smaller;
      n = child;
    }
    heap[n] = last;
    return top;
  }
}

const operations = [{}, {}, {}];

type Bound = (now: () => number) => ConcurrencyLimit;

/** How long so many requests take (ms), as many at once as the bound allows. */
function timeFor(count: number, server: Server, bound: Bound): number {
  return play(count, server, bound).ms;
}

/** Sends so many requests, as many at once as the bound allows; gives how long it took (ms), and how many 429 there were. */
function play(
  count: number,
  server: Server,
  bound: Bound,
): { readonly ms: number; readonly limited: number } {
  let now = 0;
  let seed = 1;
  const random = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return seed / 4_294_967_296;
  };
  const concurrency = bound(() => now);
  const agenda = new Agenda();
  const refused: number[] = [];
  const line: { readonly request: number; readonly sentAt: number }[] = [];
  let [begun, done, underWay, open, working, leaving, limited] = [0, 0, 0, 0, 0, 0, 0];

  const ended = (request: number, sentAt: number, burden: LoadFeedback) => {
    const operation = operations[request % 3 === 0 ? 0 : 1] ?? {};
    concurrency.note({ operation, bucket: String(request), ms: now - sentAt, burden, underWay, size: 500 });
    underWay -= 1;
  };
  const work = (request: number, sentAt: number, ms: number) => {
    working += 1;
    const finish = () => {
      working -= 1;
      done += 1;
      open -= 1;
      ended(request, sentAt, 'answered');
      const next = line.shift();
      if (next !== undefined)
        work(next.request, next.sentAt, server.answer(random(), 0, now, next.request) ?? 0);
    };
    agenda.add({ at: now + ms, fire: finish });
  };
  const send = (request: number) => {
    underWay += 1;
    const sentAt = now;
    // A refusal takes no room at the server.
    const ms = server.answer(random(), underWay - leaving, now, request);
    if (ms === undefined) {
      leaving += 1;
      limited += 1;
      const refuse = () => {
        leaving -= 1;
        ended(request, sentAt, 'limited');
        agenda.add({ at: now + 1_000, fire: () => refused.push(request) });
      };
      agenda.add({ at: now + 20, fire: refuse });
    } else if (working >= (server.workers ?? Number.POSITIVE_INFINITY)) line.push({ request, sentAt });
    else work(request, sentAt, ms);
  };
  for (;;) {
    // As an import does, which has a few more rows open than requests may be under way.
    while (
      underWay < concurrency.limit &&
      (refused.length > 0 || (begun < count && open < concurrency.limit * 1.25 + 32))
    ) {
      const again = refused.shift();
      if (again === undefined) open += 1;
      send(again ?? begun++);
    }
    if (done === count) return { ms: now, limited };
    const event = agenda.next();
    if (event === undefined) throw new Error('nothing is left to happen');
    now = event.at;
    event.fire();
  }
}

const fixed = [8, 16, 32, 40, 64, 100, 128, 200, 320, 512];
const requests = 40_000;

const adaptive: Bound = (now) => new GradientConcurrencyLimit({ now, sleep: () => Promise.resolve() });

describe.each(Object.entries(servers))('a server that %s', (_, server) => {
  it('is used to at least 0.9 of what the best fixed number would get out of it', () => {
    const best = Math.min(
      ...fixed.map((limit) => timeFor(requests, server, () => createFixedConcurrencyLimit(limit))),
    );
    const found = play(requests, server, adaptive);
    expect(best / found.ms).toBeGreaterThanOrEqual(0.9);
    expect(found.limited / requests).toBeLessThan(0.005);
  });
});

it('a server that refuses more than 40 gives 429 to less than 1 % of 4,000 requests, and is used', () => {
  const server = servers['refuses more than 40 with 429'];
  if (server === undefined) throw new Error('there is no such server');
  const { ms, limited } = play(4_000, server, adaptive);
  expect(limited / 4_000).toBeLessThan(0.01);
  expect(timeFor(4_000, server, () => createFixedConcurrencyLimit(40)) / ms).toBeGreaterThanOrEqual(0.93);
});

it('429 for everything under way lowers the bound by half at most, until answers come', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const note = (burden: LoadFeedback, n: number) => {
    now += 1;
    const bucket = String(n);
    concurrency.note({ operation: operations, bucket, ms: 1, burden, underWay: 512, size: 500 });
  };
  for (let n = 0; n < 5_000; n += 1) note('answered', n);
  for (let n = 0; n < 2_000; n += 1) note('limited', n);
  expect(concurrency.limit).toBe(256);
  for (let n = 0; n < 256; n += 1) note('answered', n);
  for (let n = 0; n < 2_000; n += 1) note('limited', n);
  expect(concurrency.limit).toBe(128);
});

it('429 in one bucket is that bucket’s own affair', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const before = concurrency.limit;
  for (let n = 0; n < 20; n += 1) {
    now += 10;
    concurrency.note({
      operation: {},
      bucket: 'POST /contact/list',
      ms: 5,
      burden: 'limited',
      underWay: 1,
      size: 0,
    });
  }
  expect(concurrency.limit).toBe(before);
});

it('does not grow while nobody uses what it allows, and never beyond its bound', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const answer = (underWay: number) => {
    for (let n = 0; n < 5_000; n += 1) {
      now += 1;
      concurrency.note({
        operation: operations,
        bucket: String(n),
        ms: 1,
        burden: 'answered',
        underWay,
        size: 500,
      });
    }
  };
  const before = concurrency.limit;
  answer(5);
  expect(concurrency.limit).toBe(before);
  answer(512);
  expect(concurrency.limit).toBe(toMaxConcurrency('auto'));
  expect(concurrency.found).toBe(toMaxConcurrency('auto'));
});

it('does not grow while this thread works all the time, and grows once it has time', () => {
  let [now, worked, load] = [0, 0, 1];
  const clock = { now: () => now, worked: () => worked, sleep: () => Promise.resolve() };
  const concurrency = new GradientConcurrencyLimit(clock);
  const answer = () => {
    for (let n = 0; n < 5_000; n += 1) {
      now += 1;
      worked += load;
      const request = { operation: operations, bucket: String(n), ms: 1, underWay: 512, size: 500 };
      concurrency.note({ ...request, burden: 'answered' });
    }
  };
  const before = concurrency.limit;
  answer();
  expect(concurrency.limit).toBe(before);
  expect(concurrency.found).toBe(before);
  load = 0.8;
  answer();
  expect(concurrency.limit).toBe(512);
});

it('has found nothing while this thread is busy with something else than requests', () => {
  let [now, worked] = [0, 0];
  const clock = { now: () => now, worked: () => worked, sleep: () => Promise.resolve() };
  const concurrency = new GradientConcurrencyLimit(clock);
  const answer = (underWay: number) => {
    const request = { operation: operations, bucket: String(now), ms: 1, underWay, size: 500 };
    concurrency.note({ ...request, burden: 'answered' });
  };
  for (let n = 0; n < 200; n += 1) {
    now += 10;
    worked += 10;
    answer(3);
  }
  expect(concurrency.found).toBeNull();
  // What came before the first answer of a window does not count.
  now += 60_000;
  worked += 60_000;
  const idle = new GradientConcurrencyLimit(clock);
  for (let n = 0; n < 5_000; n += 1) {
    now += 1;
    idle.note({
      operation: operations,
      bucket: String(n),
      ms: 1,
      underWay: 512,
      size: 500,
      burden: 'answered',
    });
  }
  expect(idle.limit).toBe(512);
});

it('has no more large answers under way than 32 MiB have room for', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const answer = (size: number) => {
    for (let n = 0; n < 5_000; n += 1) {
      now += 1;
      const request = { operation: operations, bucket: String(n), ms: 1, underWay: 512, size };
      concurrency.note({ ...request, burden: 'answered' });
    }
  };
  answer(64 * 1024);
  expect(concurrency.limit).toBe(512);
  answer(256 * 1024);
  expect(concurrency.limit).toBe(128);
  expect(concurrency.found).toBe(128);
  answer(16 * 1024 * 1024);
  expect(concurrency.limit).toBe(4);
  answer(1_000);
  expect(concurrency.limit).toBe(512);
});

describe('how long requests probably take', () => {
  const after = { requests: 40_000, meanMs: 200 };

  it.each([1_000, 5_000, 40_000])('is what %d take while it is found out how many may be', (requests) => {
    const took = timeFor(requests, { answer: (random) => jittered(200, random) }, (now) => {
      return new GradientConcurrencyLimit({ now, sleep: () => Promise.resolve() });
    });
    const said = estimateDurationOfRequests({ requests, meanMs: 200 }, 'auto');
    expect(said / took).toBeGreaterThan(0.9);
    expect(said / took).toBeLessThan(1.1);
  });

  it('is longer where fewer at once were found before, and as set where it is set', () => {
    expect(estimateDurationOfRequests(after, 'auto', 40)).toBeGreaterThan(40_000 * (200 / 40) - 2_000);
    expect(estimateDurationOfRequests(after, 'auto', 40)).toBeLessThan(40_000 * (200 / 40) + 2_000);
    expect(estimateDurationOfRequests(after, 100, 40)).toBe(80_000);
  });
});
