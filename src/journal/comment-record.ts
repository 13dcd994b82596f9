import * as z from 'zod';
import { jsonColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { replaceRow, select } from '../storage/sql.ts';
import { findPseudonymizer, hashableKey } from './forgotten-record.ts';
import type { KnownKeyScope } from './known-record.ts';
import type { JournalFile } from './open.ts';

/**
 * The state of one part of a comment; `left` was left out by policy, and `confirmed` was found in the workspace
 * manually after its answer was lost: neither is ever sent later.
 */
export type CommentPartState = z.output<typeof commentPart>;

const commentPart = z.enum(['open', 'sent', 'uncertain', 'left', 'confirmed']);

/** A comment as the journal records it: by its id, never by its text. */
export interface CommentRecord {
  readonly id: string;
  readonly parts: readonly CommentPartState[];
  /** Hash of the text that was sent; empty where the person was forgotten. */
  readonly text: string;
  /** The time (ms) when a part of it was last sent. */
  readonly sentAt: number | null;
}

const comment = {
  id: textColumn,
  parts: jsonColumn(z.array(commentPart)),
  text: textColumn,
  sentAt: nullableColumn(numberColumn),
};

/** Reads and writes the records of comments. */
export function createCommentRecordStore(file: JournalFile, { workspace, mapping }: KnownKeyScope) {
  const hash = findPseudonymizer(file);
  const stored = (key: string): readonly CommentRecord[] =>
    select(file, comment)`
      SELECT id, parts, text, sent_at AS sentAt FROM comment
      WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
  return {
    /** The comments of a source key; of a forgotten person only those with one of these ids. */
    of(key: string, ids: readonly string[]): readonly CommentRecord[] {
      if (hash === undefined) return stored(key);
      const hashed = new Map(ids.map((id) => [hash(id), id] as const));
      const forgotten = stored(hash(hashableKey(mapping, key))).flatMap((comment) => {
        const id = hashed.get(comment.id);
        return id === undefined ? [] : [{ ...comment, id }];
      });
      // Later records override earlier ones.
      return [...forgotten, ...stored(key)];
    },
    /** Returns the write that records a comment. */
    remember(key: string, { id, text, sentAt, ...comment }: CommentRecord): () => void {
      const parts = JSON.stringify(comment.parts);
      return () => replaceRow(file, 'comment', { workspace, mapping, key, id, parts, text, sent_at: sentAt });
    },
  };
}
