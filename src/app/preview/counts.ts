import { collectTargetValues, findProblemTargetName } from '../../mapping/index.ts';
import type { ProblemCount } from '../../model/problem.ts';
import type { RowPlace } from '../../model/row-place.ts';
import { ProblemCounter } from '../run/problem-count.ts';
import type { PreviewInput } from './given-input.ts';
import { openInputForMapping, parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';
import { type ReadingProgress, visitAllRows } from './read-through.ts';
import {
  createRowEvaluator,
  listDroppedValueProblems,
  listProblemsWithEffects,
  type ProblemEffect,
  problemEffects,
  type RowVerdict,
} from './row-verdict.ts';

/** The number of rows with a problem, the problem's effect on these rows, and its target. */
export interface ProblemCountWithEffect extends ProblemCount {
  readonly effect: ProblemEffect;
  /** The mapping's target, such as `contact.email`; `file` for a problem of the file. */
  readonly target: string;
}

/** The counts of a mapping's results for the rows so far, each row judged by itself, and the progress. */
export interface RowCountsProgress extends ReadingProgress {
  readonly pass: number;
  readonly filtered: number;
  readonly rejected: number;
  /** The number of passing rows that an import rejects if the person is new. */
  readonly rejectedIfNew: number;
  /** The number of passing rows that lose a value. */
  readonly loseValue: number;
  /** The number of passing rows in which a target gets a value. */
  readonly filled: { readonly [target: string]: number };
  /** The problems of all effects, the most frequent first. */
  readonly reasons: readonly ProblemCountWithEffect[];
  /** Targets and options left out because the mapping still has questions about them. */
  readonly asked: readonly string[];
  /** Sentences about what these counts do not include: effects between rows, and what only the workspace knows. */
  readonly leftOut: readonly string[];
}

const mostExamples = 10;
/** Sentences about what the counts do not include. */
export const countLimits = [
  'Rows that describe one person are counted one by one: what policy.duplicates makes of them is not in these counts.',
  'The workspace is not asked: users, list values and contacts that exist are not in these counts.',
];

/** Runs a mapping on all rows of an input; calls `tell` with the counts so far, the last time with `done`. */
export async function countMappingResults(
  given: PreviewInput,
  mapping: UnsavedMapping,
  tell: (soFar: RowCountsProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const { loaded, asked } = parseUnsavedMapping(mapping);
  const judge = createRowEvaluator(loaded);
  const counts = new Counts();
  const input = await openInputForMapping(given, loaded, signal);
  await visitAllRows(
    input,
    (item) => counts.add(item, judge(item), item.kind === 'broken'),
    (progress) => tell({ ...progress, ...counts.soFar(), asked, leftOut: countLimits }),
    signal,
  );
}

class Counts {
  readonly #rows = { pass: 0, filtered: 0, rejected: 0, rejectedIfNew: 0, loseValue: 0 };
  readonly #filled = new Map<string, number>();
  readonly #reasons = {
    rejected: new ProblemCounter(mostExamples),
    rejectedIfNew: new ProblemCounter(mostExamples),
    dropped: new ProblemCounter(mostExamples),
  };
  /** The problem codes of records that are not rows. */
  readonly #ofFile = new Set<string>();

  add(row: RowPlace, verdict: RowVerdict, isBroken: boolean): void {
    const seen = new Set<string>();
    for (const [effect, problem] of listProblemsWithEffects(verdict)) {
      // Rows are counted, and a row may have the same problem in several cells.
      const key = `${effect} ${problem.code}`;
      if (!seen.has(key)) this.#reasons[effect].add(row, problem);
      seen.add(key);
      if (isBroken) this.#ofFile.add(problem.code);
    }
    if (verdict.kind !== 'passes') {
      this.#rows[verdict.kind] += 1;
      return;
    }
    this.#rows.pass += 1;
    if (verdict.ifNew.length > 0) this.#rows.rejectedIfNew += 1;
    if (listDroppedValueProblems(verdict.draft).length > 0) this.#rows.loseValue += 1;
    for (const target of collectTargetValues(verdict.draft).keys())
      this.#filled.set(target, (this.#filled.get(target) ?? 0) + 1);
  }

  soFar(): Omit<RowCountsProgress, keyof ReadingProgress | 'asked' | 'leftOut'> {
    const reasons = problemEffects.flatMap((effect) =>
      this.#reasons[effect].all().map((count) => ({
        ...count,
        effect,
        target: this.#ofFile.has(count.code) ? 'file' : findProblemTargetName(count.code),
      })),
    );
    return {
      ...this.#rows,
      filled: Object.fromEntries(this.#filled),
      reasons: reasons.sort((a, b) => b.n - a.n),
    };
  }
}
