import type { ConcurrencyLimit, LoadFeedback } from '../../src/workspace/concurrency.ts';

/** How a server answers: what a request takes (ms) with so many under way at a time, or how many it takes at once. */
export interface Server {
  /** Of `random` between 0 and 1; undefined where it refuses with 429. */
  answer(random: number, underWay: number, now: number, request: number): number | undefined;
  /** How many it works on at once; the others wait in a line. */
  workers?(now: number): number;
}

/** Creates the bound of a run; `now` is its virtual time. */
export type CreateBound = (now: () => number) => Pick<ConcurrencyLimit, 'limit' | 'note'>;

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

const operations = [{}, {}] as const;

export interface Played {
  /** How long all of it took (ms). */
  readonly ms: number;
  /** How many answers were 429. */
  readonly limited: number;
}

/**
 * Sends so many requests in virtual time, as many at once as the bound allows, and those that were refused again after a
 * second; each seed has durations of its own.
 */
export function play(count: number, server: Server, bound: CreateBound, seed = 1): Played {
  let now = 0;
  let state = seed;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  const concurrency = bound(() => now);
  const workers = () => server.workers?.(now) ?? Number.POSITIVE_INFINITY;
  const agenda = new Agenda();
  const refused: number[] = [];
  const line: { readonly request: number; readonly sentAt: number }[] = [];
  let [begun, done, underWay, open, working, leaving, limited] = [0, 0, 0, 0, 0, 0, 0];

  const ended = (request: number, sentAt: number, burden: LoadFeedback) => {
    const operation = operations[request % 3 === 0 ? 0 : 1];
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
      while (working < workers()) {
        const next = line.shift();
        if (next === undefined) break;
        work(next.request, next.sentAt, server.answer(random(), 0, now, next.request) ?? 0);
      }
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
    } else if (working >= workers()) line.push({ request, sentAt });
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
