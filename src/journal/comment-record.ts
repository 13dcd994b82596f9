import { put, type Stored, select } from '../storage/sql.ts';
import type { MemoryScope } from './known-record.ts';
import type { JournalFile } from './open.ts';

/** How far one part of a comment is; `left` was left out by policy and is never sent later. */
export type CommentPart = 'open' | 'sent' | 'uncertain' | 'left';

/** A comment as it is remembered: by its id, never by its text. */
export interface KnownComment {
  readonly id: string;
  readonly parts: readonly CommentPart[];
  /** Hash of the text that was sent. */
  readonly text: string;
  /** When something of it was last sent (ms). */
  readonly sentAt: number | null;
}

/** What is remembered of the comments of people. */
export function commentMemory(file: JournalFile, { workspace, mapping }: MemoryScope) {
  return {
    /** The comments of a source key. */
    of(key: string): readonly KnownComment[] {
      const found = select<Stored<KnownComment, 'parts'>>(file)`
        SELECT id, parts, text, sent_at AS sentAt FROM comment
        WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
      return found.map((stored) => ({ ...stored, parts: JSON.parse(stored.parts) }));
    },
    /** The write that remembers a comment. */
    remember(key: string, { id, text, sentAt, ...comment }: KnownComment): () => void {
      const parts = JSON.stringify(comment.parts);
      return () => put(file, 'comment', { workspace, mapping, key, id, parts, text, sent_at: sentAt });
    },
  };
}
