import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import type { Running } from './command.ts';

/** `lost`: the request never reached the service · `applied`: done, unanswered · `answered`: answered, and nobody read it. */
export const moments = ['lost', 'applied', 'answered'] as const;

export type Moment = (typeof moments)[number];

/** One kill: at the n-th request of an operation since the scene began. */
export interface KillPoint {
  readonly method: 'POST' | 'PUT';
  /** As the specification writes it. */
  readonly template: string;
  readonly nth?: number;
}

type OnPhase = NonNullable<SandboxOptions['onPhase']>;

/** Kills the process under test with SIGKILL, once for each stroke, in whatever order the strokes come. */
export class ProcessKiller {
  readonly #moment: Moment;
  readonly #strokes: readonly KillPoint[];
  readonly #seen = new Map<string, number>();
  #open: readonly KillPoint[];
  #victim: Running | undefined;
  #answering: number | undefined;

  constructor(moment: Moment, strokes: readonly KillPoint[]) {
    this.#moment = moment;
    this.#strokes = strokes;
    this.#open = strokes;
  }

  /** A request that never arrives is one that the service drops unseen. */
  prepare(sandbox: Sandbox): void {
    if (this.#moment !== 'lost') return;
    for (const { method, template, nth = 1 } of this.#strokes) {
      sandbox.scriptFault({ method, path: template, kind: 'dropBefore', skip: nth - 1 });
    }
  }

  watch(victim: Running): void {
    this.#victim = victim;
  }

  /** Strokes whose request has not come. */
  get open(): readonly KillPoint[] {
    return this.#open;
  }

  readonly onPhase: OnPhase = (phase, { n, method, template }) => {
    if (phase === 'answered' && this.#answering === n) return this.#kill();
    if (phase !== (this.#moment === 'lost' ? 'received' : 'applied')) return;
    const key = `${method} ${template}`;
    const seen = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, seen);
    const stroke = this.#open.find(
      (each) => each.method === method && each.template === template && (each.nth ?? 1) === seen,
    );
    if (stroke === undefined) return;
    this.#open = this.#open.filter((each) => each !== stroke);
    if (this.#moment !== 'answered') return this.#kill();
    // Stopped first, so that the answer reaches its socket and nobody reads it: between answer and journal.
    this.#victim?.process.kill('SIGSTOP');
    this.#answering = n;
  };

  #kill(): void {
    this.#victim?.process.kill('SIGKILL');
  }
}
