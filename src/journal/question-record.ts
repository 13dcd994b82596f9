import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { RowPlace } from '../model/row-place.ts';
import { enumColumn, jsonColumn, numberColumn, type TypedRow, textColumn } from '../storage/columns.ts';
import { hasRow, prepareQuery, replaceRow, runSql, select, selectCount, selectOne } from '../storage/sql.ts';
import type { KnownKeyScope } from './known-record.ts';
import type { JournalDatabase } from './open.ts';

/** The names, identifiers and date of birth of a row or a contact, as a question shows them. */
export interface ComparedPerson {
  readonly first: string | null;
  readonly family: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** `yyyy-mm-dd`; absent where it is unknown. */
  readonly birthDate?: string;
  /** Further e-mails and phones of a row; absent where it has none. */
  readonly further?: readonly string[];
}

/** A row that a question is about. */
interface AskingRow extends RowPlace {
  readonly key: string | null;
  /** The key under which an answer about this row is stored. */
  readonly memoryKey: string;
}

/** One line of same-person.csv: a row that may be the person of another row or of a contact. */
export interface QuestionRecord extends AskingRow {
  readonly seq: number;
  /** The number of the question within its row, from 0: a row may wait for several answers. */
  readonly n: number;
  readonly other: (AskingRow & { readonly kind: 'row' }) | { readonly kind: 'contact'; readonly id: number };
  /** The reason for the question, in words. */
  readonly evidence: string;
  readonly row: ComparedPerson;
  readonly otherSide: ComparedPerson;
}

/** The numbers of a run's questions. */
export interface QuestionCounts {
  /** All questions that the run has asked. */
  readonly asked: number;
  /** Those that no run has applied an answer to. */
  readonly open: number;
}

/** An answer to a question. */
export type QuestionAnswer = 'same' | 'different';

const answerColumns = { answer: enumColumn(['same', 'different']) };
const storedAnswer = { one: textColumn, other: textColumn, ...answerColumns };

const side = z.object({
  first: z.string().nullable(),
  family: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  birthDate: z.string().exactOptional(),
  further: z.array(z.string()).readonly().exactOptional(),
});
const asking = {
  sheet: z.string().nullable().exactOptional(),
  key: z.string().nullable(),
  memoryKey: z.string(),
};
const content = z.object({
  ...asking,
  other: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('row'), line: z.number(), ...asking }),
    z.object({ kind: z.literal('contact'), id: z.number() }),
  ]),
  evidence: z.string(),
  row: side,
  otherSide: side,
});
const question = { seq: numberColumn, n: numberColumn, line: numberColumn, content: jsonColumn(content) };

/** Records a question, replacing an earlier one of that row and number. */
export function writeQuestion(file: JournalDatabase, run: number, record: QuestionRecord): void {
  const { seq, n, line, other, ...more } = record;
  const others = other.kind === 'row' ? { other_line: other.line } : { contact: other.id };
  replaceRow(file, 'question', { run, seq, n, line, ...others, content: JSON.stringify({ ...more, other }) });
}

const [ofRow, ofOther] = [
  "content ->> '$.memoryKey'",
  "coalesce(content ->> '$.other.memoryKey', 'id:' || contact)",
];

/** The condition of a question that no run has applied an answer to; the two sides of an answer have no order. */
const isOpen = `NOT EXISTS (
  SELECT 1 FROM run JOIN answer ON answer.workspace = run.workspace AND answer.mapping = run.mapping_name
  WHERE run.number = question.run
    AND ((one = ${ofRow} AND other = ${ofOther}) OR (one = ${ofOther} AND other = ${ofRow})))`;

/** Returns the open questions of a run after (seq, n), in order, at most `limit`. */
export function listOpenQuestions(
  file: JournalDatabase,
  run: number,
  after: Pick<QuestionRecord, 'seq' | 'n'>,
  limit: number,
): readonly QuestionRecord[] {
  const sql = `
    SELECT seq, n, line, content FROM question
    WHERE run = ? AND (seq, n) > (?, ?) AND ${isOpen} ORDER BY seq, n LIMIT ?`;
  return prepareQuery(file, question, sql).all(run, after.seq, after.n, limit).map(read);
}

