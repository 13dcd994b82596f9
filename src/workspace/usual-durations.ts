/** The total duration (ms) and the number of the answers of one operation. */
export interface AnswerSum {
  ms: number;
  n: number;
}

/** Answers by their operation, which is any object that identifies it. */
export type AnswerSums = ReadonlyMap<object, AnswerSum>;

/** The durations that the operations usually have under low load. */
export class UsualDurations {
  readonly #usual = new Map<object, number>();

  /** True until the first answers were learned. */
  get isEmpty(): boolean {
    return this.#usual.size === 0;
  }

  /** Returns the factor by which these answers took longer than usual, at least 1. */
  slowness(sums: AnswerSums): number {
    let weighted = 0;
    let n = 0;
    for (const [operation, sum] of sums) {
      const mean = meanOf(sum);
      weighted += Math.max(1, mean / (this.#usual.get(operation) ?? mean)) * sum.n;
      n += sum.n;
    }
    return n === 0 ? 1 : weighted / n;
  }

  /** Adopts the durations of operations without a usual one, and moves towards shorter ones. */
  learn(sums: AnswerSums): void {
    for (const [operation, sum] of sums) {
      const mean = meanOf(sum);
      const usual = this.#usual.get(operation) ?? mean;
      // A fast window is partly chance: the usual duration moves a third of the way towards it.
      this.#usual.set(operation, usual + Math.min(0, mean - usual) / 3);
    }
  }

  /** Multiplies every duration. */
  scale(factor: number): void {
    for (const [operation, usual] of this.#usual) this.#usual.set(operation, usual * factor);
  }
}

function meanOf({ ms, n }: AnswerSum): number {
  return Math.max(1, ms / n);
}
