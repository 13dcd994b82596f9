import {
  createAnswerStore,
  findQuestionAbout,
  type JournalDatabase,
  type KnownKeyScope,
  type QuestionAnswer,
  type QuestionRecord,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatRowPlace } from '../../model/row-place.ts';
import type { AnswerListDecisions } from './approvals.ts';
import { createDecisionFinder, toComparableSpreadsheetCell } from './approved-merges.ts';

/** An answer with the question that was shown for it. */
export interface AnsweredQuestion {
  readonly line: number;
  readonly key: string | null;
  readonly question: QuestionRecord;
  readonly answer: QuestionAnswer;
}

/** Returns the answers about a row of the input. */
export type FindRowAnswers = (row: {
  readonly line: number;
  readonly key: string | null;
}) => readonly AnsweredQuestion[];

/**
 * Returns the answers of a list with their questions, which are read from the journal, because spreadsheets rewrite
 * cells. Throws a FatalError (usage) for a line whose row and key no run has asked about.
 */
export function readAnsweredQuestions(
  file: JournalDatabase,
  scope: KnownKeyScope,
  { answered, file: path }: AnswerListDecisions,
): readonly AnsweredQuestion[] {
  return answered.map(({ at, key, other, answer, ...row }) => {
    const { line } = row;
    const question = findQuestionAbout(file, scope, row, other);
    if (
      question !== undefined &&
      toComparableSpreadsheetCell(question.key ?? '') === toComparableSpreadsheetCell(key ?? '')
    )
      return { line, key: question.key, question, answer };
    throw new FatalError(
      'usage',
      `no run has asked about ${formatRowPlace(row)} with the key "${key ?? ''}".`,
      {
        place: { file: path, line: at },
        next: 'Take the line from the same-person.csv of the run again.',
      },
    );
  });
}

/**
 * Returns look-ups of answers: `answersOf` finds the list's answers about a row; `answers` finds the answer about two
 * rows by their memory keys, first in the list, then among those of earlier runs. `version` returns a text that changes
 * with the answers of earlier runs.
 */
export function createAnswerLookups(
  file: JournalDatabase,
  scope: KnownKeyScope,
  answered: readonly AnsweredQuestion[],
) {
  const memory = createAnswerStore(file, scope);
  const listed = new Map(
    answered.flatMap(({ question: { memoryKey, other }, answer }) =>
      other.kind === 'contact' ? [] : [[pair(memoryKey, other.memoryKey), answer] as const],
    ),
  );
  return {
    answersOf: createDecisionFinder(answered),
    version: memory.version,
    answers: (one: string, other: string): QuestionAnswer | undefined =>
      listed.get(pair(one, other)) ?? memory.find(one, other),
  };
}

function pair(one: string, other: string): string {
  return JSON.stringify([one, other].sort());
}