/** Returns the number of questions of a run, and of those that no run has applied an answer to. */
export function countQuestions(file: JournalDatabase, run: number): QuestionCounts {
  const asked = selectCount(file)`SELECT count(*) AS n FROM question WHERE run = ${run}`;
  if (asked === 0) return { asked, open: 0 };
  const sql = `SELECT count(*) AS n FROM question WHERE run = ? AND ${isOpen}`;
  return { asked, open: prepareQuery(file, { n: numberColumn }, sql).get(run)?.n ?? 0 };
}

/**
 * Returns the latest question in this scope about the row at a place and another row or a contact; undefined if none.
 */
export function findQuestionAbout(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  { line, sheet = null }: RowPlace,
  other: RowPlace | { readonly contact: number },
): QuestionRecord | undefined {
  const [otherLine, otherSheet, contact] =
    'line' in other ? [other.line, other.sheet ?? null, null] : [null, null, other.contact];
  const found = selectOne(file, question)`
    SELECT seq, n, line, content FROM question
    WHERE line = ${line} AND other_line IS ${otherLine} AND contact IS ${contact}
      AND content ->> '$.sheet' IS ${sheet} AND content ->> '$.other.sheet' IS ${otherSheet}
      AND run IN (SELECT number FROM run WHERE workspace = ${workspace} AND mapping_name = ${mapping})
    ORDER BY run DESC LIMIT 1`;
  return found && read(found);
}

/**
 * Creates the store of answers in a scope. An answer is stored under its two sides, which may be given in any order:
 * the `memoryKey` of two rows, or that of one row and the `id:…` of a contact.
 */
export function createAnswerStore(file: JournalDatabase, { workspace, mapping }: KnownKeyScope) {
  const isEmpty = !hasRow(file)`SELECT 1 FROM answer WHERE workspace = ${workspace} AND mapping = ${mapping}`;
  const list = () =>
    select(file, storedAnswer)`SELECT one, other, answer FROM answer
      WHERE workspace = ${workspace} AND mapping = ${mapping} ORDER BY one, other`;
  return {
    find(one: string, other: string): QuestionAnswer | undefined {
      if (isEmpty) return undefined;
      const [low, high] = inOrder(one, other);
      return selectOne(file, answerColumns)`SELECT answer FROM answer
        WHERE workspace = ${workspace} AND mapping = ${mapping} AND one = ${low} AND other = ${high}`?.answer;
    },
    /** Returns the answers about a row and others, by the memory keys of these. */
    about: (key: string): readonly { readonly other: string; readonly answer: QuestionAnswer }[] =>
      isEmpty
        ? []
        : select(file, storedAnswer)`SELECT one, other, answer FROM answer
            WHERE workspace = ${workspace} AND mapping = ${mapping} AND (one = ${key} OR other = ${key})`.map(
            ({ one, other, answer }) => ({ other: one === key ? other : one, answer }),
          ),
    /** Returns all answers, each with its two sides, in the order of these. */
    list,
    /** Returns a text that changes when an answer is added or changed. */
    version: (): string => createHash('sha256').update(JSON.stringify(list())).digest('base64url'),
    /** Returns a function that stores an answer for later runs. */
    remember: (one: string, other: string, answer: QuestionAnswer) => (): void => {
      const [low, high] = inOrder(one, other);
      runSql(file)`REPLACE INTO answer (workspace, mapping, one, other, answer)
        VALUES (${workspace}, ${mapping}, ${low}, ${high}, ${answer})`;
    },
  };
}

function inOrder(one: string, other: string): readonly [string, string] {
  return one.startsWith('id:') || (!other.startsWith('id:') && other < one) ? [other, one] : [one, other];
}

function read({ content, ...place }: TypedRow<typeof question>): QuestionRecord {
  return { ...place, ...content };
}
