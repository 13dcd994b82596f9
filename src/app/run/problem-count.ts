import type { Problem, ProblemCount, ValueCount } from '../../model/problem.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';

const fewExamples = 3;
/** The maximum number of distinct values counted for a code: memory must not grow with the input. */
const mostValues = 1_000;

interface Tally {
  n: number;
  readonly examples: ProblemCount['examples'][number][];
  readonly values: Map<string, number>;
}

/** Counts problems by code, and by value where values are given. */
export class ProblemCounter {
  readonly #mostExamples: number;
  readonly #counts = new Map<string, Tally>();

  constructor(mostExamples = fewExamples) {
    this.#mostExamples = mostExamples;
  }

  add(row: RowPlace, { code, column, reason }: Problem, has: readonly string[] = []): void {
    const count = this.#counts.get(code) ?? { n: 0, examples: [], values: new Map<string, number>() };
    this.#counts.set(code, count);
    count.n += 1;
    if (count.examples.length < this.#mostExamples)
      count.examples.push({ ...normaliseRowPlace(row), column, reason });
    const { values } = count;
    for (const value of has)
      if (values.has(value) || values.size < mostValues) values.set(value, (values.get(value) ?? 0) + 1);
  }

  /** Returns the counts, the most frequent first. */
  all(): readonly ProblemCount[] {
    return [...this.#counts]
      .map(([code, { n, examples, values }]) => ({
        ...{ code, n, examples },
        ...(values.size > 0 && { values: mostFrequent(values) }),
      }))
      .sort((a, b) => b.n - a.n || (a.code < b.code ? -1 : 1));
  }
}

function mostFrequent(values: ReadonlyMap<string, number>): readonly ValueCount[] {
  return [...values].map(([value, n]) => ({ value, n })).sort((a, b) => b.n - a.n);
}
