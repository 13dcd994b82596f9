import type * as z from 'zod';
import type { RejectedRow } from '../../app/import/report/rejects-csv.ts';
import type { ListedUncertainComment } from '../../app/import/report/uncertain-csv.ts';
import { changeRoute, getRoute } from './route.ts';
import type {
  answers,
  answersSent,
  corrections,
  correctionsSent,
  rejectsChoice,
} from './schemas/decisions.ts';
import type { runChoice } from './schemas/runs.ts';

export type { RejectedRow } from '../../app/import/report/rejects-csv.ts';

export type Corrections = z.output<typeof corrections>;
export type Answers = z.output<typeof answers>;

/** Rejected and failed rows in the order of the input. */
export interface Rejects {
  /** Of the input, in their order; none but on the first page. */
  readonly columns: readonly string[];
  readonly rows: readonly RejectedRow[];
  /** What to go on after; null where these are the last. */
  readonly next: string | null;
  /** What was corrected here so far. */
  readonly corrections: Corrections;
  /** Of the list with the corrections, from the project folder; null where nothing was corrected yet. */
  readonly list: string | null;
}

/** The comments of a run that may have been sent. */
export interface UncertainComments {
  readonly comments: readonly UncertainComment[];
  /** Whether there are more than these. */
  readonly more: boolean;
  /** What was said of them so far. */
  readonly answers: Answers;
  /** Of the list with the answers, from the project folder; null where nothing was said yet. */
  readonly list: string | null;
}

/** A comment that may have been sent. */
export type UncertainComment = Omit<ListedUncertainComment, 'at'>;

/** The list that a command reads. */
export interface WrittenList {
  /** From the project folder. */
  readonly path: string;
}

export const decisionRoutes = {
  rejects: getRoute<z.output<typeof rejectsChoice>, Rejects>('/api/runs/:run/rejects'),
  /** Keeps the corrected cells, and writes the rejects.csv with them that `retry --from` takes. */
  correct: changeRoute<z.output<typeof correctionsSent>, WrittenList>('PUT', '/api/runs/:run/rejects'),
  uncertain: getRoute<z.output<typeof runChoice>, UncertainComments>('/api/runs/:run/uncertain'),
  /** Keeps the answers, and writes the uncertain.csv with them that `retry --decided` takes. */
  answer: changeRoute<z.output<typeof answersSent>, WrittenList>('PUT', '/api/runs/:run/uncertain'),
};
