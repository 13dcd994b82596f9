import { nullableColumn, numberColumn } from '../storage/columns.ts';
import { hasRow, runSql, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { BloomFilter } from './seen-filter.ts';
import type { SessionClock } from './session-clock.ts';

const sent = { at: numberColumn, session: nullableColumn(numberColumn) };

/**
 * Creates the store of the times at which writes were sent whose effect may not be visible yet: creates, by
 * identifier text, and updates without an answer, by `id:…`.
 */
export function createSentWriteStore(file: JournalDatabase, workspace: number, times: SessionClock) {
  const seen = new BloomFilter();
  // The filter only knows this session's notes, so it can answer alone only if earlier sessions left none in
  // the table.
  const isEmpty = !hasRow(file)`SELECT 1 FROM created WHERE workspace = ${workspace} LIMIT 1`;
  // Notes that are not committed yet, so that a read does not return the outdated value of the table.
  const waiting = new Map<string, { readonly sentAt: number | undefined }>();
  return {
    /**
     * Notes the time (ms) when a create for these identifiers was last sent, undefined where none was; returns a function
     * that stores it.
     */
    note(identifiers: readonly string[], sentAt: number | undefined): () => void {
      const note = { sentAt };
      for (const identifier of identifiers) {
        waiting.set(identifier, note);
        seen.add(identifier);
      }
      return () => {
        for (const identifier of identifiers) {
          if (sentAt !== undefined)
            runSql(file)`REPLACE INTO created (workspace, identifier, sent_at, session)
              VALUES (${workspace}, ${identifier}, ${sentAt}, ${times.session})`;
          else
            runSql(file)`DELETE FROM created WHERE workspace = ${workspace} AND identifier = ${identifier}`;
          if (waiting.get(identifier) === note) waiting.delete(identifier);
        }
      };
    },
    /**
     * Returns the latest time (ms) at which a noted request for this identifier may have been sent; undefined if there
     * is none.
     */
    sentAt(identifier: string): number | undefined {
      if (isEmpty && !seen.mayHave(identifier)) return undefined;
      const note = waiting.get(identifier);
      if (note !== undefined) return note.sentAt;
      const found = selectOne(file, sent)`
        SELECT sent_at AS at, session FROM created
        WHERE workspace = ${workspace} AND identifier = ${identifier}`;
      return found && times.sentBy(found.at, found.session ?? undefined);
    },
  };
}

/** Deletes the writes to a workspace sent before `before` (ms since 1970), whose effects are visible by now. */
export function deleteSentWritesBefore(file: JournalDatabase, workspace: number, before: number): void {
  runSql(file)`DELETE FROM created WHERE workspace = ${workspace} AND sent_at < ${before}`;
}
