import * as z from 'zod';
import { select } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import type { Evidence, Judgement } from '../evidence.ts';
import type { PersonName } from '../names.ts';
import { answerKeys } from './judged-rows.ts';

/** Another row of the input that is shown with a row in question. */
export interface HolderRow extends Evidence {
  readonly seq: number;
  readonly line: number;
}

/** A row that may be the person of another row of the input, which is written as usual. */
export interface RowQuestion extends Pick<Judgement, 'equal' | 'names'> {
  /** The row that is asked about: of a person of several rows one. */
  readonly seq: number;
  readonly line: number;
  /** What the answer is remembered by. */
  readonly memoryKey: string;
  readonly holder: HolderRow & { readonly memoryKey: string };
}

/** The question about a row whose person may be the holder's. */
export function rowQuestion(
  asking: HolderRow,
  { seq, line, key, email, phone, first, family }: HolderRow,
  { equal, names }: Pick<Judgement, 'equal' | 'names'>,
): RowQuestion {
  const holder = { seq, line, key, email, phone, first, family };
  const [memoryKey, holderKey] = answerKeys(asking, holder);
  return {
    ...{ seq: asking.seq, line: asking.line, memoryKey, equal, names },
    holder: { ...holder, memoryKey: holderKey },
  };
}

/** Another person of the input with the same key. */
export interface OtherPerson {
  readonly line: number;
  readonly first: string | null;
  readonly family: string | null;
}

/** The lines of the rows that have a value which several people share. */
export interface SharedLines {
  readonly email?: number;
  readonly phone?: number;
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
    reusedBetween: (from: number, to: number): ReadonlyMap<number, OtherPerson> =>
      new Map(
        content(select<{ seq: number; content: string }>(file)`
          SELECT seq, content FROM reused WHERE seq >= ${from} AND seq < ${to}`),
      ),
    sharedBetween: (from: number, to: number): ReadonlyMap<number, SharedLines> =>
      new Map(
        select<{ seq: number; email: number | null; phone: number | null }>(file)`
          SELECT seq, email, phone FROM shared WHERE seq >= ${from} AND seq < ${to}`.map(
          ({ seq, email, phone }) => [seq, { ...(email && { email }), ...(phone && { phone }) }],
        ),
      ),
    rivalsBetween: (from: number, to: number): ReadonlyMap<number, readonly Rival[]> =>
      new Map(
        content(select<{ seq: number; content: string }>(file)`
          SELECT seq, content FROM rival WHERE seq >= ${from} AND seq < ${to}`),
      ),
  };
}

export const sharedLines = z.object({ email: z.int().exactOptional(), phone: z.int().exactOptional() });

export const rival = z.object({
  kind: z.enum(['email', 'phone']),
  isBefore: z.boolean(),
  first: z.string().nullable(),
  family: z.string().nullable(),
});
