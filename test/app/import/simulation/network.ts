import {
  type Randomness,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../../../../src/model/ports.ts';
import type { Doubts } from './doubts.ts';
import { error, refusedName } from './model-body.ts';
import type { ModelWorkspace } from './model-workspace.ts';
import type { Life, World } from './world.ts';

/** What may happen to a request, and how often, 0 to 1 each. */
export const faultKinds = [
  'neverLeft',
  'lostBefore',
  'lostAfter',
  'late',
  'broken',
  'limited',
  'limitedLong',
  'queued',
  'errorBefore',
  'errorAfter',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Trouble {
  /** The share of requests with a fault; the kinds are equally likely. */
  readonly rate: number;
  /** The longest that a request is applied after its connection was gone, in ms. */
  readonly latestMs: number;
  /** What happens to the first requests of each create, one after the other. */
  readonly hurdles?: readonly FaultKind[];
  /** Nothing gets through between these, counted from the beginning, in ms. */
  readonly outage?: readonly [from: number, to: number];
}

/** More in a row would exhaust the client's attempts, which is no question of exactness. */
const mostInARow = 4;

const errors = [500, 502, 503, 504] as const;

/** Whether nobody who asked can know what became of the request. */
function leavesDoubt(kind: FaultKind | undefined): boolean {
  return kind !== undefined && kind !== 'neverLeft' && !kind.startsWith('limited') && kind !== 'queued';
}

/** The way between the processes and the workspace; it outlives them, and so does what is on it. */
export class Network {
  readonly #world: World;
  readonly #workspace: ModelWorkspace;
  readonly #randomness: Randomness;
  readonly #trouble: Trouble;
  readonly #doubts: Doubts;
  readonly #point: () => void;
  readonly #inARow = new Map<string, number>();
  readonly #creates = new Map<string, number>();
  readonly #begun: number;
  /** Requests that would change something, refused ones aside. */
  readonly writes: string[] = [];
  /** For a failure's sake: what was asked, and what came of it. */
  readonly log: string[] = [];

  constructor(
    world: World,
    workspace: ModelWorkspace,
    randomness: Randomness,
    trouble: Trouble,
    doubts: Doubts,
    point: () => void,
  ) {
    this.#world = world;
    this.#workspace = workspace;
    this.#randomness = randomness;
    this.#trouble = trouble;
    this.#doubts = doubts;
    this.#point = point;
    this.#begun = world.now;
  }

  transport(life: Life): Transport {
    return {
      close: () => Promise.resolve(),
      send: (request) => {
        this.#world.stir();
        if (life.dead) return new Promise(() => undefined);
        const { method, path, body = '' } = request;
        const isWrite = method !== 'GET' && path !== '/contact/list' && !body.includes(refusedName);
        if (isWrite) this.writes.push(`${method} ${path} ${body}`);
        this.#doubts.left(request);
        this.#point();
        return new Promise((resolve, reject) => {
          if (life.dead) this.#lastWords(request);
          else this.#carry(request, life, resolve, reject);
        });
      },
    };
  }

  /** The process died while it sent: nothing left, or all of it did. */
  #lastWords(request: TransportRequest): void {
    if (this.#randomness.next() < 0.5) return;
    const ms = this.#randomness.next() * this.#trouble.latestMs;
    this.#world.after(ms, null, () => this.#apply(request, 'after death'));
  }

  #carry(
    request: TransportRequest,
    life: Life,
    resolve: (response: TransportResponse) => void,
    reject: (error: TransportError) => void,
  ): void {
    const kind = this.#faultFor(request);
    const there = 1 + this.#randomness.next() * 30;
    const back = 1 + this.#randomness.next() * 30;
    const late = this.#randomness.next() * this.#trouble.latestMs;
    const draw = this.#randomness.next();
    const answerLater = (response: TransportResponse | undefined) =>
      this.#world.after(back, life, () => {
        if (kind !== undefined) this.#note(request, `${kind}: answered ${response?.status ?? 'nothing'}`);
        if (leavesDoubt(kind)) this.#doubts.lost(request);
        else this.#doubts.heard(request, response?.status ?? 0, this.#world.now);
        if (response === undefined) reject(new TransportError('the connection is gone', true));
        else resolve(response);
      });
    const apply = () => {
      const response = this.#apply(request, kind ?? '');
      // Applied, and the answer not yet there: an instant to die at.
      this.#point();
      return response;
    };
    if (kind === 'neverLeft') {
      this.#world.after(there, life, () => {
        this.#doubts.heard(request, 0, this.#world.now);
        reject(new TransportError('connection refused', false));
      });
      return;
    }
    this.#world.after(there, null, () => {
      switch (kind) {
        case undefined:
          return answerLater(apply());
        case 'lostBefore':
          return answerLater(undefined);
        case 'lostAfter':
          apply();
          return answerLater(undefined);
        case 'late':
          this.#world.after(late, null, apply);
          return answerLater(undefined);
        case 'broken':
          return answerLater({ ...apply(), status: 200, body: draw < 0.5 ? '<html>' : '{"cut": ' });
        case 'limited':
          return answerLater(error(429, 'Too Many Requests', 1));
        case 'limitedLong':
          return answerLater(error(429, 'Too Many Requests', 30));
        case 'queued':
          return answerLater(error(449, 'queued, try again in a few minutes'));
        case 'errorAfter':
          apply();
          return answerLater(error(errors[Math.floor(draw * 4)] ?? 500, 'Unexpected error occurred'));
        case 'errorBefore':
          return answerLater(error(errors[Math.floor(draw * 4)] ?? 500, 'Unexpected error occurred'));
      }
    });
  }

  #apply(request: TransportRequest, how: string): TransportResponse {
    const response = this.#workspace.handle(request, this.#world.now);
    this.#note(request, `-> ${response.status} ${how}`);
    return response;
  }

  #note({ method, path, body = '' }: TransportRequest, what: string): void {
    const at = Math.round(this.#world.now - this.#begun);
    this.log.push(`${at} ${method} ${path} ${body.slice(0, 200)} ${what}`);
  }

  #faultFor(request: TransportRequest): FaultKind | undefined {
    const { rate, outage } = this.#trouble;
    const at = this.#world.now - this.#begun;
    const unlucky = this.#randomness.next() < rate;
    const kind = faultKinds[Math.floor(this.#randomness.next() * faultKinds.length)];
    if (outage !== undefined && at >= outage[0] && at < outage[1]) return 'lostBefore';
    const key = `${request.method} ${request.path}`;
    const hurdle = this.#hurdle(request);
    if (hurdle !== undefined) return hurdle;
    const before = this.#inARow.get(key) ?? 0;
    const isList = request.path.startsWith('/space') || request.path === '/contact/list';
    const fits = !(kind === 'queued' && (request.method === 'GET' || isList));
    if (!unlucky || before >= mostInARow || !fits) {
      this.#inARow.set(key, 0);
      return undefined;
    }
    this.#inARow.set(key, before + 1);
    return kind;
  }

  #hurdle({ method, path }: TransportRequest): FaultKind | undefined {
    if (method !== 'POST' || !/^\/contact\/[^/]*%40[^/]*$/.test(path)) return undefined;
    const nth = this.#creates.get(path) ?? 0;
    this.#creates.set(path, nth + 1);
    return this.#trouble.hurdles?.[nth];
  }
}
