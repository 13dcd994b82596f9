import * as z from 'zod';
import { placeOf, type RowPlace } from '../../model/row-place.ts';
import { select } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import type { Evidence, Judgement } from '../evidence.ts';
import type { PersonName } from '../names.ts';
import { answerKeys } from './judged-rows.ts';

/** Another row of the input that is shown with a row in question. */
export interface HolderRow extends Evidence, RowPlace {
  readonly seq: number;
}

/** A row that may be the person of another row of the input, which is written as usual. */
export interface RowQuestion extends RowPlace, Pick<Judgement, 'equal' | 'names'> {
  /** The row that is asked about: of a person of several rows one. */
  readonly seq: number;
  /** What the answer is remembered by. */
  readonly memoryKey: string;
  readonly holder: HolderRow & { readonly memoryKey: string };
}

/** The question about a row whose person may be the holder's. */
export function rowQuestion(
  asking: HolderRow,
  { seq, line, sheet, key, email, phone, first, family }: HolderRow,
  { equal, names }: Pick<Judgement, 'equal' | 'names'>,
): RowQuestion {
  const holder = { seq, ...placeOf({ line, sheet }), key, email, phone, first, family };
  const [memoryKey, holderKey] = answerKeys(asking, holder);
  return {
    ...{ seq: asking.seq, ...placeOf(asking), memoryKey, equal, names },
    holder: { ...holder, memoryKey: holderKey },
  };
}

/** Where the rows are that have a value which several people share. */
export interface SharedPlaces {
  readonly email?: RowPlace;
  readonly phone?: RowPlace;
}

/** Another person of the input who says the same e-mail or phone: by their names a contact that has it may be theirs. */
export interface Rival extends PersonName {
  readonly kind: 'email' | 'phone';
  /** Whether the value would be theirs first: that of the person who has it, or of a lower one. */
  readonly isBefore: boolean;
}

/** What was found out of people of whom something belongs to others, or is not known to be theirs. */
export function questionReader(file: SqliteFile) {
  const content = (found: readonly { seq: number; content: string }[]) =>
    found.map(({ seq, content }) => [seq, JSON.parse(content)] as const);
  return {
    questionsBetween: (from: number, to: number): ReadonlyMap<number, RowQuestion> =>
      new Map(
        content(select<{ seq: number; content: string }>(file)`
          SELECT seq, content FROM question WHERE seq >= ${from} AND seq < ${to}`),
      ),
    reusedBetween: (from: number, to: number): ReadonlyMap<number, RowPlace> =>
      new Map(
        content(select<{ seq: number; content: string }>(file)`
          SELECT seq, content FROM reused WHERE seq >= ${from} AND seq < ${to}`),
      ),
    sharedBetween: (from: number, to: number): ReadonlyMap<number, SharedPlaces> =>
      new Map(
        select<{ seq: number; email: string | null; phone: string | null }>(file)`
          SELECT seq, email, phone FROM shared WHERE seq >= ${from} AND seq < ${to}`.map(
          ({ seq, email, phone }) => [
            seq,
            { ...(email && { email: JSON.parse(email) }), ...(phone && { phone: JSON.parse(phone) }) },
          ],
        ),
      ),
    rivalsBetween: (from: number, to: number): ReadonlyMap<number, readonly Rival[]> =>
      new Map(
        content(select<{ seq: number; content: string }>(file)`
          SELECT seq, content FROM rival WHERE seq >= ${from} AND seq < ${to}`),
      ),
  };
}

export const rowPlace = z.object({ line: z.int(), sheet: z.string().exactOptional() });

export const sharedPlaces = z.object({
  email: rowPlace.exactOptional(),
  phone: rowPlace.exactOptional(),
});

export const rival = z.object({
  kind: z.enum(['email', 'phone']),
  isBefore: z.boolean(),
  first: z.string().nullable(),
  family: z.string().nullable(),
});
