import { put, type Stored } from '../storage/sql.ts';
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
  const ofKey = file.prepare<[number, string, string], Stored<KnownComment, 'parts'>>(
    'SELECT id, parts, text, sent_at AS sentAt FROM comment WHERE workspace = ? AND mapping = ? AND key = ?',
  );
  return {
    /** The comments of a source key. */
    of: (key: string): readonly KnownComment[] =>
      ofKey.all(workspace, mapping, key).map((stored) => ({ ...stored, parts: JSON.parse(stored.parts) })),
    /** The write that remembers a comment. */
    remember:
      (key: string, { id, parts, text, sentAt }: KnownComment) =>
      () => {
        put(file, 'comment', {
          workspace,
          mapping,
          key,
          id,
          parts: JSON.stringify(parts),
          text,
          sent_at: sentAt,
        });
      },
  };
}
