import {
  createAnswerStore,
  findQuestionAbout,
  type JournalDatabase,
  type KnownKeyScope,
  type QuestionAnswer,
  type QuestionRecord,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatRowPlace, formatRowPlaces, type RowPlace } from '../../model/row-place.ts';
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
 * cells. Throws a FatalError (usage) for a line whose row and key no run has asked about, and for answers that contradict
 * each other.
 */
export function readAnsweredQuestions(
  file: JournalDatabase,
  scope: KnownKeyScope,
  { answered, file: path }: AnswerListDecisions,
): readonly AnsweredQuestion[] {
  const all = answered.map(
    ({ at, key, other, answer, ...row }): AnsweredQuestion & { readonly at: number } => {
      const { line } = row;
      const question = findQuestionAbout(file, scope, row, other);
      if (
        question !== undefined &&
        toComparableSpreadsheetCell(question.key ?? '') === toComparableSpreadsheetCell(key ?? '')
      )
        return { at, line, key: question.key, question, answer };
      throw new FatalError(
        'usage',
        `no run has asked about ${formatRowPlace(row)} with the key "${key ?? ''}".`,
        {
          place: { file: path, line: at },
          next: 'Take the line from the same-person.csv of the run again.',
        },
      );
    },
  );
  refuseContradiction(all, createAnswerStore(file, scope).list(), path);
  return all;
}

/**
 * Throws a FatalError (usage) where answers make two rows one person, and another one says that they are two people. An
 * earlier answer counts unless the list changes it.
 */
function refuseContradiction(
  listed: readonly (AnsweredQuestion & { readonly at: number })[],
  earlier: ReturnType<ReturnType<typeof createAnswerStore>['list']>,
  path: string,
): void {
  const ofList = listed.flatMap(({ at, question: { memoryKey: one, other, ...row }, answer }) =>
    other.kind === 'contact'
      ? []
      : [
          {
            ...{ one: nameRow(one, row), other: nameRow(other.memoryKey, other) },
            ...{ answer, at, places: [row, other] },
          },
        ],
  );
  const changed = new Set(ofList.map(({ one, other }) => pair(one, other)));
  const kept = earlier.filter(
    ({ one, other }) => isKey(one) && isKey(other) && !changed.has(pair(one, other)),
  );
  const personOf = unite([...kept, ...ofList].filter(({ answer }) => answer === 'same'));
  const isContradicted = ({ one, other, answer }: (typeof kept)[number]) =>
    answer === 'different' && personOf(one) === personOf(other);
  const refuse = (line: number, message: string) =>
    new FatalError('usage', message, {
      place: { file: path, line },
      next: 'Change one of the answers about these rows: two rows that are one person with a third one are one person.',
    });
  for (const { at, places, ...each } of ofList)
    if (isContradicted(each))
      throw refuse(
        at,
        `${formatRowPlaces(places)} of the input are two people here, and one person by other answers.`,
      );
  const apart = new Set(kept.filter(isContradicted).map(({ one }) => personOf(one)));
  for (const { at, places, one, answer } of ofList)
    if (answer === 'same' && apart.has(personOf(one)))
      throw refuse(
        at,
        `this answer about ${formatRowPlaces(places)} of the input makes one person of two rows that are two people by an earlier answer.`,
      );
}

/** Returns a name of a row: its key or, because rows without one may have one memory key together, its place. */
function nameRow(memoryKey: string, place: RowPlace): string {
  return isKey(memoryKey) ? memoryKey : formatRowPlace(place);
}

const isKey = (memoryKey: string) => memoryKey.startsWith('key:');

/** Returns a function that names the person of a row, given all pairs of rows that are one person. */
function unite(pairs: readonly { readonly one: string; readonly other: string }[]): (row: string) => string {
  const next = new Map<string, string>();
  const personOf = (row: string): string => {
    let person = row;
    for (let to = next.get(person); to !== undefined; to = next.get(person)) person = to;
    if (person !== row) next.set(row, person);
    return person;
  };
  for (const { one, other } of pairs) {
    const [a, b] = [personOf(one), personOf(other)];
    if (a !== b) next.set(a, b);
  }
  return personOf;
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
