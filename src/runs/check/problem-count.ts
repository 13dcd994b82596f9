import type { Problem } from '../../model/problem.ts';

/** How often a problem was found, and the first few rows that have it. */
export interface ProblemCount {
  readonly code: string;
  readonly n: number;
  readonly examples: readonly {
    readonly line: number;
    readonly column: string | null;
    readonly reason: string;
  }[];
}

const fewExamples = 3;

/** Counts problems by their code, however many rows have them. */
export class ProblemCounter {
  readonly #mostExamples: number;
  readonly #counts = new Map<string, { n: number; examples: ProblemCount['examples'][number][] }>();

  constructor(mostExamples = fewExamples) {
    this.#mostExamples = mostExamples;
  }

  add(line: number, { code, column, reason }: Problem): void {
    const count = this.#counts.get(code) ?? { n: 0, examples: [] };
    this.#counts.set(code, count);
    count.n += 1;
    if (count.examples.length < this.#mostExamples) count.examples.push({ line, column, reason });
  }

  /** The most frequent first. */
  all(): readonly ProblemCount[] {
    return [...this.#counts]
      .map(([code, count]) => ({ code, ...count }))
      .sort((a, b) => b.n - a.n || (a.code < b.code ? -1 : 1));
  }
}
