import * as z from 'zod';
import { jsonOf, nullable, number, text } from '../storage/columns.ts';
import { put, select } from '../storage/sql.ts';
import { keyText, pseudonyms } from './forgotten-record.ts';
import type { MemoryScope } from './known-record.ts';
import type { JournalFile } from './open.ts';

/**
 * How far one part of a comment is; `left` was left out by policy, and `confirmed` found in the workspace by a person after
 * its answer was lost: neither is ever sent later.
 */
export type CommentPart = z.output<typeof commentPart>;

const commentPart = z.enum(['open', 'sent', 'uncertain', 'left', 'confirmed']);

/** A comment as it is remembered: by its id, never by its text. */
export interface KnownComment {
  readonly id: string;
  readonly parts: readonly CommentPart[];
  /** Hash of the text that was sent; empty where the person was forgotten. */
  readonly text: string;
  /** When something of it was last sent (ms). */
  readonly sentAt: number | null;
}

const comment = { id: text, parts: jsonOf(z.array(commentPart)), text, sentAt: nullable(number) };

/** Reads and writes the memory of comments. */
export function commentMemory(file: JournalFile, { workspace, mapping }: MemoryScope) {
  const hash = pseudonyms(file);
  const stored = (key: string): readonly KnownComment[] =>
    select(file, comment)`
      SELECT id, parts, text, sent_at AS sentAt FROM comment
      WHERE workspace = ${workspace} AND mapping = ${mapping} AND key = ${key}`;
  return {
    /** The comments of a source key; of a forgotten person only those with one of these ids. */
    of(key: string, ids: readonly string[]): readonly KnownComment[] {
      if (hash === undefined) return stored(key);
      const hashed = new Map(ids.map((id) => [hash(id), id] as const));
      const forgotten = stored(hash(keyText(mapping, key))).flatMap((comment) => {
        const id = hashed.get(comment.id);
        return id === undefined ? [] : [{ ...comment, id }];
      });
      // What was sent since stands over what was sent before.
      return [...forgotten, ...stored(key)];
    },
    /** The write that remembers a comment. */
    remember(key: string, { id, text, sentAt, ...comment }: KnownComment): () => void {
      const parts = JSON.stringify(comment.parts);
      return () => put(file, 'comment', { workspace, mapping, key, id, parts, text, sent_at: sentAt });
    },
  };
}
