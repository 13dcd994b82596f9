import type * as z from 'zod';
import type { RejectedRow } from '../../app/import/report/rejects-csv.ts';
import type { ListedUncertainComment } from '../../app/import/report/uncertain-csv.ts';
import type { CheckedRow } from '../../app/preview/corrected-row.ts';
import type { ComparedPerson } from '../../journal/index.ts';
import type { StudioCommand } from './command.ts';
import { defineChangeRoute, defineGetRoute, definePostQueryRoute } from './route.ts';
import type {
  cellCorrectionsRequestSchema,
  cellCorrectionsSchema,
  rejectsRequestSchema,
  resendAnswersSchema,
  samePersonAnswersSchema,
  saveResendAnswersRequestSchema,
  saveSamePersonAnswersRequestSchema,
} from './schemas/decisions.ts';
import type { runRequestSchema } from './schemas/runs.ts';

export type { RejectedRow } from '../../app/import/report/rejects-csv.ts';
export type { CheckedRow } from '../../app/preview/corrected-row.ts';

export type CellCorrections = z.output<typeof cellCorrectionsSchema>;
export type UncertainCommentAnswers = z.output<typeof resendAnswersSchema>;
export type SamePersonAnswers = z.output<typeof samePersonAnswersSchema>;

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
  /** The number of corrections that were made to the same rows of an earlier file, and are not saved for this run yet. */
  readonly carried: number;
  /** The corrections of an earlier file that do not fit to this one; empty after the first page. */
  readonly lost: readonly LostCorrection[];
  /** False if the rows have to be corrected in the input, because a retry of the list would lack lists of theirs. */
  readonly canCorrect: boolean;
}

/** A correction of a row of an earlier file that the file of a run does not have as it was, or that was imported. */
export interface LostCorrection extends Pick<RejectedRow, 'line' | 'sheet' | 'key'> {
  /** The name of the earlier file. */
  readonly file: string;
  /** The corrected cells by column. */
  readonly cells: Readonly<Record<string, string>>;
}

/** The first 500 uncertain comments of a run: it cannot be found out whether they were sent. */
export interface UncertainCommentList {
  readonly comments: readonly UncertainCommentEntry[];
  /** True if the run has more uncertain comments. */
  readonly more: boolean;
  /** The saved answers by comment id: `yes` sends the comment again. */
  readonly answers: UncertainCommentAnswers;
  /** The path of the answered list, relative to the project folder; null if nothing was answered yet. */
  readonly list: string | null;
}

/** A comment that may or may not have been sent. */
export type UncertainCommentEntry = Omit<ListedUncertainComment, 'at'>;

/** The CSV file that was written for `retry --from`, `retry --decided` or `import --approve`. */
export interface SavedCsvFile {
  /** Relative to the project folder. */
  readonly path: string;
}

/** One side of a question whether a row is the same person as another row or a contact. */
export interface ComparedSide extends ComparedPerson {
  /** The contact's id; null for a row. */
  readonly contact: number | null;
  /** The row's line, sheet and key; null for a contact, and where the row has none. */
  readonly line: number | null;
  readonly sheet: string | null;
  readonly key: string | null;
}

/** A question whether a row is the same person as another row or a contact. */
export interface SamePersonQuestion {
  readonly id: string;
  /** The reason for the question, in words. */
  readonly evidence: string;
  readonly sides: readonly [ComparedSide, ComparedSide];
}

/** The first 500 questions of a run about people who may be the same, without those that a run has applied an answer to. */
export interface SamePersonQuestionList {
  readonly questions: readonly SamePersonQuestion[];
  /** True if the run has more such questions. */
  readonly more: boolean;
  /** The saved answers by question id. */
  readonly answers: SamePersonAnswers;
  /** The command that imports the rows as answered. */
  readonly command: StudioCommand;
}

export const decisionRoutes = {
  rejects: defineGetRoute<z.output<typeof rejectsRequestSchema>, RejectedRowsPage>('/api/runs/:run/rejects'),
  /** Saves corrected cells, and writes the CSV file that `retry --from` reads. */
  correct: defineChangeRoute<z.output<typeof cellCorrectionsRequestSchema>, SavedCsvFile>(
    'PUT',
    '/api/runs/:run/rejects',
  ),
  /** Returns what a retry would find wrong with rows after their correction; changes nothing. */
  checkCorrections: definePostQueryRoute<
    z.output<typeof cellCorrectionsRequestSchema>,
    { readonly rows: readonly CheckedRow[] }
  >('/api/runs/:run/rejects/check'),
  uncertain: defineGetRoute<z.output<typeof runRequestSchema>, UncertainCommentList>(
    '/api/runs/:run/uncertain',
  ),
  /** Saves answers, and writes the CSV file that `retry --decided` reads. */
  answer: defineChangeRoute<z.output<typeof saveResendAnswersRequestSchema>, SavedCsvFile>(
    'PUT',
    '/api/runs/:run/uncertain',
  ),
  samePerson: defineGetRoute<z.output<typeof runRequestSchema>, SamePersonQuestionList>(
    '/api/runs/:run/same-person',
  ),
  /** Saves answers, and writes the CSV file that `import --approve` reads. */
  answerSamePerson: defineChangeRoute<z.output<typeof saveSamePersonAnswersRequestSchema>, SavedCsvFile>(
    'PUT',
    '/api/runs/:run/same-person',
  ),
};
