import * as z from 'zod';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import { jsonColumn, numberColumn, optionalColumn } from '../../storage/columns.ts';
import { select } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import type { IdentityEvidence, JudgedEvidence } from '../evidence.ts';
import { nameMatchKinds, type PersonName } from '../names.ts';
import { createAnswerKeys } from './judged-rows.ts';

/** A row of the input with its evidence and its place. */
export interface EvidenceRow extends IdentityEvidence, RowPlace {
  readonly seq: number;
}

/** A question whether a row is the same person as another row (`holder`). */
export interface RowQuestion extends RowPlace, JudgedEvidence {
  /** The row in question; for a person with several rows, one of them. */
  readonly seq: number;
  /** The answer key of this row; the answer is stored under it and the key of the holder (`createAnswerKeys`). */
  readonly memoryKey: string;
  readonly holder: EvidenceRow & { readonly memoryKey: string };
}

/**
 * Returns the question whether a row is the same person as the row that holds its value, with the answer keys of both.
 */
export function createRowQuestion(
  asking: EvidenceRow,
  { seq, line, sheet, key, email, phone, first, family, birthDate = null }: EvidenceRow,
  { equal, names, birthDatesDiffer }: JudgedEvidence,
): RowQuestion {
  const holder = { seq, ...normaliseRowPlace({ line, sheet }), key, email, phone, first, family, birthDate };
  const [memoryKey, holderKey] = createAnswerKeys(asking, holder);
  return {
    ...{ seq: asking.seq, ...normaliseRowPlace(asking), memoryKey, equal, names, birthDatesDiffer },
    holder: { ...holder, memoryKey: holderKey },
  };
}

/** The places of the rows that hold the e-mail or the phone of a row. */
export interface IdentifierHolders {
  readonly email?: RowPlace;
  readonly phone?: RowPlace;
}

/**
 * The name and date of birth of another person of the input with the same e-mail or phone: a contact found by that value
 * may be theirs.
 */
export interface PersonSharingIdentifier extends PersonName, Pick<IdentityEvidence, 'birthDate'> {
  readonly kind: 'email' | 'phone';
  /**
   * True where that person has precedence: it holds the value, or comes first in the order of
   * `createRowSortKey`.
   */
  readonly isBefore: boolean;
}

export const rowPlaceSchema = z.object({ line: z.int(), sheet: z.string().exactOptional() });

export const identifierHoldersSchema = z.object({
  email: rowPlaceSchema.exactOptional(),
  phone: rowPlaceSchema.exactOptional(),
});

export const personSharingIdentifierSchema = z.object({
  kind: z.enum(['email', 'phone']),
  isBefore: z.boolean(),
  first: z.string().nullable(),
  family: z.string().nullable(),
  birthDate: z.string().nullable().exactOptional(),
});

const asking = { ...rowPlaceSchema.shape, seq: z.number(), memoryKey: z.string() };
const rowQuestionSchema = z.object({
  ...asking,
  equal: z.array(z.enum(['key', 'email', 'phone'])),
  names: z.enum(nameMatchKinds),
  birthDatesDiffer: z.boolean(),
  holder: z.object({
    ...asking,
    key: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    first: z.string().nullable(),
    family: z.string().nullable(),
    birthDate: z.string().nullable(),
    further: z.array(z.string()),
  }),
});

const questions = { seq: numberColumn, content: jsonColumn(rowQuestionSchema) };
const reused = { seq: numberColumn, content: jsonColumn(rowPlaceSchema) };
const rivals = { seq: numberColumn, content: jsonColumn(z.array(personSharingIdentifierSchema)) };
const place = optionalColumn(jsonColumn(rowPlaceSchema));
const shared = { seq: numberColumn, email: place, phone: place };

/**
 * Returns the functions that read the questions, reused keys, shared values and rivals of the rows [from, to), by row.
 */
export function createQuestionReader(file: SqliteConnection) {
  const bySeq = <T>(found: readonly { readonly seq: number; readonly content: T }[]) =>
    new Map(found.map(({ seq, content }) => [seq, content] as const));
  return {
    questionsBetween(from: number, to: number): ReadonlyMap<number, readonly RowQuestion[]> {
      const found = new Map<number, RowQuestion[]>();
      for (const { seq, content } of select(file, questions)`
        SELECT seq, content FROM question WHERE seq >= ${from} AND seq < ${to} ORDER BY seq, n`)
        found.set(seq, [...(found.get(seq) ?? []), content]);
      return found;
    },
    reusedBetween: (from: number, to: number): ReadonlyMap<number, RowPlace> =>
      bySeq(select(file, reused)`
        SELECT seq, content FROM reused WHERE seq >= ${from} AND seq < ${to}`),
    sharedBetween: (from: number, to: number): ReadonlyMap<number, IdentifierHolders> =>
      new Map(
        select(file, shared)`
          SELECT seq, email, phone FROM shared WHERE seq >= ${from} AND seq < ${to}`.map(
          ({ seq, email, phone }) => [seq, { ...(email && { email }), ...(phone && { phone }) }],
        ),
      ),
    rivalsBetween: (from: number, to: number): ReadonlyMap<number, readonly PersonSharingIdentifier[]> =>
      bySeq(select(file, rivals)`
        SELECT seq, content FROM rival WHERE seq >= ${from} AND seq < ${to}`),
  };
}
