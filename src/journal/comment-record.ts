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

interface StoredComment {
  id: string;
  parts: string;
  text: string;
  sentAt: number | null;
}

export interface CommentMemory {
  /** The comments of a source key. */
  of(key: string): readonly KnownComment[];
  remember(key: string, comment: KnownComment): () => void;
}

export function commentMemory(file: JournalFile, { workspace, mapping }: MemoryScope): CommentMemory {
  const select = file.prepare<[number, string, string], StoredComment>(
    'SELECT id, parts, text, sent_at AS sentAt FROM comment WHERE workspace = ? AND mapping = ? AND key = ?',
  );
  const insert = file.prepare(
    'INSERT OR REPLACE INTO comment (workspace, mapping, key, id, parts, text, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    of: (key) =>
      select.all(workspace, mapping, key).map((stored) => ({ ...stored, parts: JSON.parse(stored.parts) })),
    remember:
      (key, { id, parts, text, sentAt }) =>
      () =>
        void insert.run(workspace, mapping, key, id, JSON.stringify(parts), text, sentAt),
  };
}
