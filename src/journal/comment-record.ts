import * as z from 'zod';
import { jsonColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { replaceRow, select } from '../storage/sql.ts';
import { findPseudonymizer, toHashableKey } from './forgotten-record.ts';
import type { KnownKeyScope } from './known-record.ts';
import type { JournalDatabase } from './open.ts';

/**
 * The state of one part of a comment. `skipped`: left out because the contact was there before; it is sent once the
 * mapping says so. `left`: another comment has the same text. `confirmed`: the answer was lost, and the user has found the
 * part in the workspace. Parts in the last two states are not sent any more.
 */
export type CommentPartState = z.output<typeof commentPart>;

const commentPart = z.enum(['open', 'sent', 'uncertain', 'skipped', 'left', 'confirmed']);

/** A comment as the journal records it: by its id, never by its text. */
export interface CommentRecord {
  readonly id: string;
  readonly parts: readonly CommentPartState[];
  /** Hash of the text that was sent; empty where the person was forgotten. */
  readonly text: string;
  /** The time (ms since 1970) when a part of the comment was last sent; null if none was. */
  readonly sentAt: number | null;
}

const comment = {
  id: textColumn,
  parts: jsonColumn(z.array(commentPart)),
  text: textColumn,
  sentAt: nullableColumn(numberColumn),
};

/** Creates the store of the comment records of a scope. */
export function createCommentRecordStore(file: JournalDatabase, { workspace, mapping }: KnownKeyScope) {
  const hash = findPseudonymizer(file);
  const stored = (key: string): readonly CommentRecord[] =>
    select(file, comment)`
      SELECT id, parts, text, sent_at AS sentAt FROM comment
      WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
  return {
    /**
     * Returns the comments stored for a source key. The comments of a forgotten person are stored under hashes, so they
     * are found only if `ids` contains their id.
     */
    of(key: string, ids: readonly string[]): readonly CommentRecord[] {
      if (hash === undefined) return stored(key);
      const hashed = new Map(ids.map((id) => [hash(id), id] as const));
      const forgotten = stored(hash(toHashableKey(mapping, key))).flatMap((comment) => {
        const id = hashed.get(comment.id);
        return id === undefined ? [] : [{ ...comment, id }];
      });
      // The caller lets later records of this list override earlier ones with the same id.
      return [...forgotten, ...stored(key)];
    },
    /** Returns a function that writes the record of a comment. */
    remember(key: string, { id, text, sentAt, ...comment }: CommentRecord): () => void {
      const parts = JSON.stringify(comment.parts);
      return () => replaceRow(file, 'comment', { workspace, mapping, key, id, parts, text, sent_at: sentAt });
    },
  };
}
