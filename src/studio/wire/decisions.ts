import type * as z from 'zod';
import type { RejectedRow } from '../../app/import/report/rejects-csv.ts';
import type { ListedUncertainComment } from '../../app/import/report/uncertain-csv.ts';
import { defineChangeRoute, defineGetRoute } from './route.ts';
import type {
  cellCorrectionsSchema,
  rejectsRequestSchema,
  resendAnswersSchema,
  saveCorrectionsRequestSchema,
  saveResendAnswersRequestSchema,
} from './schemas/decisions.ts';
import type { runRequestSchema } from './schemas/runs.ts';

export type { RejectedRow } from '../../app/import/report/rejects-csv.ts';

export type CellCorrections = z.output<typeof cellCorrectionsSchema>;
export type ResendAnswers = z.output<typeof resendAnswersSchema>;

/** A page of rejected and failed rows, in the order of the input. */
export interface RejectedRowsPage {
  /** The columns of the input, in their order; empty after the first page. */
  readonly columns: readonly string[];
  readonly rows: readonly RejectedRow[];
  /** The cursor of the next page; null for the last one. */
  readonly next: string | null;
  /** The saved corrections of all rows, also of those on other pages. */
  readonly corrections: CellCorrections;
  /** The path of the corrected list, relative to the project folder; null if nothing was corrected yet. */
  readonly list: string | null;
}

/** The first 500 uncertain comments of a run: it cannot be found out whether they were sent. */
export interface UncertainCommentList {
  readonly comments: readonly UncertainCommentEntry[];
  /** True if the run has more uncertain comments. */
  readonly more: boolean;
  /** The saved answers by comment id: `yes` sends the comment again. */
  readonly answers: ResendAnswers;
  /** The path of the answered list, relative to the project folder; null if nothing was answered yet. */
  readonly list: string | null;
}

/** A comment that may or may not have been sent. */
export type UncertainCommentEntry = Omit<ListedUncertainComment, 'at'>;

/** The CSV file that was written for `retry --from` or `retry --decided`. */
export interface SavedCsvFile {
  /** Relative to the project folder. */
  readonly path: string;
}

export const decisionRoutes = {
  rejects: defineGetRoute<z.output<typeof rejectsRequestSchema>, RejectedRowsPage>('/api/runs/:run/rejects'),
  /** Saves corrected cells, and writes the CSV file that `retry --from` reads. */
  correct: defineChangeRoute<z.output<typeof saveCorrectionsRequestSchema>, SavedCsvFile>(
    'PUT',
    '/api/runs/:run/rejects',
  ),
  uncertain: defineGetRoute<z.output<typeof runRequestSchema>, UncertainCommentList>(
    '/api/runs/:run/uncertain',
  ),
  /** Saves answers, and writes the CSV file that `retry --decided` reads. */
  answer: defineChangeRoute<z.output<typeof saveResendAnswersRequestSchema>, SavedCsvFile>(
    'PUT',
    '/api/runs/:run/uncertain',
  ),
};
