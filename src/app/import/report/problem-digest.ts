import {
  type JournalDatabase,
  listRowsWithProblems,
  type RowWithProblems,
  type RunRecord,
} from '../../../journal/index.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { isNoteOnly, type Problem } from '../../../model/problem.ts';
import { normaliseRowPlace, type RowPlace } from '../../../model/row-place.ts';
import type { Tone } from '../../../report/words.ts';
import { findLossKind } from '../../run/left-behind/kinds.ts';
import { doubledContactCode } from '../closing-pass.ts';
import { readRowBatches } from './lists.ts';

export interface ProblemExample extends RowPlace {
  /** The number of the row, from 0. */
  readonly seq: number;
  readonly column: string | null;
  readonly reason: string;
}

/**
 * What a problem did to its row: an outcome, a contact doubled, a value left out of a row that was done, or
 * only a note.
 */
export type ProblemConsequence =
  | 'rejected'
  | 'failed'
  | 'uncertain'
  | 'proposed'
  | 'stale'
  | 'skipped'
  | 'folded'
  | 'doubled'
  | 'leftOut'
  | 'noted';

/** The label and tone of each consequence. */
export const consequenceLabels: Readonly<
  Record<ProblemConsequence, { readonly label: string; readonly tone: Tone }>
> = {
  rejected: { label: 'row rejected', tone: 'bad' },
  failed: { label: 'row failed', tone: 'bad' },
  uncertain: { label: 'row uncertain', tone: 'look' },
  proposed: { label: 'waiting for your answer', tone: 'look' },
  stale: { label: 'row stale', tone: 'look' },
  skipped: { label: 'row skipped', tone: 'quiet' },
  doubled: { label: 'contact doubled', tone: 'look' },
  folded: { label: 'row folded', tone: 'quiet' },
  leftOut: { label: 'value left out', tone: 'quiet' },
  noted: { label: 'noted', tone: 'quiet' },
};

/** Returns the consequence of a problem for a row with this outcome. */
export function getProblemConsequence(outcome: Outcome, code: string): ProblemConsequence {
  if (code === doubledContactCode) return 'doubled';
  if (isNoteOnly({ code })) return 'noted';
  return isConsequence(outcome) ? outcome : 'leftOut';
}

function isConsequence(word: string): word is ProblemConsequence {
  return word in consequenceLabels;
}

/** How often a problem had one consequence, and the first few rows. */
export interface ProblemDigest {
  readonly consequence: ProblemConsequence;
  readonly code: string;
  readonly n: number;
  readonly examples: readonly ProblemExample[];
}

const exampleCount = 5;
/** Yields the rows of a run that have problems, in batches. */
export function readProblemBatches(
  file: JournalDatabase,
  run: RunRecord,
): AsyncIterable<readonly RowWithProblems[]> {
  return readRowBatches(file, run, (from, to) => listRowsWithProblems(file, run.number, from, to));
}

interface Tally {
  consequence: ProblemConsequence;
  code: string;
  n: number;
  examples: ProblemExample[];
}

/** Counts problems by consequence and code. */
export class ProblemDigestBuilder {
  readonly #tallies = new Map<string, Tally>();

  add(row: RowWithProblems): void {
    for (const problem of row.problems) this.#count(row, problem);
  }

  digest(): ProblemDigest[] {
    return [...this.#tallies.values()].sort(compareProblemSeverity);
  }

  #count(row: RowWithProblems, problem: Problem): void {
    const consequence = getProblemConsequence(row.outcome, problem.code);
    const name = `${consequence} ${problem.code}`;
    const tally = this.#tallies.get(name) ?? { consequence, code: problem.code, n: 0, examples: [] };
    this.#tallies.set(name, tally);
    tally.n += 1;
    if (tally.examples.length < exampleCount) {
      tally.examples.push({
        seq: row.seq,
        ...normaliseRowPlace(row),
        column: problem.column,
        reason: problem.reason,
      });
    }
  }
}

const weights: Readonly<Record<Tone, number>> = { bad: 0, look: 1, quiet: 2, good: 3 };

function weightOf(consequence: ProblemConsequence): number {
  return consequence === 'noted' ? weights.good : weights[consequenceLabels[consequence].tone];
}

/** Returns the problems that are not also listed as losses of the import. */
export function excludeLosses<T extends Pick<ProblemDigest, 'consequence' | 'code'>>(
  problems: readonly T[],
): readonly T[] {
  return problems.filter(
    ({ consequence, code }) =>
      consequence !== 'rejected' && consequence !== 'failed' && findLossKind(code) === undefined,
  );
}

/**
 * Compares problems by their consequence, the most severe first and `noted` last, then by count, the most frequent
 * first.
 */
export function compareProblemSeverity(
  a: Omit<ProblemDigest, 'examples'>,
  b: Omit<ProblemDigest, 'examples'>,
): number {
  const weight = weightOf(a.consequence) - weightOf(b.consequence);
  return weight || b.n - a.n || (a.code < b.code ? -1 : 1);
}
